"""The command line: `python -m simulation --seeds 100`."""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path
from typing import Annotated, Final

import typer

from simulation.faults import EFFECTS, FAULTS
from simulation.known_faults import KNOWN_FAULTS, with_fault
from simulation.operations import OPERATIONS
from simulation.plan import Plan, draw_plan, plan_from_json, plan_to_json
from simulation.shrink import shrink
from simulation.simulation import Outcome, run_plan

__all__ = ["find_missing", "main"]

LONG_RUN: Final = 200
"""Seeds in which everything that can happen must happen."""
SHOWN_LINES = 80
"""Lines of a failed run's trace that are printed."""


def _run(
    seeds: Annotated[int, typer.Option(help="How many seeds to run.")] = 10,
    first: Annotated[int, typer.Option(help="The first of them.")] = 1,
    seed: Annotated[int | None, typer.Option(help="Only this seed, with its trace.")] = None,
    minutes: Annotated[float | None, typer.Option(help="Minutes of each; else drawn.")] = None,
    with_fault_: Annotated[
        str | None, typer.Option("--with-fault", help=f"Put back: {', '.join(KNOWN_FAULTS)}.")
    ] = None,
    plan: Annotated[Path | None, typer.Option(help="Run a plan that was written before.")] = None,
    keep_going: Annotated[
        bool, typer.Option("--keep-going", help="Run all seeds, also after a failure.")
    ] = False,
    shrinking: Annotated[float, typer.Option(help="Seconds to shrink a failure.")] = 120.0,
    trace: Annotated[Path | None, typer.Option(help="Write the whole trace here.")] = None,
    every_await: Annotated[
        bool, typer.Option("--every-await", help="Fail each append, read, send and lock once.")
    ] = False,
) -> None:
    """Runs the whole server on virtual time, and checks that what it promises holds."""
    if every_await:
        from simulation.every_await import run_every_await

        raise typer.Exit(run_every_await(print))
    if plan is not None:
        plans = [plan_from_json(json.loads(plan.read_text(encoding="utf-8")))]
    elif seed is not None:
        plans = [draw_plan(seed, minutes)]
    else:
        plans = [draw_plan(number, minutes) for number in range(first, first + seeds)]
    with with_fault(with_fault_):
        failed, missing = _run_all(plans, keep_going=keep_going)
        if failed is not None:
            _report(failed, shrinking, with_fault_)
        if trace is not None:
            found = failed or run_plan(plans[-1], keep_trace=True)
            text = "\n".join(run_plan(found.plan, keep_trace=True).trace)
            trace.write_text(text + "\n", encoding="utf-8")
    raise typer.Exit(1 if failed is not None or missing else 0)


def find_missing(counts: Counter[str]) -> list[str]:
    """Returns what can happen and has never happened: faults, what they do, and what people do."""
    wanted = [f"fault: {kind}" for kind in FAULTS]
    wanted += [f"operation: {kind}" for kind in OPERATIONS]
    wanted += [*EFFECTS, "recovery: tables that took a command"]
    return [name for name in wanted if not counts[name]]


def _run_all(plans: list[Plan], *, keep_going: bool) -> tuple[Outcome | None, list[str]]:
    """Runs plans, until one fails unless it is to keep going; prints what happened.

    Returns:
        The first failure, and what never happened in a long run.
    """
    total: Counter[str] = Counter()
    simulated = 0.0
    begin, begin_cpu = time.monotonic(), time.process_time()
    failures: list[Outcome] = []
    done = 0
    for plan in plans:
        outcome = run_plan(plan)
        done += 1
        simulated += outcome.seconds
        total.update(outcome.counts)
        if outcome.violations:
            print(f"seed {plan.seed}: {outcome.violations[0]}", flush=True)
            failures.append(outcome)
            if not keep_going:
                break
        else:
            print(f"seed {plan.seed}: {outcome.seconds:.0f} s, {outcome.digest}", flush=True)
    took, cpu = time.monotonic() - begin, time.process_time() - begin_cpu
    print(f"{done} seeds, {simulated / 3600:.2f} simulated hours in {took:.0f} s")
    print(f"{len(failures)} with a violation: {[failure.plan.seed for failure in failures]}")
    print(f"{simulated / took:.0f} × real time, {simulated / cpu:.0f} × processor time")
    print(", ".join(f"{name}: {count}" for name, count in sorted(total.items())))
    missing = find_missing(total) if done >= LONG_RUN else []
    if missing:
        print(f"never happened: {', '.join(missing)}")
    return (failures[0] if failures else None), missing


def _report(failed: Outcome, seconds: float, fault: str | None) -> None:
    """Shrinks a failure and prints its shortest history."""
    found = shrink(failed, run_plan, seconds=seconds) if seconds > 0 else failed
    again = run_plan(found.plan, keep_trace=True)
    print(f"\nthe shortest history found, {len(found.plan.operations)} operations:")
    for operation in found.plan.operations:
        print(operation)
    print("\nwhat happened up to the violation:")
    print("\n".join(again.trace[-SHOWN_LINES:]))
    target = Path(f"simulation-{failed.plan.seed}.json")
    target.write_text(json.dumps(plan_to_json(found.plan), indent=1), encoding="utf-8")
    more = f" --with-fault {fault}" if fault else ""
    print(f"\nreplay the seed: python -m simulation --seed {failed.plan.seed}{more}")
    print(f"replay this: python -m simulation --plan {target}{more}")


def main() -> None:
    """Runs the command line."""
    typer.run(_run)
