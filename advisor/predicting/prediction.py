"""From a configuration to its outlook: every calibration, every set of batch tasks, solved."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from math import inf

from advisor.configuration.configuration import Configuration
from advisor.configuration.schema import ServerConfig
from advisor.predicting.outlook import (
    ClassOutlook,
    Outlook,
    Prediction,
    ResourceOutlook,
    VariantOutlook,
)
from advisor.predicting.overload import arrivals_of, served_part
from advisor.predicting.solving import solve_network, solve_together
from advisor.predicting.tails import asked_tails, shapes_of, with_tails
from advisor.predicting.workload import loads_of, network_of, peak_sets, unmeasured_loads, ways_of
from calibration.agreements.ensemble import Variant, combine
from calibration.estimation.data import NOT_MEASURED
from calibration.estimation.tail_shape import scattered, shapes_of_class
from calibration.hardware.server import ServerNetwork
from calibration.model_evaluation.network import BACKGROUND
from qmodel import Network, Solution, Unstable
from qmodel.documents.document import Document

SolutionOf = Callable[[Network], Solution]


def outlook(configuration: Configuration, *, batch: bool = True) -> Outlook:
    """Predict a configuration at the worst of its peak hours: `predict` without the variants."""
    return predict(configuration, batch=batch).outlook


def predict(
    configuration: Configuration, *, batch: bool = True, shares: tuple[float, ...] | None = ()
) -> Prediction:
    """Predict a configuration at the worst of its peak hours.

    The sets of batch tasks that run together at the peak are solved one by one; each class and
    each resource is reported at its worst over them, so that no load hides another.

    Parameters
    ----------
    configuration : Configuration
        The server, its users and its batch tasks.
    batch : bool
        Whether batch tasks run beside the users.
    shares : tuple of float, optional
        Percentiles of the response times beside those that targets promise; None for none. [1]

    Where more arrives than can be served, the response times are infinite, the throughputs what is
    served, and `Prediction.unstable` says so.
    """
    batch = batch and bool(configuration.settings.batch)  # without tasks both are the same
    return _predict(question_of(configuration, batch=batch, shares=shares))


def question_of(
    configuration: Configuration, *, batch: bool = True, shares: tuple[float, ...] | None = ()
) -> "Question":
    """What is asked of a configuration, as a key for answers that are remembered."""
    # A calibration is told from its name only beside the file that names it.
    beside = configuration.document if configuration.settings.workload.calibration else None
    return Question(configuration.settings, batch, shares, beside, configuration)


@dataclass(frozen=True, slots=True)
class Question:
    """Settings alone decide the answer; a review asks the same one many times."""

    settings: ServerConfig
    batch: bool
    shares: tuple[float, ...] | None
    beside: Document | None
    configuration: Configuration = field(compare=False)


@lru_cache(maxsize=4096)
def _predict(question: Question) -> Prediction:
    return predict_with(
        question.configuration, solve_network, batch=question.batch, together=solve_together,
        shares=question.shares,
    )  # fmt: skip


def predict_with(
    configuration: Configuration, solution_of: SolutionOf, *, batch: bool = True,
    middle: bool = False,
    together: Callable[[Sequence[Network]], Mapping[Network, Solution]] | None = None,
    shares: tuple[float, ...] | None = (),
) -> Prediction:  # fmt: skip
    """`predict`, by a solution of networks that may know some of them already.

    ``together`` is given all the networks first; `solution_of` is asked what it does not answer.
    With ``middle`` each calibration's own middle is enough, a fraction of the work.
    """
    ways = ways_of(configuration)
    if middle:
        ways = tuple(way for way in ways if way.axis == 0)
    sets = peak_sets(configuration) if batch else ((),)
    servers = [[network_of(configuration, way, running) for running in sets] for way in ways]
    known: Mapping[Network, Solution] = {}
    if together is not None:
        known = together([each.network for of_way in servers for each in of_way])

    def solved(network: Network) -> Solution:
        return known[network] if network in known else solution_of(network)

    calibrated = configuration.settings.workload.calibration is not None
    worst, overloads = _all_worst(servers, solved)
    asked = () if shares is None else asked_tails(configuration, shares)
    shapes = shapes_of(configuration) if asked else ()
    tailed = with_tails(asked, [configuration] * len(ways), ways, worst, sets)
    worst = [each for each in tailed if each is not None]
    unstable = next((why for way, why in zip(ways, overloads, strict=True) if not way.axis), "")
    resources = tuple(
        ResourceOutlook(
            name, combine(ways, [w.utilizations[name] for w in worst], 1.0), stations,
            combine(ways, [w.queue_lengths[name] for w in worst]),
        )
        for name, stations in worst[0].stations.items()
        if calibrated or name not in {"disk", "lan"} or configuration.settings.describes(name)
    )  # fmt: skip
    # Of the systems of the papers a hidden queue is one member's alone; their reports say so.
    measured = [r for r in resources if r.name != NOT_MEASURED or ways[0].weight is not None]
    loads = {
        load.name: (load.population, is_batch)
        for running in sets
        for load, is_batch in loads_of(configuration, ways[0], running)
    }
    centres = [(way.member, w) for way, w in zip(ways, worst, strict=True) if way.axis == 0]
    users = configuration.settings.workload.users
    names = [name for name, (_, is_batch) in loads.items() if not is_batch]
    busiest = [(name, max(w.utilizations, key=w.utilizations.__getitem__)) for name, w in centres]
    return Prediction(
        Outlook(
            users=users,
            classes=tuple(
                ClassOutlook(
                    name=name,
                    batch=is_batch,
                    population=population,
                    response_time=combine(ways, [w.times[name] for w in worst]),
                    throughput=combine(ways, [w.throughputs[name] for w in worst]),
                    tails=tuple(
                        (
                            share,
                            scattered(combine(ways, times), shapes_of_class(shapes, name), share),
                        )
                        for of, share, _ in asked
                        if of == name
                        for times in [[w.tails[name, share] for w in worst]]
                    ),
                )
                for name, (population, is_batch) in loads.items()
            ),
            resources=resources,
            response_time=combine(ways, [_mean_time(w, names) for w in worst]),
            throughput=combine(ways, [sum(w.throughputs[n] for n in names) for w in worst]),
            bottleneck=max(measured, key=lambda r: r.utilization.mid).name,
            by_member=tuple((name, next(iter(w.times.values()))) for name, w in centres),
            method=", ".join(dict.fromkeys(m for w in worst for m in w.methods)),
            extrapolated=any(unmeasured_loads(configuration)),
            hidden=tuple(name for name, station in busiest if station == NOT_MEASURED),
            near_saturation=any(overloads),
            arrival_rate=configuration.settings.workload.arrival_rate,
        ),
        ways,
        tuple(w.times for w in worst),
        tuple(w.utilizations for w in worst),
        tuple(w.throughputs for w in worst),
        tuple(w.queue_lengths for w in worst),
        tuple(w.tails for w in worst),
        unstable,
    )


def worst_of_many(
    configurations: Sequence[Configuration], ways: Sequence[Variant], *, batch: bool = True
) -> list[VariantOutlook | None]:
    """Each way under a configuration of its own, which differ in their load alone.

    None where users arrive faster than the server can serve; without ``batch`` they are alone.
    """
    found: list[VariantOutlook | None] = [None] * len(ways)
    for i, (configuration, way) in enumerate(zip(configurations, ways, strict=True)):
        with suppress(Unstable):
            found[i] = worst_of(configuration, way, batch=batch)
    asked = asked_tails(configurations[0]) if batch else ()
    return with_tails(asked, configurations, ways, found)


def worst_of(configuration: Configuration, way: Variant, *, batch: bool = True) -> VariantOutlook:
    """One variant alone, each class and resource at its worst over the peak.

    Raises
    ------
    qmodel.Unstable
        If users arrive faster than the server can serve.
    """
    sets = peak_sets(configuration) if batch else ((),)
    return _worst([network_of(configuration, way, running) for running in sets], solve_network)


def peak_networks(configuration: Configuration) -> tuple[tuple[str, Network], ...]:
    """What `predict` solves at the middle of each member: the member's name and the network."""
    sets = peak_sets(configuration)
    return tuple(
        (way.member, network_of(configuration, way, running).network)
        for way in ways_of(configuration)
        if way.axis == 0
        for running in sets
    )


