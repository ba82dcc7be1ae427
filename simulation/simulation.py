"""Runs one plan: starts the workers, lets operations and faults happen, heals everything, and checks the invariants."""

from __future__ import annotations

import asyncio
import gc
import random
import shutil
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from simulation.clock import WallClock
from simulation.disk import Disk
from simulation.faults import FAULTS
from simulation.invariants import check_log
from simulation.log_watch import watched_logs
from simulation.loop import SimulatedLoop
from simulation.network import USUAL_LATENCY, Network
from simulation.observations import Observations
from simulation.operations import OPERATIONS
from simulation.people import City
from simulation.plan import Operation, Plan
from simulation.postgres import DatabaseServer
from simulation.recovery import Recovery
from simulation.worker import Worker, shared_handlers
from simulation.world import AFTERMATH, Strike, Violation, World
from stampede.server.settings import ServerSettings
from stampede.store.ops.file_check import check_file

__all__ = ["Outcome", "Simulation", "run_plan"]

SECRET: Final = "5" * 64
HEALING_SECONDS: Final = 25.0
"""How long after the last fault everything must work again."""
VISIT_SECONDS: Final = 60.0
"""How long visiting a table, or sending something again, takes at most."""
CATCHING_UP: Final = 10.0
"""How long it takes at most until everyone has heard of an entry, when nothing is wrong."""
QUIET_SECONDS: Final = 12.0
"""How long everybody is left alone in the end, until all must have caught up."""
STOP_SECONDS: Final = 90.0
"""How long the workers get to stop in the end."""
SHARED_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - files that needn't survive


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came out of a plan.

    Attributes:
        plan: The plan.
        violations: What went wrong; empty when nothing did.
        digest: The digest of all that happened.
        seconds: The simulated time.
        counts: What happened how often.
        trace: What happened, if it was to be kept.
    """

    plan: Plan
    violations: tuple[str, ...]
    digest: str
    seconds: float
    counts: Counter[str]
    trace: tuple[str, ...]


class Simulation:
    """One run of a plan."""

    def __init__(
        self,
        plan: Plan,
        folder: Path,
        *,
        keep_trace: bool = False,
        strike: Strike | None = None,
    ) -> None:
        self.plan = plan
        self.world = world = World(plan.seed, keep_trace=keep_trace, strike=strike)
        self.network = Network(world, world.stream("network"))
        self.disk = Disk(world, folder, world.stream("disk"), shared=plan.workers > 1)
        self.cluster = (
            DatabaseServer(world, world.stream("cluster"), self.disk) if plan.workers > 1 else None
        )
        self.observed = Observations(world)
        self.observed.add_secret(SECRET)
        people = SimulatedLoop("people", world.time, world.stream("people"), lambda: 0.0)
        world.loops.append(people)
        self.city = City(world, people, self.network, self.observed, plan.people)
        self.city.populate(plan.devices)
        self.up_seconds: list[tuple[float, float]] = []
        self._up_since: float | None = None
        self.ended_at = 0.0
        self._healed = False
        self._slow_at = 0.0
        clocks = world.stream("clocks")
        self._settings = settings = ServerSettings.model_validate(
            {"database_url": f"sqlite:///{self.disk.path}", "secret": SECRET, **plan.settings}
        )
        self.workers = [
            Worker(
                world,
                number,
                settings,
                network=self.network,
                disk=self.disk,
                cluster=self.cluster,
                clock=clock,
            )
            for number in range(plan.workers)
            for clock in [self._draw_clock(clocks)]
        ]
        self._all_workers = tuple(self.workers)

    def _draw_clock(self, rng: random.Random) -> WallClock:
        offset = rng.choice((0, 0, 0, -400, 250, 3_000)) if self.plan.workers > 1 else 0
        return WallClock(self.world, offset, rng.choice((0.0, 0.0, 1e-4, -1e-4)))

    # --- running ---

    def run(self) -> None:
        """Runs the plan, heals everything, and checks what must hold then."""
        world = self.world
        for number, worker in enumerate(self.workers):
            self.start_later(worker, 0.01 + 0.5 * number)
        world.after(0.25, self._tick)
        for operation in self.plan.operations:
            world.after(operation.at, self._perform, operation)
        world.run(self.plan.seconds)
        self._heal()
        # A half-open connection holds its table until heartbeats have gone unanswered.
        world.run(world.now + max(HEALING_SECONDS, 12.0 + 4 * self._settings.heartbeat))
        if not world.violations:
            self._check_heads()
        self._recover()
        world.run(world.now + QUIET_SECONDS)
        if not world.violations:
            self._check_heads()
        self.ended_at = world.now
        self._close()
        if not world.violations:
            for text in (*check_log(self), *check_file(self.disk.path).problems):
                world.violate(text)

    def _perform(self, operation: Operation) -> None:
        rng = random.Random(f"{self.plan.seed} operation {operation.number}")
        self.world.note(f"operation {operation.number}: {operation.kind} ({operation.who})")
        if operation.kind in FAULTS:
            if not FAULTS[operation.kind].network_only:
                self.world.note_trouble()
            self.world.counts[f"fault: {operation.kind}"] += 1
            FAULTS[operation.kind].strike(self, operation.who, rng)
            return
        self.world.counts[f"operation: {operation.kind}"] += 1
        device = self.city.devices[operation.who]
        _, perform = OPERATIONS[operation.kind]
        self.city.spawn(lambda: perform(device, rng))

    def _recover(self) -> None:
        """Checks that everything works again."""
        world = self.world
        for worker in self.workers:
            if not world.violations and not worker.is_up:
                world.violate(f"{worker.name} isn't up after everything healed")
        if world.violations:
            return
        for task in list(self.city.tasks):
            task.cancel()
        world.run(world.now + 2.0)
        recovery = Recovery(self)
        pending = sum(len(device.pending) for device in self.city.devices)
        longest = VISIT_SECONDS * (1 + pending + len(self.city.tables))
        self.city.spawn(recovery.run)
        world.run(world.now + longest, stop=lambda: recovery.is_over)
        if not world.violations and not recovery.is_over:
            world.violate("people can't go on after everything healed")

    # --- processes ---

    def start_later(self, worker: Worker, delay: float) -> None:
        """Starts a worker after a while, unless it runs then."""

        def start() -> None:
            if not worker.is_running:
                worker.start()

        self.world.after(delay, start)

    def _tick(self) -> None:
        """Looks after processes as a supervisor does, and measures."""
        if self._healed and not self.workers:
            return
        for worker in self.workers:
            if worker.check_exit():
                self.start_later(worker, 1.0)
        # Several workers have one time: it goes on while all that run are stopped.
        frozen = self.cluster is not None and any(worker.stopped for worker in self.workers)
        up = frozen or any(worker.is_up for worker in self.workers)
        if not self._works():
            self.world.note_trouble()
        now = self.world.now
        if up and self._up_since is None:
            self._up_since = now
        elif not up and self._up_since is not None:
            self.up_seconds.append((self._up_since, now))
            self._up_since = None
        self._check_memory()
        if self.network.latency > USUAL_LATENCY:
            self._slow_at = now
        since = now - AFTERMATH
        if self._slow_at < since and not self.world.was_troubled(since, now):
            self._check_heads()
        self.world.after(0.25, self._tick)

    def _works(self) -> bool:
        """Whether all processes run and reach a disk that works, and each other."""
        disk, cluster = self.disk, self.cluster
        return (
            all(worker.is_up for worker in self.workers)
            and not disk.failing
            and disk.slow == 1.0
            and (cluster is None or not (cluster.down or cluster.trouble))
        )

    @property
    def has_room(self) -> bool:
        """Whether all tables fit into a worker's memory, so that none waits for another."""
        return len(self.city.tables) <= self._settings.max_tables

    def seconds_up(self, begin: float, end: float) -> float:
        """Returns for how long at least one worker served between two moments."""
        spans = [*self.up_seconds]
        if self._up_since is not None:
            spans.append((self._up_since, self.world.now))
        return sum(max(0.0, min(end, last) - max(begin, first)) for first, last in spans)

    # --- healing ---

    def heal_network(self) -> None:
        """Makes the network fast again."""
        self.network.latency, self.network.cutting = USUAL_LATENCY, 0.1
        self.network.window = 64 * 1024

    def heal_disk(self) -> None:
        """Makes the disk work again."""
        self.disk.failing.clear()
        self.disk.slow = 1.0

    def heal_cluster(self) -> None:
        """Lets workers hear each other again."""
        if self.cluster is not None:
            self.cluster.trouble.clear()
            self.cluster.down = False

    def _heal(self) -> None:
        self.world.note("everything heals")
        self.heal_network()
        self.heal_disk()
        self.heal_cluster()
        for worker in self.workers:
            worker.thaw()
            self.start_later(worker, 0.5)
        for end in list(self.network.ends):
            if end.side == "client" and not end.reads:
                end.resume_slow_reader()

    def _close(self) -> None:
        """Everybody leaves, and the workers stop."""
        world = self.world
        for task in list(self.city.tasks):
            task.cancel()
        world.run(world.now + 2.0)
        self._healed = True
        stopping, self.workers = self.workers, []
        for worker in stopping:
            worker.ask_to_stop()
        deadline = world.now + STOP_SECONDS
        world.run(deadline, stop=lambda: all(worker.has_ended for worker in stopping))
        for worker in stopping:
            if worker.has_died:
                worker.kill()
            elif not world.violations:
                self._check_end(worker)
            worker.abandon()
        if not world.violations and self.network.ends:
            left = [(end.link, end.side) for end in self.network.ends if end.side == "server"]
            if left:
                world.violate(f"connections are left behind: {left}")

    def dispose(self) -> None:
        """Closes the loops of all processes, also of those that have died."""
        self.city.loop.abandon(list(asyncio.all_tasks(self.city.loop)))
        for worker in self._all_workers:
            worker.dispose()
        self.disk.dispose()

    # --- invariants ---

    def _check_end(self, worker: Worker) -> None:
        if not worker.is_running:
            return
        if not worker.has_ended:
            self.world.violate(f"{worker.name} doesn't stop: {worker.tasks()}")
        elif left := [task for task in worker.tasks() if not task.done()]:
            self.world.violate(f"{worker.name} leaves tasks behind: {left}")

    def _check_memory(self) -> None:
        budget = self._settings.max_waiting + SLACK
        for end in self.network.ends:
            if end.side == "server" and (waiting := end.get_write_buffer_size()) > budget:
                self.world.violate(f"link {end.link}: {waiting} bytes wait for a socket")
        for worker in self.workers:
            services = worker.services
            if services is None:
                continue
            if services.registry.live > worker.max_tables:
                self.world.violate(f"{worker.name} has {services.registry.live} tables in memory")
            for viewer in services.registry.viewers():
                if viewer.waiting > budget:
                    self.world.violate(f"{worker.name}: {viewer.waiting} bytes wait for a viewer")

    def _check_heads(self) -> None:
        """Everyone who is connected and reads has heard of what happened a while ago."""
        settled = self.world.now - CATCHING_UP
        for device in self.city.devices:
            for socket in device.sockets:
                end = socket.raw.line.end
                if end is None or end.lost or socket.flawed or end.link in self.network.half_open:
                    continue
                head = self.disk.end_before(socket.table.table_id, settled)
                if socket.welcomed and socket.seq < head:
                    self.world.violate(
                        f"{device.name} is at {socket.seq} of {socket.table.table_id[:6]},"
                        f" whose log is at {head}"
                    )


