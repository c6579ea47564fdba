"""How long a visit takes at each kind of station, from what an arrival sees there.

By the arrival theorem. FCFS: Reiser (1979), Eager et al. (2000); priorities: Bryant et al. (1984).
Equations, errors, sources: `qmodel/solvers/THEORY.md`, amva/residence_rules.
"""

from typing import NamedTuple

import numpy as np

from qmodel.model.stations import RANKED
from qmodel.numerics.arrays import Array

#: The least part of a server that is left for lower ranks while the iteration is under way.
LEAST = 1e-9


class Station(NamedTuple):
    """One station as the rules take it; arrays over classes."""

    #: "delay", "any", "fcfs", "priority", "preemptive" or "fork".
    kind: str
    #: 1 of a fork.
    servers: int
    #: Per interaction. [1]
    visits: Array
    #: Per visit. [s]
    service: Array
    #: Mean residual service time of a customer found in service. [s]
    residual: Array
    #: Of each class; the lower is served first.
    rank: Array
    #: H(B) and V(B) of a fork. [1]
    light: float = 1.0
    heavy: float = 1.0


class Sight(NamedTuple):
    """What arrivals find at a station; axes are network, class that arrives, class seen."""

    #: Customers there, shape (B, C, C).
    seen: Array
    #: Of those, in service, shape (B, C, C): X D of each class.
    busy: Array
    #: 1 where one customer more of the class that arrives would go elsewhere, 0 where it would stay
    #: here for good, shape (B, C).
    free: Array
    #: Time from one visit of a class to its next, shape (B, C); inf of an open class. [s]
    away: Array
    #: Throughput of each class with one customer less of the first, over that with it. [1]
    #: Shape (C, C).
    pace: Array


def residence(station: Station, sight: Sight) -> Array:
    """Residence time of each class, all visits together, shape (B, C). [s]"""
    s, m, seen, busy = station.service, station.servers, sight.seen, sight.busy
    if station.kind == "delay":
        return np.broadcast_to(station.visits * s, seen.shape[:2])
    if station.kind == "fork":
        return np.asarray(station.visits * (_joined(station, sight) + seen @ s))
    if station.kind in RANKED:
        return station.visits * _by_priority(station, sight)
    queued = np.maximum(seen - busy, 0.0)
    part = _in_service(m, busy)
    if station.kind == "any":
        # Shared or not, everybody is slowed down by the same factor.
        slower = (queued.sum(axis=2) + part.sum(axis=2)) / m
        return np.asarray(station.visits * s * (1.0 + slower))
    rest = (part * _residual(station, sight)).sum(axis=2)
    return np.asarray(station.visits * (s + (queued @ s + rest) / m))


def _joined(station: Station, sight: Sight) -> Array:
    """Time of a visit but for those seen: [H + (V - H) U] S of one class, shape (B, C). [s]

    At an open fork of load U_a of classes a, what a join of class c adds to its time at one
    branch, S_c and the wait, is (H - 1) S_c without load. Near saturation it is the difference of
    the branches' queues, the same for all, (V - 1) w / (1 - U), w the sum of the U_a S_a. In light
    traffic one visit of class a that is met adds, of two branches, in proportion to
    S_a^2 / (S_a + S_c). The two are weighted by 1 - U and U. What is seen is visits in progress,
    who stay for their joins too: that is taken off.
    """
    s = station.service
    join, apart = station.light - 1.0, station.heavy - 1.0
    load = sight.busy * sight.free[:, :, None]
    load = load / np.maximum(load.sum(axis=2, keepdims=True), 1.0)
    total, work = load.sum(axis=2), load @ s
    both = s[None, :] + s[:, None]
    met = np.divide(2.0 * s * s, both, out=np.zeros_like(both), where=both > 0.0)
    # What a join of each class adds in light traffic of the load that each class sees.
    light = np.einsum("bca,da->bcd", load, met)
    own = np.einsum("bcc->bc", light)
    others = (load * light).sum(axis=2)
    return np.asarray(s + join * (s - work) + apart * (own - others + total * work))


