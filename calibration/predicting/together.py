"""A calibrated server of one class in all its worlds at once, as columns of arrays.

A review asks some forty questions of each of two hundred worlds. They are networks of the same
stations, so they are solved side by side; the answers are those of `measured_server`, solved one by
one, to rounding.
"""

from collections.abc import Sequence
from math import inf
from typing import Any, NamedTuple

from calibration.model_evaluation.model import ServiceModel
from calibration.model_evaluation.network import MeasuredStation
from qmodel.errors import InternalError
from qmodel.kernels.coxian_queue import LEAST_SCV
from qmodel.kernels.effective_rates import effective_rates

#: Fewer worlds are as quick one by one; more customers take too much memory.
FEW, MOST = 4, 2_000


class World(NamedTuple):
    """A world of one class, and what is asked of it."""

    service: ServiceModel
    #: [customers]
    users: int
    #: [s]
    think_time: float


class Seen(NamedTuple):
    """What a world does.

    Of each measured station, then of the hidden queue: the utilization of its busiest part, as a
    monitor shows it, and the customers at all of its parts.
    """

    #: [1/s]
    throughput: float
    #: [s]
    response_time: float
    #: [1]
    utilizations: tuple[float, ...]
    #: [customers]
    queue_lengths: tuple[float, ...]
    #: As a network of these stations is solved.
    method: str


def together(
    worlds: Sequence[World], stations: Sequence[Sequence[MeasuredStation]]
) -> list[Seen | None]:
    """What each world of a calibration does, None where it is to be asked alone.

    ``stations`` are the parts of each measured station; demands and background are those of
    `template`, as a change of hardware leaves them.
    """
    import numpy as np

    found: list[Seen | None] = [None] * len(worlds)
    if len(worlds) < FEW:
        return found
    alike: dict[tuple[object, ...], list[int]] = {}
    for i, (service, users, _) in enumerate(worlds):
        if users > MOST or len(service.classes) > 1 or not any(service.demand[0]):
            continue
        if service.pool[0] < inf or min(service.quota, default=1.0) < 1.0:
            continue
        vary = [k for k, scv in enumerate(service.scv) if scv != 1.0]
        if len(vary) > 1 or any(len(stations[k]) > 1 for k in vary):
            continue
        alike.setdefault(tuple(vary), []).append(i)
    for members in alike.values():
        some = [worlds[i] for i in members]
        try:
            seen = _solved(some, stations, np)
        except _Alone:
            continue
        for i, each in zip(members, seen, strict=True):
            found[i] = each
    return found


class _Alone(Exception):
    """These worlds are asked one by one."""


def _solved(
    worlds: Sequence[World], stations: Sequence[Sequence[MeasuredStation]], np: Any
) -> list[Seen | None]:
    from qmodel.kernels.convolution_columns import Columns, at_populations, varying

    users = np.array([each.users for each in worlds])
    services = [each.service for each in worlds]
    columns: list[Any] = []
    rates: list[Any] = []
    owners: list[int] = []
    vary: list[int] = []
    per_server = []
    demand = np.array([w.service.demand_at(float(w.users))[0] for w in worlds]).T
    scale, taken_of = (
        np.array([getattr(s, a) for s in services]).T for a in ("scale", "background")
    )
    for k, parts in enumerate(stations):
        for part in parts:
            taken = taken_of[k] * part.background
            if not (taken < 1.0).all():
                raise _Alone
            single = part.servers == 1
            here = demand[k] * part.demand[0]
            owners.append(k)
            per_server.append(here / part.servers)
            columns.append(here * scale[k] / (1.0 - taken if single else 1.0))
            rates.append(_rates(len(services), int(users.max()), part.servers, taken, np))
            if services[0].scv[k] != 1.0:
                if not single or min(s.scv[k] for s in services) < LEAST_SCV:
                    raise _Alone
                vary.append(len(columns) - 1)
    hidden = np.array([s.hidden_queue[0] for s in services])
    if hidden.any():
        columns.append(hidden)
        rates.append(np.ones((1, len(worlds))))
        owners.append(len(stations))
    away = np.array([w.think_time + w.service.hidden_delay[0] for w in worlds])
    rest = [j for j in range(len(columns)) if j not in vary]
    network = Columns(away, np.array([columns[j] for j in rest]), tuple(rates[j] for j in rest))
    queues = np.empty((len(columns), len(worlds)))
    if vary:
        if not rest and not away.all():
            raise _Alone
        (at,) = vary
        varies = np.array([s.scv[owners[at]] for s in services])
        rate, queues[[*rest, at]] = varying(network, users, columns[at], varies)
    else:
        rate, residence = at_populations(network, np.arange(len(worlds)), users)
        queues[:] = residence * rate
    times = users / rate - np.array([each.think_time for each in worlds])
    utilizations = np.zeros((len(stations) + 1, len(worlds)))
    lengths = np.zeros_like(utilizations)
    for j, k in enumerate(owners):
        if k == len(stations):
            shown = rate * hidden
        else:
            shown = taken_of[k] * stations[k][0].background + rate * per_server[j]
        if (rate * columns[j] > rates[j].max(axis=0) * (1.0 + 1e-6)).any():
            raise InternalError("a station is busier than it can be; please report it")
        utilizations[k] = np.maximum(utilizations[k], shown)
        lengths[k] += queues[j]
    several = [k for k, parts in enumerate(stations) if any(p.servers > 1 for p in parts)]
    method = "marie" if vary else "convolution" if several else "mva"
    mixed = taken_of[several].any(axis=0).tolist()
    whole = np.isfinite([rate, times, utilizations.sum(axis=0), lengths.sum(axis=0)]).all(axis=0)
    rows = zip(
        rate.tolist(), times.tolist(), utilizations.T.tolist(), lengths.T.tolist(),
        mixed, whole.tolist(), strict=True,
    )  # fmt: skip
    return [
        Seen(x, r, tuple(u), tuple(q), "mixed" if other else method) if sound else None
        for x, r, u, q, other, sound in rows
    ]


def _rates(count: int, most: int, servers: int, taken: Any, np: Any) -> Any:
    """Speeds of a station with 1, 2 ... customers in each world, the last going on."""
    several = servers > 1 and taken.any()
    plain = np.arange(1.0, min(servers, most) + 1)[:, None] * np.ones((1, count))
    for i in np.flatnonzero(taken) if several else ():
        load = servers * taken[i]
        plain[:, i] = effective_rates(servers, load, servers - load, most)
    return plain