SLACK: Final = 64 * 1024
"""Bytes by which a socket may exceed its budget: what one message may add to it."""


def run_plan(
    plan: Plan,
    *,
    keep_trace: bool = False,
    strike: Strike | None = None,
    surroundings: Callable[[World], AbstractContextManager[None]] | None = None,
) -> Outcome:
    """Runs a plan from beginning to end.

    Args:
        plan: The plan.
        keep_trace: Whether to keep what happened, line by line.
        strike: One fault at one point, beside those of the plan.
        surroundings: Makes a context, given the world, in which the plan is run.
    """
    parent = SHARED_MEMORY if SHARED_MEMORY.is_dir() else None
    folder = Path(tempfile.mkdtemp(prefix="stampede-simulation-", dir=parent))
    collects = gc.isenabled()
    gc.disable()  # a destructor must not run at another moment when the run is repeated
    unraisable = sys.unraisablehook
    try:
        simulation = Simulation(plan, folder, keep_trace=keep_trace, strike=strike)
        world = simulation.world
        with (
            shared_handlers(),
            watched_logs(world),
            surroundings(world) if surroundings else nullcontext(),
        ):
            try:
                simulation.run()
            except Violation as violation:
                world.violate(str(violation))
            outcome = Outcome(
                plan,
                tuple(world.violations),
                world.digest,
                world.now,
                world.counts,
                tuple(world.trace),
            )
            sys.unraisablehook = lambda _: None  # coroutines of killed processes end here
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                simulation.dispose()
                del simulation, world
                gc.collect()
    finally:
        sys.unraisablehook = unraisable
        if collects:
            gc.enable()
        shutil.rmtree(folder, ignore_errors=True)
    return outcome