def networks_of(configuration: Configuration) -> tuple[ServerNetwork, ...]:
    """One network for each member, with every batch task that runs at some time of the peak."""
    running = tuple(dict.fromkeys(task for running in peak_sets(configuration) for task in running))
    return tuple(
        network_of(configuration, way, running) for way in ways_of(configuration) if way.axis == 0
    )


def _all_worst(
    servers: Sequence[Sequence[ServerNetwork]], solution_of: SolutionOf
) -> tuple[list[VariantOutlook], list[str]]:
    """Each variant at its worst, and why it has no steady state, if so."""
    worst, overloads = [], []
    for of_way in servers:
        try:
            worst.append(_worst(of_way, solution_of))
            overloads.append("")
        except Unstable as error:
            worst.append(_overloaded(of_way))
            overloads.append(str(error))
    return worst, overloads


def _overloaded(servers: Sequence[ServerNetwork]) -> VariantOutlook:
    """A variant to which more arrives than it can serve, so that no response time has a bound.

    Stations are as busy as the utilization law says of what is served.
    """
    times: dict[str, float] = {}
    throughputs: dict[str, float] = {}
    utilizations: dict[str, float] = {}
    queues: dict[str, float] = {}
    stations: dict[str, int] = {}
    for server in servers:
        rates, (part, busy) = arrivals_of(server.network), served_part(server.network)
        for name, rate in zip(server.network.class_names, rates, strict=True):
            if name != BACKGROUND:
                times[name] = inf
                served = rate * part
                throughputs[name] = min(served, throughputs.get(name, served))
        for name, members in server.resources:
            if name not in {"client", "admission"}:
                stations[name] = len(members)
                busiest = max(busy[k] for k in members)
                utilizations[name] = max(busiest, utilizations.get(name, 0.0))
                full = utilizations[name] > 1.0 - 1e-9
                queues[name] = inf if full else queues.get(name, 0.0)
    return VariantOutlook(times, throughputs, utilizations, queues, stations, ("utilization law",))