def _by_priority(station: Station, sight: Sight) -> Array:
    """Time of a visit where the lower rank is served first."""
    s, m, busy = station.service, station.servers, sight.busy
    preempts = station.kind == "preemptive"
    higher = station.rank[None, :] < station.rank[:, None]  # [who arrives, who is seen]
    ahead = station.rank[None, :] <= station.rank[:, None]
    above = busy * higher
    left = np.maximum(1.0 - above.sum(axis=2) / m, LEAST)
    queued = np.maximum(sight.seen - busy, 0.0)
    part = _in_service(m, busy * ahead) if preempts else _in_service(m, busy)
    if preempts and m == 1:
        # Who has been interrupted has had a part of its service as well.
        part = np.minimum(part / np.maximum(1.0 - busy @ higher.T, LEAST), sight.seen)
        queued = np.maximum(sight.seen - part, 0.0)
    work = ahead * queued * s + part * _residual(station, sight) * (ahead if preempts else 1.0)
    # While one of higher rank is served, one less of its class can come in between.
    beside = np.where(higher, np.maximum(1.0 - above @ sight.pace.T / m, LEAST), left[:, :, None])
    wait = work / beside / m
    # A class leaves when no customer of higher rank is there, or none who came before its last
    # service. It is back before those have settled: how long they need is taken for the time
    # to serve the customers present when any is, as long as the station is not theirs.
    first = (wait * higher).sum(axis=2)
    settle = left * np.divide(first, 1.0 - left, out=np.zeros_like(first), where=left < 1.0)
    settle = np.maximum(settle, 1e-100)
    gone = 1.0 / (1.0 + sight.away / settle)
    if not preempts:
        gone /= 1.0 + s / settle
    wait *= 1.0 - higher * gone[:, :, None]
    total: Array = wait.sum(axis=2)
    return total + (_interrupted(s, left, m) if preempts else s)


def _residual(station: Station, sight: Sight) -> Array:
    """What is left of service times that an arrival finds under way, shape (B, C, C). [s]

    A closed network holds as many customers whatever the variation: where a station keeps all of
    them, an arrival sees as much less of a queue as it sees more of a service time. Of several
    servers the first to be free counts, so that short times count more: a power mean.
    """
    s, m = station.service, station.servers
    left = s + sight.free[:, :, None] * (station.residual - s)
    if m == 1:
        return left
    total = sight.busy.sum(axis=2, keepdims=True)
    share = np.divide(sight.busy, total, out=np.zeros_like(sight.busy), where=total > 0.0)
    mean = (share * left).sum(axis=2, keepdims=True)
    first = (share * left ** (1.0 / m)).sum(axis=2, keepdims=True) ** m
    return np.asarray(left * np.divide(first, mean, out=np.ones_like(mean), where=mean > 0.0))


def _interrupted(service: Array, left: Array, servers: int) -> Array:
    """Service time with what comes between; with several servers another may go on with it."""
    if servers == 1:
        return service / left
    stopped = _all_busy(servers, servers * (1.0 - left))
    return service * (1.0 + stopped * (1.0 / left - 1.0) / servers)


def _in_service(servers: int, busy: Array) -> Array:
    """Customers in service that have to be waited for, of each class."""
    if servers == 1:
        return busy
    total = busy.sum(axis=2, keepdims=True)
    share = np.divide(busy, total, out=np.zeros_like(busy), where=total > 0.0)
    return np.asarray(share * _all_busy(servers, total))


def _all_busy(servers: int, load: Array) -> Array:
    """Erlang's probability that an arrival waits, at ``load`` busy servers in the mean."""
    load = np.clip(load, 0.0, servers * (1.0 - 1e-12))
    blocked = np.ones_like(load)
    for j in range(1, servers + 1):
        blocked = load * blocked / (j + load * blocked)
    return np.asarray(blocked / (1.0 - load / servers * (1.0 - blocked)))
