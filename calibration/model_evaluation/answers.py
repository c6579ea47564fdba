"""What a service model says of measured runs: its queueing network, built and solved."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, inf, isfinite, log, prod

from calibration.estimation.data import Conditions
from calibration.model_evaluation.invariants import check_answer, limits
from calibration.model_evaluation.many_servers import throughput_at
from calibration.model_evaluation.model import Answer, Row, ServiceModel, load_of
from calibration.model_evaluation.plain_recursion import mean_values
from calibration.model_evaluation.variable_service import throughput_with
from qmodel import (
    ClosedClass,
    DelayStation,
    InvalidNetwork,
    LoadDependentStation,
    Network,
    NotApplicable,
    OpenClass,
    QueueingStation,
    Station,
    Unstable,
    curve,
    solve,
)

#: Population vectors beyond this many are left to an approximate method: a fit solves thousands.
LATTICE = 20_000

#: Most users for whom a plain recursion over every population is quicker than a network, which
#: stops early where it may. [customers]
QUICK = 1_000

#: More users than this at several servers are solved by filters over arrays. [customers]
LARGE = 100

#: Most users at a station whose speed depends on how many are there: minutes beyond. [customers]
LONGEST = 1_000

#: Names of what a structure may add to the measured stations.
HIDDEN_DELAY, HIDDEN_QUEUE, BACKGROUND = "hidden delay", "hidden queue", "background"


def answers(model: ServiceModel, runs: Sequence[Conditions]) -> list[Answer | None]:
    """What a model says of each run, None where it has no steady state.

    Runs of one closed class that differ in their population alone are solved in one pass.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from calibration.model_evaluation.model import blank
    >>> model = replace(blank(("users",), ("cpu",)), demand=((0.5,),))
    >>> runs = [Conditions("", (n,), None, (2.0,), (1,)) for n in (1, 100)]
    >>> [round(each.throughput[0], 3) for each in answers(model, runs)]
    [0.4, 2.0]
    """
    found: list[Answer | None] = [None] * len(runs)
    together: dict[tuple[object, ...], list[int]] = {}
    for i, run in enumerate(runs):
        alone = len(model.classes) > 1 or run.population is None or any(model.growth)
        together.setdefault((i,) if alone else (run.think_time, run.servers), []).append(i)
    for members in together.values():
        try:
            for i, answer in zip(members, _answers(model, [runs[i] for i in members]), strict=True):
                found[i] = answer
        except (Unstable, InvalidNetwork, NotApplicable, OverflowError):
            continue
    return found


def _answers(model: ServiceModel, runs: Sequence[Conditions]) -> list[Answer]:
    first = runs[0]
    demand = model.demand_at(load_of(first))
    largest = max(runs, key=load_of)
    if any(value != 1.0 for value in model.scv):
        return _told(
            model, runs, demand, _variable(model, runs, network_of(model, largest, demand))
        )
    if _is_quick(model, largest):
        return _told(model, runs, demand, _at_single_servers(model, runs, demand))
    if _is_large(model, largest):
        found = _at_many_servers(model, runs, demand)
        if found is not None:
            return _told(model, runs, demand, found)
    if any(model.exponent) and load_of(largest) > LONGEST:
        raise NotApplicable(f"speed that depends on the load is solved up to {LONGEST} customers")
    network = network_of(model, largest, demand)
    extra = len(network.classes) - len(model.classes)
    if first.population is None or len(model.classes) > 1:
        solution = solve(network, method=_method(network))
        measures = [(solution.throughputs, solution.response_times)]
    else:
        populations = [sum(run.population or ()) for run in runs]
        line = curve(network, populations, vary=model.classes[0])
        measures = [
            (x, tuple([sum(row) for row in rows]))
            for x, rows in zip(line.throughputs, line.residence_times, strict=True)
        ]
    busy = _busy(model, network, runs) if any(model.exponent) else [{}] * len(runs)
    return [
        _answer(model, run, demand, x[: len(x) - extra], r[: len(r) - extra], shown)
        for run, (x, r), shown in zip(runs, measures, busy, strict=True)
    ]


def _told(
    model: ServiceModel,
    runs: Sequence[Conditions],
    demand: Sequence[Row],
    measures: Sequence[tuple[float, float]],
) -> list[Answer]:
    return [
        _answer(model, run, demand, (x,), (r,), {})
        for run, (x, r) in zip(runs, measures, strict=True)
    ]


def _variable(
    model: ServiceModel, runs: Sequence[Conditions], network: Network
) -> list[tuple[float, float]]:
    """Throughput and response time where one single server varies, by the rest without it."""
    k, *others = [i for i, value in enumerate(model.scv) if value != 1.0]
    if others or runs[0].servers[k] > 1 or len(network.classes) > 1:
        raise NotApplicable("service varies at one single server, for one class")
    most = sum(max(runs, key=load_of).population or ())
    (row,), (think_time,) = network.demand, network.think_time
    rest = [i for i in range(len(row)) if i != k and row[i]]
    if not rest and not think_time:
        raise NotApplicable("a station alone has all customers, however its service varies")
    elsewhere = [0.0] * (most + 1)
    # A delay station has no limit; one that quickens with its load need not take its demand.
    held = [not isinstance(station, LoadDependentStation) for station in network.stations]
    bounds = limits(
        0.0,
        [d for d, kept in zip(row, held, strict=True) if kept],
        [s.max_rate for s, kept in zip(network.stations, held, strict=True) if kept],
    )
    if all(isinstance(s, QueueingStation) and s.servers == 1 for s in network.stations):
        found = mean_values(range(1, most + 1), think_time, 0.0, [row[i] for i in rest])
        elsewhere[1:] = [found[n][0] for n in range(1, most + 1)]
    else:
        stations = [network.stations[i] for i in rest] or [DelayStation("nothing")]
        other = Network(stations, network.classes, [[row[i] for i in rest] or [0.0]])
        elsewhere[1:] = [x[0] for x in curve(other, range(1, most + 1)).throughputs]
    measures = []
    for run in runs:
        n = sum(run.population or ())
        throughput = throughput_with(elsewhere[n:0:-1], row[k], model.scv[k])
        found_here = throughput, n / throughput - think_time
        check_answer("variable_service", n, think_time, *bounds, *found_here)
        measures.append(found_here)
    return measures


def _is_quick(model: ServiceModel, largest: Conditions) -> bool:
    """Whether one class visits single servers only, in populations that are soon gone through."""
    return (
        len(model.classes) == 1
        and largest.population is not None
        and sum(largest.population) <= QUICK
        and not any(m > 1 for m in largest.servers)
        and not any(model.exponent)
    )


def _is_large(model: ServiceModel, largest: Conditions) -> bool:
    """Whether one class visits several servers, too many customers for a network each time."""
    return (
        len(model.classes) == 1
        and largest.population is not None
        and sum(largest.population) > LARGE
        and not any(model.exponent)
        and not any(b and m > 1 for b, m in zip(model.background, largest.servers, strict=True))
    )


def _at_many_servers(
    model: ServiceModel, runs: Sequence[Conditions], demand: Sequence[Row]
) -> list[tuple[float, float]] | None:
    """As `_at_single_servers`; None where nobody ever waits outside, or floats are too narrow."""
    think_time, demands = _alone(model, runs[0], demand)
    delay = think_time + model.hidden_delay[0]
    if not delay:
        return None
    found = []
    for run in runs:
        n = sum(run.population or ())
        throughput = throughput_at(n, delay, demands, [*run.servers, 1])
        if throughput is None:
            return None
        measures = throughput, n / throughput - think_time
        bounds = limits(model.hidden_delay[0], demands, [*run.servers, 1])
        check_answer("convolution", n, think_time, *bounds, *measures)
        found.append(measures)
    return found


def _alone(
    model: ServiceModel, run: Conditions, demand: Sequence[Row]
) -> tuple[float, list[float]]:
    """Think time, and demands as customers feel them, that of the hidden queue last."""
    given = run.think_time[0]
    demands = [
        d * scale / (1.0 - background)
        for d, scale, background in zip(demand[0], model.scale, model.background, strict=True)
    ]
    return model.think_time[0] if given is None else given, [*demands, model.hidden_queue[0]]


def _at_single_servers(
    model: ServiceModel, runs: Sequence[Conditions], demand: Sequence[Row]
) -> list[tuple[float, float]]:
    """Throughput and response time of what `network_of` would make a network of."""
    think_time, demands = _alone(model, runs[0], demand)
    populations = [sum(run.population or ()) for run in runs]
    found = mean_values(populations, think_time, model.hidden_delay[0], demands)
    bounds = limits(model.hidden_delay[0], demands, [1] * len(demands))
    for n in populations:
        check_answer("mva", n, think_time, *bounds, *found[n])
    return [found[n] for n in populations]


def _method(network: Network) -> str:
    vectors = prod(c.population + 1 for c in network.classes if isinstance(c, ClosedClass))
    plain = all(isinstance(c, ClosedClass) for c in network.classes) and not any(
        isinstance(s, LoadDependentStation) for s in network.stations
    )
    return "bard-schweitzer" if vectors > LATTICE and plain and len(network.classes) > 1 else "auto"


def _answer(
    model: ServiceModel,
    run: Conditions,
    demand: Sequence[Row],
    throughput: Row,
    response_time: Row,
    shown: dict[int, float],
) -> Answer:
    utilization = []
    for k, background in enumerate(model.background):
        work = 0.0
        for x, row in zip(throughput, demand, strict=True):
            work += x * row[k]
        utilization.append(shown.get(k, background + work / run.servers[k]))
    rates = []
    for s in range(len(model.series)):
        rate = 0.0
        for x, volumes in zip(throughput, model.volume, strict=True):
            rate += x * volumes[s]
        rates.append(rate)
    return Answer(throughput, response_time, tuple(utilization), tuple(rates))


def network_of(model: ServiceModel, run: Conditions, demand: Sequence[Row]) -> Network:
    """The queueing network of a model under the conditions of a run.

    Background load at a single server stretches what customers need there; at several servers it
    is an open class of its own.
    """
    stations: list[Station] = []
    factors = []
    background = [0.0] * len(model.stations)
    most = sum(run.population) if run.population is not None else 1
    for k, name in enumerate(model.stations):
        factor = model.scale[k]
        if model.exponent[k]:
            rates = [float(j) ** model.exponent[k] for j in range(1, most + 1)]
            stations.append(LoadDependentStation(name, tuple(rates)))
        else:
            stations.append(QueueingStation(name, run.servers[k]))
        if model.background[k] and run.servers[k] == 1:
            factor /= 1.0 - model.background[k]
        elif model.background[k]:
            background[k] = model.background[k] * run.servers[k]
        factors.append(factor)
    rows = [[d * f for d, f in zip(row, factors, strict=True)] for row in demand]
    for name, kind, extra in (
        (HIDDEN_DELAY, DelayStation, model.hidden_delay),
        (HIDDEN_QUEUE, QueueingStation, model.hidden_queue),
    ):
        if any(extra):
            stations.append(kind(name))
            rows = [[*row, value] for row, value in zip(rows, extra, strict=True)]
    classes: list[ClosedClass | OpenClass] = []
    for c, name in enumerate(model.classes):
        given = run.think_time[c]
        think_time = model.think_time[c] if given is None else given
        if run.population is not None:
            classes.append(ClosedClass(name, run.population[c], think_time))
        elif run.arrival_rate is not None:
            classes.append(OpenClass(name, run.arrival_rate[c]))
    if any(background):
        classes.append(OpenClass(BACKGROUND, 1.0))
        rows.append([*background, *[0.0] * (len(stations) - len(background))])
    return Network(stations, classes, rows)


def _busy(
    model: ServiceModel, network: Network, runs: Sequence[Conditions]
) -> list[dict[int, float]]:
    """How long load-dependent stations are busy: 1 - G(N) without the station over G(N) with it."""
    populations = [sum(run.population or ()) for run in runs]
    every = range(1, max(populations) + 1)
    vary = network.class_names[0]
    with_it = [log(x[0]) for x in curve(network, every, vary=vary).throughputs]
    found: list[dict[int, float]] = [{} for _ in runs]
    for k, power in enumerate(model.exponent):
        if not power:
            continue
        kept = [i for i in range(len(network.stations)) if i != k]
        rest = None
        if any(network.demand[0][i] for i in kept) or network.think_time[0]:
            rest = Network(
                [network.stations[i] for i in kept] or [DelayStation("nothing")],
                network.classes,
                [[row[i] for i in kept] or [0.0] for row in network.demand],
            )
        total, idle = 0.0, {0: 1.0}
        without = [log(x[0]) for x in curve(rest, every, vary=vary).throughputs] if rest else None
        for n in every:
            total += with_it[n - 1] - without[n - 1] if without else -inf  # alone: never idle
            idle[n] = exp(total) if isfinite(total) else 0.0
        for each, n in zip(found, populations, strict=True):
            each[k] = 1.0 - min(1.0, idle[n])
    return found
