"""What a simulation found: every measure with its interval, and how it was made."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from qmodel.model.customer_classes import ClosedClass
from qmodel.model.network import Network
from qmodel.model.solution import index_of
from qmodel.model.stations import DelayStation
from qmodel.numerics.arrays import Array
from qmodel.simulation.estimates import Counts, Estimate, percentile, ratio
from qmodel.simulation.state import BINS, SHORTEST
from qmodel.tabular import Tabular

Row = tuple[Estimate, ...]


@dataclass(frozen=True, slots=True)
class Simulated(Tabular):
    """Estimates with 95 % intervals, in the shapes and units of `Solution`.
    As a table: a row per class, station (empty for the whole network) and measure.

    Parameters
    ----------
    network : Network
        What was simulated.
    throughputs, response_times : tuple of Estimate, length C
        Interactions per second [1/s], and their time without thinking [s].
    residence_times, queue_lengths, utilizations : tuple, shape (C, K)
        As of `Solution`: per interaction [s], [customers], of one server [1].
    shares : tuple of float, length P
        Percentiles asked for. [1]
    percentiles : tuple, shape (C, P)
        Of the response time, to better than 1 %. [s]
    late_shares : tuple of Estimate or None, length C
        Share of the interactions that took longer than the target; None without one. [1]
    rejected_shares : tuple of Estimate or None, length C
        Share of the interactions that a limit rejected; None without such a limit. [1]
    events, replications : int
        Events counted after the warm-up, and independent replications they are of.
    time, warm_up : float
        Simulated time of each replication: counted, and before that. [s]
    seconds : float
        Wall time. [s]
    precision : float
        Widest relative half width of a response time. [1]
    stopped : str
        Why it ended: "precision", "events", "seconds", "until" or "interrupted".

    Examples
    --------
    >>> from qmodel import ClosedClass, Network, QueueingStation, simulate, solve
    >>> network = Network([QueueingStation("cpu")], [ClosedClass("users", 3, 1.0)], [0.2])
    >>> found = simulate(network, events=20_000, seed=1)
    >>> found["users"].low < solve(network)["users"].response_time < found["users"].high
    True
    >>> found.stopped
    'events'
    """

    network: Network
    throughputs: Row
    response_times: Row
    residence_times: tuple[Row, ...]
    queue_lengths: tuple[Row, ...]
    utilizations: tuple[Row, ...]
    shares: tuple[float, ...]
    percentiles: tuple[Row, ...]
    late_shares: tuple[Estimate | None, ...]
    rejected_shares: tuple[Estimate | None, ...]
    events: int
    replications: int
    time: float
    warm_up: float
    seconds: float
    precision: float
    stopped: str

    def __getitem__(self, name: str) -> Estimate:
        """The response time of a class. [s]"""
        return self.response_times[index_of(self.network.class_names, name, "class")]

    def _caption(self) -> str:
        return f"{self.events} events, {self.replications} replications, 95 % intervals"

    def _columns(self) -> dict[str, list[Any]]:
        rows: list[tuple[str, str, str, Estimate]] = []
        for c, name in enumerate(self.network.class_names):
            rows.append((name, "", "throughput", self.throughputs[c]))
            rows.append((name, "", "response_time", self.response_times[c]))
            for k, station in enumerate(self.network.station_names):
                rows.append((name, station, "residence_time", self.residence_times[c][k]))
                rows.append((name, station, "queue_length", self.queue_lengths[c][k]))
                rows.append((name, station, "utilization", self.utilizations[c][k]))
        names = {
            head: [row[i] for row in rows] for i, head in enumerate(("class", "station", "measure"))
        }
        ends = {part: [getattr(row[3], part) for row in rows] for part in ("value", "low", "high")}
        return {**names, **ends}

    def to_dict(self) -> dict[str, Any]:
        """Plain lists in base units, each estimate a value and its half width."""
        plain: dict[str, Any] = {
            "stations": list(self.network.station_names),
            "classes": list(self.network.class_names),
            "interval": "95 %",
        }
        for key, of in (
            ("throughput", self.throughputs),
            ("response_time", self.response_times),
            ("residence_time", self.residence_times),
            ("queue_length", self.queue_lengths),
            ("utilization", self.utilizations),
            ("percentile", self.percentiles),
            ("late_share", self.late_shares),
            ("rejected_share", self.rejected_shares),
        ):
            plain[key] = _part(of, 0)
            plain[f"{key}_half_width"] = _part(of, 1)
        plain["shares"] = list(self.shares)
        names = ("events", "replications", "time", "warm_up", "seconds", "precision", "stopped")
        return {**plain, **{name: getattr(self, name) for name in names}}


def _part(of: Any, part: int) -> Any:
    """Values or half widths of estimates in nested tuples."""
    if isinstance(of, Estimate):
        return of[part]
    return None if of is None else [_part(each, part) for each in of]


def gathered(
    network: Network, counts: Sequence[Counts], shares: Sequence[float],
    targets: Sequence[float | None], controls: Array | None = None, wider: float = 1.0, **how: Any,
) -> Simulated:  # fmt: skip
    """The estimates from what the replications counted; ``controls`` as for `ratio`.

    Half widths are ``wider`` than estimated by that factor; see `rounds`.
    """
    sums = {name: np.array([getattr(c, name) for c in counts]) for name in Counts._fields}
    time, done = sums["time"], sums["done"]
    stations, classes = range(len(network.stations)), range(len(network.classes))
    servers = [1.0 if isinstance(s, DelayStation) else s.max_rate for s in network.stations]

    def wide(estimate: Estimate) -> Estimate:
        return estimate._replace(half_width=wider * estimate.half_width)

    def measure(above: Array, below: Array, by: Array | None = controls) -> Estimate:
        return wide(ratio(above, below, by))

    def table(name: str, below: Any) -> tuple[Row, ...]:
        return tuple(
            tuple(measure(sums[name][:, c * len(servers) + k], below(c, k)) for k in stations)
            for c in classes
        )

    responses = tuple(measure(sums["response"][:, c], done[:, c]) for c in classes)
    histograms = sums["histogram"].reshape(len(counts), len(network.classes), BINS)
    return Simulated(
        network,
        tuple(
            measure(done[:, c], time, controls if isinstance(customers, ClosedClass) else None)
            for c, customers in enumerate(network.classes)
        ),
        responses,
        table("area", lambda c, _: done[:, c]),
        table("area", lambda *_: time),
        table("work", lambda _, k: time * servers[k]),
        tuple(shares),
        tuple(
            tuple(
                wide(percentile(histograms[:, c], SHORTEST * sum(network.demand[c]), share))
                for share in shares
            )
            for c in classes
        ),
        tuple(
            None if targets[c] is None else measure(sums["late"][:, c], done[:, c], None)
            for c in classes
        ),
        tuple(
            measure(sums["lost"][:, c], sums["lost"][:, c] + done[:, c], None)
            if any(x.full == "reject" and x.counts(name) for x in network.limits)
            else None
            for c, name in enumerate(network.class_names)
        ),
        events=int(sums["events"].sum()),
        replications=len(counts),
        time=float(time.max()),
        precision=max((r.relative for r in responses), default=0.0),
        **how,
    )
