"""What goes wrong: network, disk, clocks, processes, and the messages between workers."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from simulation.disk import FAILURES

if TYPE_CHECKING:
    from simulation.simulation import Simulation

__all__ = ["EFFECTS", "FAULTS", "Fault"]


@dataclass(frozen=True, slots=True)
class Fault:
    """A kind of fault.

    Attributes:
        weight: How often it happens, compared with others.
        strike: Makes it happen to a worker.
        needs_cluster: Whether it needs several workers.
        network_only: Whether it touches only clients' connections.
    """

    weight: float
    strike: Callable[[Simulation, int, random.Random], None]
    needs_cluster: bool = False
    network_only: bool = False


# --- network ---


def cut(simulation: Simulation, _: int, rng: random.Random) -> None:
    """Cuts some connections."""
    links = simulation.network.open_links()
    for link in rng.sample(links, min(len(links), rng.choice((1, 2, 10)))):
        simulation.world.counts["cut"] += 1
        simulation.world.note(f"link {link} is cut")
        simulation.network.cut(link)


def half_open(simulation: Simulation, _: int, rng: random.Random) -> None:
    """Nothing arrives any more over some connections, and nobody is told."""
    links = simulation.network.open_links()
    for link in rng.sample(links, min(len(links), rng.choice((1, 1, 5)))):
        simulation.world.counts["half open"] += 1
        simulation.world.note(f"link {link} is half open")
        simulation.network.half_open.add(link)


def slow_network(simulation: Simulation, _: int, rng: random.Random) -> None:
    """Everything takes longer for a while."""
    network = simulation.network
    network.latency = rng.choice((0.2, 1.0))
    network.cutting = rng.choice((0.1, 0.9))
    network.window = rng.choice((1024, 64 * 1024))
    simulation.world.after(rng.uniform(2, 20), simulation.heal_network)


# --- disk ---


def _failing(*kinds: str) -> Callable[[Simulation, int, random.Random], None]:
    def strike(simulation: Simulation, _: int, rng: random.Random) -> None:
        disk = simulation.disk
        for kind in kinds:
            disk.failing[kind] = rng.choice((0.1, 0.5, 1.0))
        simulation.world.note(f"disk: fails: {disk.failing}")
        simulation.world.after(rng.choice((0.05, 1.0, 5.0, 15.0)), simulation.heal_disk)

    return strike


def slow_disk(simulation: Simulation, _: int, rng: random.Random) -> None:
    """The disk takes longer for a while."""
    simulation.disk.slow = rng.choice((10.0, 100.0, 1000.0))
    simulation.world.counts["disk: slow"] += 1
    simulation.world.after(rng.uniform(1, 10), simulation.heal_disk)


# --- processes ---


def kill(simulation: Simulation, number: int, rng: random.Random) -> None:
    """Kills a worker; it comes back later."""
    worker = simulation.workers[number]
    if worker.is_running:
        simulation.world.counts["killed"] += 1
        worker.kill(silently=rng.random() < 0.3, patience=rng.choice((0.0, 2.0, 11.0)))
        simulation.start_later(worker, rng.choice((0.1, 2.0, 20.0)))


def kill_all(simulation: Simulation, _: int, rng: random.Random) -> None:
    """Kills all workers at once."""
    for number in range(len(simulation.workers)):
        kill(simulation, number, rng)


def fail_power(simulation: Simulation, _: int, rng: random.Random) -> None:
    """The power fails: all workers die, and the end of the log may be torn."""
    simulation.world.counts["power failed"] += 1
    simulation.world.note("the power fails")
    silently = rng.random() < 0.5
    for worker in simulation.workers:
        worker.abandon(silently=silently)
    simulation.disk.crash()
    if simulation.cluster is not None:
        simulation.cluster.cut()
    for worker in simulation.workers:
        simulation.start_later(worker, rng.choice((0.5, 3.0, 30.0)))


def terminate(simulation: Simulation, number: int, _: random.Random) -> None:
    """Asks a worker to stop; it comes back."""
    simulation.world.counts["terminated"] += 1
    simulation.workers[number].ask_to_stop()


def terminate_all(simulation: Simulation, _: int, __: random.Random) -> None:
    """Asks all workers to stop."""
    for worker in simulation.workers:
        simulation.world.counts["terminated"] += 1
        worker.ask_to_stop()


def freeze(simulation: Simulation, number: int, rng: random.Random) -> None:
    """Stops a worker for a while (SIGSTOP)."""
    worker = simulation.workers[number]
    simulation.world.counts["frozen"] += 1
    worker.freeze()
    simulation.world.after(rng.choice((0.3, 3.0, 12.0, 40.0)), worker.thaw)


def jump_clock(simulation: Simulation, number: int, rng: random.Random) -> None:
    """A worker's wall clock jumps."""
    jump = rng.choice((-3_600_000, -5_000, 5_000, 60_000, 3_600_000))
    simulation.world.counts["clock jumps"] += 1
    simulation.world.note(f"the clock of worker {number} jumps by {jump} ms")
    simulation.workers[number].clock.offset_ms += jump


