"""Open classes that interrupt each other at a station of several servers.

From preemption at M/G/1, Kleinrock, volume 2, 1976, (3.49).
Equations, errors, sources: `qmodel/solvers/THEORY.md`, amva/preemptive_multiserver.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from qmodel.laws.erlang import erlang_c
from qmodel.model.solution import total

#: Part of what servers have left, so small that it changes no digit of other classes.
FEW = 1e-7


@dataclass(frozen=True, slots=True)
class Visits:
    """What an open class asks of the station."""

    #: Visits. [1/s]
    rate: float
    #: Mean service time. [s]
    service: float
    #: Mean residual service time, (1 + SCV) / 2 of it. [s]
    residual: float
    #: The lower is served first.
    rank: int


def delays(classes: Sequence[Visits], servers: int) -> list[float]:
    """How long each class is at the station without being served, per visit. [s]

    The classes ask for less than the servers can do.
    """
    waits = []
    for each in classes:
        above = [other for other in classes if other.rank < each.rank]
        down_to = [other for other in classes if other.rank <= each.rank]
        if not each.service or not _load(down_to):
            waits.append(0.0)
            continue
        if _load(down_to) == _load(above):  # none of its rank arrive: it waits as a few would
            few = FEW * (servers - _load(above)) / each.service
            down_to = [*above, replace(each, rate=few)]
        load = _load(down_to) - _load(above)
        of_rank = (_work(down_to, servers) - _work(above, servers)) / load
        fast = [_faster(other, servers) for other in down_to]
        faster = [_faster(other, servers) for other in above]
        of_one = (_work(fast, 1) - _work(faster, 1)) / (load / servers)
        exact = _at_one(_faster(each, servers), faster, fast)
        waits.append(max(0.0, of_rank * exact / of_one))
    return waits


def _work(classes: Sequence[Visits], servers: int) -> float:
    """A W of exponential times: the work of the waiting customers, first come first served."""
    load = _load(classes)
    if not load:
        return 0.0
    squares = total(each.rate * each.service**2 for each in classes)
    return erlang_c(servers, load, servers - load) * squares / (servers - load)


def _at_one(each: Visits, above: Sequence[Visits], down_to: Sequence[Visits]) -> float:
    """The same at one server, exactly."""
    left = 1.0 - _load(above)
    rest = total(other.rate * other.service * other.residual for other in down_to)
    return each.service * (1.0 / left - 1.0) + rest / left / (1.0 - _load(down_to))


def _load(classes: Sequence[Visits]) -> float:
    return total(each.rate * each.service for each in classes)


def _faster(each: Visits, servers: int) -> Visits:
    """The same at one server as fast as all."""
    return replace(each, service=each.service / servers, residual=each.residual / servers)
