"""What a run measured, with what is expected of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from benches.load.phases import Phase
from stampede.core.json import JsonObject
from stampede.lab.bench.measurements import Measurement

__all__ = ["Report", "quantile"]


def quantile(values: list[float], share: float) -> float:
    """The value that this share of all doesn't exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


@dataclass(slots=True)
class Report:
    """All figures of a run, and its conditions."""

    conditions: JsonObject
    figures: list[Measurement] = field(default_factory=list)

    def add(
        self,
        name: str,
        value: float,
        unit: str,
        expected: float | None = None,
        *,
        at_most: bool = False,
    ) -> None:
        """One figure more."""
        self.figures.append(Measurement(name, value, unit, expected, at_most))

    def add_rush(self, phase: Phase, group: float, echo: float) -> None:
        """What came out when everybody answered at once."""
        self.add("acknowledged durable actions", phase.rate, "/s", 4000)
        self.add("votes beside them", phase.tally.votes / phase.seconds, "/s")
        self.add("bare group commit", group, "/s")
        self.add("share of the bare group commit", 100 * phase.rate / group, "%", 40)
        self.add("bare socket echo", echo, "/s")
        self.add("share of the bare socket echo", 100 * phase.rate / echo, "%")
        self._add_waits("at full speed", phase)

    def add_stroll(self, phase: Phase, rate: float) -> None:
        """What came out at a steady pace."""
        self.add(f"actions at a steady {rate:,.0f}/s", phase.rate, "/s")
        self._add_waits("at half the load", phase, 100)

    def _add_waits(self, when: str, phase: Phase, most: float | None = None) -> None:
        acks, told = phase.tally.acks, phase.tally.told
        self.add(f"{when}: acknowledged, p50", 1000 * quantile(acks, 0.5), "ms", at_most=True)
        p99 = 1000 * quantile(acks, 0.99)
        self.add(f"{when}: acknowledged, p99", p99, "ms", most, at_most=True)
        self.add(f"{when}: the others know, p99", 1000 * quantile(told, 0.99), "ms", at_most=True)
        self.add(f"{when}: the server's core is busy", 100 * phase.busy, "%")
        self.add(f"{when}: the client's core is busy", 100 * phase.own, "%")
        done = len(acks) + phase.tally.votes
        self.add(f"{when}: the server's time", 1e6 * phase.busy * phase.seconds / done, "µs each")

    def to_json(self) -> JsonObject:
        """The report as JSON."""
        return {
            "conditions": self.conditions,
            "figures": [
                {
                    "name": figure.name,
                    "value": round(figure.value, 2),
                    "unit": figure.unit,
                    "expected": figure.expected,
                    "met": figure.is_met,
                }
                for figure in self.figures
            ],
        }
