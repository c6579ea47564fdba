"""Where a finding's numbers are from: the sums behind them, by calibration; see THEORY.md."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from advisor.configuration.configuration import Configuration
from advisor.findings.records import Evidence
from advisor.findings.review import Review
from advisor.predicting.outlook import Outlook
from advisor.predicting.solving import solve_network
from advisor.predicting.workload import network_of, peak_sets, ways_of
from calibration.estimation.interval import Range
from calibration.hardware.server import ServerNetwork
from qmodel import ClosedClass, Solution

_SAME = 1e-9
_Add = Callable[[str, tuple[str, ...], ServerNetwork, Solution], "Sum | None"]


@dataclass(frozen=True, slots=True)
class Part:
    """One summand."""

    #: A class, of a utilization; a resource, of a response time.
    name: str
    #: The summand: a share of time [1], or a residence time. [s]
    value: float
    #: Of the class, and its demand at the resource; 0 in a response time. [1/s], [s]
    throughput: float = 0.0
    demand: float = 0.0
    #: How the demand was derived.
    formula: str = ""


@dataclass(frozen=True, slots=True)
class Sum:
    """A number of one calibration as a sum."""

    #: Which.
    calibration: str
    #: Batch tasks that run in that hour.
    beside: tuple[str, ...]
    #: The summands.
    parts: tuple[Part, ...]
    #: Their sum, which is what the solver gives. [1] or [s]
    total: float
    #: What a utilization's products are divided by; 0 where they are no simple products, as at
    #: stations whose speed depends on the load.
    servers: float = 0.0
    #: Of the class whose response time it is; 0 for arrivals from outside and utilizations.
    population: int = 0
    think_time: float = 0.0
    throughput: float = 0.0


@dataclass(frozen=True, slots=True)
class Derived:
    """A computed number of a finding with the sums behind it."""

    #: The number.
    evidence: Evidence
    #: Which hour was solved.
    hour: str
    #: One for each admissible calibration.
    sums: tuple[Sum, ...]
    #: Middle and interval over them. [1] or [s]
    predicted: Range


def derivations(review: Review, evidence: tuple[Evidence, ...]) -> Iterator[Derived]:
    """The sums behind each computed number that is a utilization or a response time."""
    for each in evidence:
        if each.how != "computed":
            continue
        for hour, outlook in (("the worst peak hour", review.outlook), ("alone", review.alone)):
            known = _predicted(each, outlook)
            if known is None:
                continue
            name, found = known
            add: _Add = partial(_time if each.unit == "s" else _busy, name)
            batch = outlook is review.outlook
            sums = tuple(_worst(review.configuration, add, batch=batch))
            yield Derived(each, hour if batch else "users alone", sums, found)
            break


def _predicted(evidence: Evidence, outlook: Outlook) -> tuple[str, Range] | None:
    """The class or resource, and the prediction that the number is the middle or an end of.

    A rule may call a resource by other words; then the number itself tells which it is.
    """
    metric = evidence.metric
    if evidence.unit == "%":
        names = [r.name for r in outlook.resources]
        own = metric.removeprefix("utilization of ")
        for resource in outlook.resources:
            same = _same(resource.utilization, evidence.value / 100)
            if same and (resource.name == own or own not in names):
                return resource.name, resource.utilization
    for each in outlook.classes:
        if metric == f"response time of {each.name}" and _same(each.response_time, evidence.value):
            return each.name, each.response_time
    return None


def _same(found: Range, value: float) -> bool:
    return any(abs(end - value) <= _SAME * abs(end) for end in (found.low, found.mid, found.high))


def _worst(configuration: Configuration, add: _Add, *, batch: bool) -> Iterator[Sum]:
    """Of each calibration, the sum in the hour in which it is largest, the first of equals."""
    for way in ways_of(configuration):
        if way.axis:
            continue
        found = []
        for running in peak_sets(configuration) if batch else ((),):
            server = network_of(configuration, way, running)
            beside = tuple(task.name for task in running)
            found.append(add(way.member, beside, server, solve_network(server.network)))
        there = [each for each in found if each is not None]
        if there:
            largest = max(each.total for each in there) * (1.0 - _SAME)
            yield next(each for each in there if each.total >= largest)


def _busy(
    resource: str, calibration: str, beside: tuple[str, ...], server: ServerNetwork,
    solution: Solution,
) -> Sum:  # fmt: skip
    busiest = max(dict(server.resources)[resource], key=lambda k: solution.station_utilizations[k])
    formulas = {d.load: d.formula for d in server.derivation if d.resource == resource}
    parts = tuple(
        Part(name, row[busiest], rate, demand[busiest], formulas.get(name, ""))
        for name, row, rate, demand in zip(
            server.network.class_names, solution.utilizations, solution.throughputs,
            server.network.demand, strict=True,
        )
    )  # fmt: skip
    servers = getattr(server.network.stations[busiest], "servers", 0)
    simple = servers and all(
        abs(p.throughput * p.demand / servers - p.value) <= 1e-6 * max(p.value, _SAME)
        for p in parts
    )
    total = solution.station_utilizations[busiest]
    return Sum(calibration, beside, parts, total, servers if simple else 0.0)


def _time(
    name: str, calibration: str, beside: tuple[str, ...], server: ServerNetwork, solution: Solution
) -> Sum | None:
    names = server.network.class_names
    if name not in names:
        return None  # a batch task that does not run in this hour
    c = names.index(name)
    parts = []
    for resource, at in server.resources:
        time = 0.0
        for k in at:
            time += solution.residence_times[c][k]
        if time > 0.0:
            parts.append(Part(resource, time))
    own, total = server.network.classes[c], solution.response_times[c]
    if not isinstance(own, ClosedClass):
        return Sum(calibration, beside, tuple(parts), total)
    of_class = (own.population, own.think_time, solution.throughputs[c])
    return Sum(calibration, beside, tuple(parts), total, 0.0, *of_class)