def _worst(servers: Sequence[ServerNetwork], solution_of: SolutionOf) -> VariantOutlook:
    times: dict[str, float] = {}
    throughputs: dict[str, float] = {}
    utilizations: dict[str, float] = {}
    queue_lengths: dict[str, float] = {}
    stations: dict[str, int] = {}
    methods: list[str] = []
    for server in servers:
        solution = solution_of(server.network)
        methods.append(solution.method)
        for name, time, rate in zip(
            server.network.class_names, solution.response_times, solution.throughputs, strict=True
        ):
            if name == BACKGROUND:
                continue
            if time >= times.get(name, 0.0):
                times[name], throughputs[name] = time, rate
        busy = server.shown(solution)
        # Other work that was there already counts at no station, however many servers it has.
        queues = [
            row
            for name, row in zip(server.network.class_names, solution.queue_lengths, strict=True)
            if name != BACKGROUND
        ]
        for name, members in server.resources:
            if name not in {"client", "admission"}:
                stations[name] = len(members)
                highest = max(busy[k] for k in members)
                utilizations[name] = max(highest, utilizations.get(name, 0.0))
                there = sum(row[k] for row in queues for k in members)
                queue_lengths[name] = max(there, queue_lengths.get(name, 0.0))
    return VariantOutlook(
        times, throughputs, utilizations, queue_lengths, stations, tuple(dict.fromkeys(methods))
    )


def _mean_time(found: VariantOutlook, names: Sequence[str]) -> float:
    """Over the interactions of some classes. [s]"""
    rate = sum(found.throughputs[name] for name in names)
    whole = sum(found.throughputs[name] * found.times[name] for name in names)
    return whole / rate if rate else 0.0