# --- between workers ---


def disturb_channel(simulation: Simulation, _: int, rng: random.Random) -> None:
    """Notifications are lost, doubled or late for a while."""
    assert simulation.cluster is not None
    simulation.cluster.trouble = {
        "lost": rng.choice((0.0, 0.3, 1.0)),
        "doubled": rng.choice((0.0, 0.5)),
        "late": rng.choice((0.0, 0.5)),
    }
    simulation.world.after(rng.uniform(1, 15), simulation.heal_cluster)


def cut_channel(simulation: Simulation, number: int, _: random.Random) -> None:
    """A worker loses its connection to the others."""
    loop, cluster = simulation.workers[number].loop, simulation.cluster
    assert cluster is not None
    if loop is not None:
        simulation.world.counts["channels cut"] += 1
        for connection in cluster.connections_of(loop):
            cluster.cut(connection)


def stop_channel(simulation: Simulation, _: int, rng: random.Random) -> None:
    """Nobody can connect to the others for a while."""
    assert simulation.cluster is not None
    simulation.world.counts["channels down"] += 1
    simulation.cluster.down = True
    simulation.cluster.cut()
    simulation.world.after(rng.uniform(1, 15), simulation.heal_cluster)


FAULTS: Final = {
    "cut": Fault(4.0, cut, network_only=True),
    "half_open": Fault(2.0, half_open, network_only=True),
    "slow_network": Fault(1.0, slow_network, network_only=True),
    "disk_fails_before": Fault(1.0, _failing("before")),
    "disk_fails_after": Fault(1.5, _failing("after")),
    "disk_is_full": Fault(0.7, _failing("full")),
    "disk_fails_to_read": Fault(0.7, _failing("read")),
    "disk_fails": Fault(0.5, _failing("before", "after", "read")),
    "slow_disk": Fault(1.0, slow_disk),
    "kill": Fault(1.5, kill),
    "kill_all": Fault(0.3, kill_all),
    "fail_power": Fault(1.0, fail_power),
    "terminate": Fault(1.0, terminate),
    "terminate_all": Fault(0.3, terminate_all),
    "freeze": Fault(0.7, freeze),
    "jump_clock": Fault(0.7, jump_clock),
    "disturb_channel": Fault(1.5, disturb_channel, needs_cluster=True),
    "cut_channel": Fault(1.0, cut_channel, needs_cluster=True),
    "stop_channel": Fault(0.5, stop_channel, needs_cluster=True),
}
"""What goes wrong: how often, and how."""
EFFECTS: Final = (
    "cut",
    "half open",
    "killed",
    "power failed",
    "terminated",
    "frozen",
    "clock jumps",
    "channels cut",
    "channels down",
    "notifications lost",
    "notifications doubled",
    "notifications late",
    *(f"disk: {name}" for name in FAILURES.values()),
    "disk: slow",
    "disk: torn",
)
"""What faults do, as it is counted."""
