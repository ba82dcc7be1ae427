"""Prometheus metrics, on a port of their own. Labels come from bounded sets: routes, methods, classes of status.

Most values are counted by the parts themselves and read when Prometheus scrapes, which costs nothing in between. Every
worker has its own port and is a target of its own.
"""

from __future__ import annotations

import logging
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from threading import Thread
from typing import Final
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
from stampede.server.cluster.membership import Membership
from stampede.server.http.limits import RequestLimits
from stampede.server.settings import ServerSettings
from stampede.server.tables.bot_pool import BotPool
from stampede.server.tables.registry import TableRegistry
from stampede.store import Store

__all__ = ["Metrics", "ServerCollector", "serve_metrics"]

log = logging.getLogger("stampede.server")

METHODS: Final = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class Metrics:
    """All metrics of a process.

    Attributes:
        registry: The registry that Prometheus scrapes.
    """

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=self.registry)
        self._requests = Counter(
            "stampede_requests",
            "HTTP requests.",
            ["method", "route", "status"],
            registry=self.registry,
        )
        self._request_seconds = Histogram(
            "stampede_request_seconds",
            "Time until the response was sent.",
            registry=self.registry,
            buckets=BUCKETS,
        )
        self._outcomes = {outcome: _Durations() for outcome in ("ack", "refused", "failed")}
        self.registry.register(_CommandCollector(self._outcomes))

    def observe_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Counts a request; status 0 when there was no response."""
        known = method if method in METHODS else "other"
        self._requests.labels(known, route, f"{status // 100}xx").inc()
        self._request_seconds.observe(seconds)

    def observe_command(self, outcome: str, seconds: float) -> None:
        """Counts a command: acknowledged (``ack``), refused by the rules (``refused``) or not stored (``failed``)."""
        durations = self._outcomes[outcome]
        durations.counts[bisect_left(BUCKETS, seconds)] += 1
        durations.sum += seconds

    def register(self, collector: Collector) -> None:
        """Adds a collector, which is read at every scrape."""
        self.registry.register(collector)


class _Durations:
    """A histogram of durations. The library's own takes a dozen locks for each observation."""

    __slots__ = ("counts", "sum")

    def __init__(self) -> None:
        self.counts = [0] * (len(BUCKETS) + 1)
        self.sum = 0.0


class _CommandCollector(Collector):
    def __init__(self, outcomes: Mapping[str, _Durations]) -> None:
        self._outcomes = outcomes

    def collect(self) -> Iterable[Metric]:
        text = "Time until a command was durable, or refused."
        family = HistogramMetricFamily("stampede_command_seconds", text, labels=["outcome"])
        for outcome, durations in self._outcomes.items():
            bounds = [*map(floatToGoString, BUCKETS), "+Inf"]
            buckets = list(zip(bounds, map(float, accumulate(durations.counts)), strict=True))
            family.add_metric([outcome], buckets, durations.sum)
        yield family


@dataclass(frozen=True, slots=True)
class ServerCollector(Collector):
    """Reads the counters of the server's parts. Runs in the scraping thread, so it only reads numbers."""

    store: Store
    registry: TableRegistry
    pool: BotPool
    cluster: Membership
    limits: RequestLimits

    def collect(self) -> Iterable[Metric]:
        """Yields the gauges and counters."""
        for name, text, value in self._gauges():
            yield GaugeMetricFamily(f"stampede_{name}", text, value)
        for name, text, value in self._counters():
            yield CounterMetricFamily(f"stampede_{name}", text, value)

    def _gauges(self) -> Iterator[tuple[str, str, float]]:
        limits = self.limits
        buckets = len(limits.callers) + len(limits.addresses)
        yield "websockets", "Open WebSockets.", limits.connections.count
        yield "tables_in_memory", "Tables in memory.", self.registry.live
        yield "appends_waiting", "Appends waiting for the database.", self.store.writer.pending
        yield "bot_moves_waiting", "Bot moves waiting for a thread.", self.pool.waiting
        yield "workers", "Workers in the cluster, this one included.", self.cluster.workers
        yield "cluster_connected", "1 while connected to the cluster.", self.cluster.connected
        yield "rate_limit_buckets", "Guests and addresses with a rate limit in memory.", buckets

    def _counters(self) -> Iterator[tuple[str, str, float]]:
        writer, pool = self.store.writer, self.pool
        refused = self.limits.callers.refused + self.limits.addresses.refused
        yield "appends", "Appends that became durable.", writer.written
        yield "appends_refused", "Appends that weren't stored.", writer.refused
        yield "append_transactions", "Transactions with appends (group commits).", writer.groups
        yield "bot_moves", "Bot moves computed.", pool.finished
        yield "bot_moves_failed", "Bot moves that failed.", pool.failures
        yield "bot_seconds", "Seconds that bots have computed.", pool.seconds
        yield "rate_limited", "Requests refused by rate limits.", refused


@contextmanager
def serve_metrics(metrics: Metrics, settings: ServerSettings) -> Iterator[int | None]:
    """Serves the metrics while the block runs, if a port is set: on the first free port of the workers' range."""
    if settings.metrics_port is None:
        yield None
        return
    server, thread = _start_server(metrics, settings.metrics_host, _ports(settings))
    log.info("serving metrics on port %d", server.server_port)
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _ports(settings: ServerSettings) -> range:
    first = settings.metrics_port or 0
    # A replacement worker may start before its predecessor's port is free again.
    return range(first, first + (1 if settings.workers == 1 or not first else 2 * settings.workers))


def _start_server(metrics: Metrics, host: str, ports: range) -> tuple[WSGIServer, Thread]:
    reason: str | None = None
    for port in ports:
        try:
            return start_http_server(port, host, metrics.registry)
        except OSError as error:
            reason = error.strerror
    raise InputError(f"expected a free port for metrics, but {host}:{ports[0]}: {reason}")
