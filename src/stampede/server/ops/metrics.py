"""Figures for Prometheus, on a port of their own. Labels come from bounded sets: routes, methods, classes of status.

What the parts count anyway is read when somebody asks, so that it costs nothing; only times are taken down at once.
Every worker has a port: they are targets of their own for Prometheus.
"""

from __future__ import annotations

import logging
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import accumulate
from threading import Thread
from typing import Final, Protocol
from wsgiref.simple_server import WSGIServer

from prometheus_client import (
    CollectorRegistry,
    Counter,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    start_http_server,
)
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from stampede.core.errors import InputError
from stampede.server.settings import ServerSettings

__all__ = ["Figures", "Metrics", "metrics_port"]

log = logging.getLogger("stampede.server")

METHODS: Final = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
FAST: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class Figures(Protocol):
    """Whoever can be asked how things stand."""

    def gauges(self) -> dict[str, tuple[str, float]]:
        """By name: what it is, and its value now."""

    def counters(self) -> dict[str, tuple[str, float]]:
        """By name: what it is, and how often it has happened."""


class Metrics:
    """All figures of a process.

    Attributes:
        registry: What Prometheus reads.
    """

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=self.registry)
        self._requests = Counter(
            "stampede_requests",
            "Requests over HTTP.",
            ["method", "route", "status"],
            registry=self.registry,
        )
        self._request_seconds = Histogram(
            "stampede_request_seconds",
            "Time until an answer was sent.",
            registry=self.registry,
            buckets=FAST,
        )
        self._outcomes = {outcome: _Waits() for outcome in ("ack", "refused", "failed")}
        self.registry.register(_Commands(self._outcomes))

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """A request was answered; status 0 when it wasn't."""
        known = method if method in METHODS else "other"
        self._requests.labels(known, route, f"{status // 100}xx").inc()
        self._request_seconds.observe(seconds)

    def command(self, outcome: str, seconds: float) -> None:
        """A command was acknowledged (``ack``), refused (``refused``) or not kept (``failed``)."""
        waits = self._outcomes[outcome]
        waits.counts[bisect_left(FAST, seconds)] += 1
        waits.sum += seconds

    def read_from(self, figures: Figures) -> None:
        """Reads these figures from now on, whenever somebody asks."""
        self.registry.register(_Reader(figures))


class _Waits:
    """How often a command took how long. The library's own would lock a dozen times for each."""

    __slots__ = ("counts", "sum")

    def __init__(self) -> None:
        self.counts = [0] * (len(FAST) + 1)
        self.sum = 0.0


class _Commands(Collector):
    def __init__(self, outcomes: Mapping[str, _Waits]) -> None:
        self._outcomes = outcomes

    def collect(self) -> Iterable[Metric]:
        text = "Time until a command was durable, or refused."
        family = HistogramMetricFamily("stampede_command_seconds", text, labels=["outcome"])
        for outcome, waits in self._outcomes.items():
            bounds = [*map(floatToGoString, FAST), "+Inf"]
            buckets = list(zip(bounds, map(float, accumulate(waits.counts)), strict=True))
            family.add_metric([outcome], buckets, waits.sum)
        yield family


class _Reader(Collector):
    def __init__(self, figures: Figures) -> None:
        self._figures = figures

    def collect(self) -> Iterable[Metric]:
        for name, (text, value) in self._figures.gauges().items():
            yield GaugeMetricFamily(f"stampede_{name}", text, value)
        for name, (text, value) in self._figures.counters().items():
            yield CounterMetricFamily(f"stampede_{name}", text, value)


@contextmanager
def metrics_port(metrics: Metrics, settings: ServerSettings) -> Iterator[int | None]:
    """Opens the port for Prometheus, if one is set: the first that is free of as many as there may be workers."""
    if settings.metrics_port is None:
        yield None
        return
    server, thread = _opened(metrics, settings.metrics_host, _ports(settings))
    log.info("metrics are at port %d", server.server_port)
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _ports(settings: ServerSettings) -> range:
    first = settings.metrics_port or 0
    # A worker's successor may start before the port is free again.
    return range(first, first + (1 if settings.workers == 1 or not first else 2 * settings.workers))


def _opened(metrics: Metrics, host: str, ports: range) -> tuple[WSGIServer, Thread]:
    reason: str | None = None
    for port in ports:
        try:
            return start_http_server(port, host, metrics.registry)
        except OSError as error:
            reason = error.strerror
    raise InputError(f"expected a free port for metrics, but {host}:{ports[0]}: {reason}")
