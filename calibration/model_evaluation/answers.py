"""What a service model says of measured runs: its queueing network, built and solved.

One class, and arrivals by rate, are answered by `qmodel.kernels`, the rest by `qmodel.solve`.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil, exp, inf, log

import qmodel as qm
from calibration.estimation.data import Conditions
from calibration.model_evaluation import network as nw
from calibration.model_evaluation.effort import applies, left_to
from calibration.model_evaluation.model import Answer, Row, ServiceModel

#: A pool of more places than this, and of so many times what is inside without it, is full less
#: than one time in 1e8. [customers], [1]
MANY, NEVER_FULL = 100, 20.0


def answers(model: ServiceModel, runs: Sequence[Conditions]) -> list[Answer | None]:
    """What a model says of each run, None where it has no steady state.

    Of arrivals that only a pool keeps from being served it is what is, as `at_capacity`.
    Runs of one closed class that differ in their population alone are solved in one pass, and those
    under the same conditions once.
    """
    answered: list[Answer | None] = [None] * len(runs)
    together: dict[tuple[object, ...], list[int]] = {}
    for i, run in enumerate(runs):
        alone = len(model.classes) > 1 or run.population is None or model.varies
        alone = alone or model.uneven
        alone = alone or (
            max(run.servers, default=1) > 1 and any(value != 1.0 for value in model.scv)
        )
        apart = (run.population, run.arrival_rate) if alone else None
        together.setdefault((run.think_time, run.servers, apart), []).append(i)
    for (*_, same), members in together.items():
        try:
            found = _answers(model, [runs[i] for i in (members[:1] if same else members)])
        except (qm.Unstable, qm.InvalidInput, qm.InvalidNetwork, qm.NotApplicable, OverflowError):
            continue
        for i, answer in zip(members, found * len(members) if same else found, strict=True):
            answered[i] = answer
    return answered


def nearly(models: Sequence[ServiceModel], runs: Sequence[Conditions]) -> list[list[Answer | None]]:
    """As `answers` of each model of several closed classes, by Linearizer and all side by side.

    It is for what models differ by, a percent off; other work stretches demands at every station.
    """
    from qmodel import sweep

    asked, networks = [], []
    for model in models:
        taken = zip(model.scale, model.background, strict=True)
        stretched = replace(
            model, scale=tuple([scale / max(1.0 - part, 1e-3) for scale, part in taken]),
            background=(0.0,) * len(model.background),
        )  # fmt: skip
        for run in runs:
            demand = model.demand_at(model.load(run))
            asked.append((model, run, demand))
            most = max(1, sum(run.population or ()) - 1)  # more servers are hardly any quicker
            some = replace(run, servers=tuple([min(m, most) for m in run.servers]))
            networks.append(_network(stretched, some, demand, hidden=True))
    found = sweep(networks, method="linearizer")
    times = found.residence_time.sum(axis=2).tolist()
    rows = [
        None if i in found.problems else _answer(model, run, demand, tuple(rates), tuple(times[i]))
        for i, ((model, run, demand), rates) in enumerate(
            zip(asked, found.throughput.tolist(), strict=True)
        )
    ]
    return [rows[i : i + len(runs)] for i in range(0, len(rows), len(runs))]


def _answers(model: ServiceModel, runs: Sequence[Conditions]) -> list[Answer]:
    first = runs[0]
    demand = model.demand_at(model.load(first))
    varied = [m for m, scv in zip(first.servers, model.scv, strict=True) if scv != 1.0]
    if first.population is None and not any(m > 1 for m in varied):
        return [_by_rate(model, first, demand)]
    if len(model.classes) > 1 or any(m > 1 for m in varied):
        waiting = model.places < sum(first.population or ())
        several = _network(model, first, demand, slowed=waiting)
        if waiting:
            several = nw.within_pool(several, model.places)
        solution = qm.solve(several, method=_method(several))
        count = len(model.classes)
        x, r = solution.throughputs[:count], solution.response_times[:count]
        waits = [row[-1] if waiting else 0.0 for row in solution.residence_times]
        inside = sum(rate * (time - w) for rate, time, w in zip(x, r, waits[:count], strict=True))
        return [_answer(model, first, demand, x, r, min(1.0, inside / model.places))]
    populations = [sum(run.population or ()) for run in runs]
    most = max(populations)
    network = one_class_of(model, first, demand)
    if model.pool[0] < inf:
        limited = within(network, model.places, most)
        return [
            _answer(model, run, demand, (x,), (r,), in_use(limited, model.places, n))
            for run, n, (x, r) in zip(
                runs, populations, qm.kernels.totals(limited, populations), strict=True
            )
        ]
    found = qm.kernels.totals(network, populations)
    return [
        _answer(model, run, demand, (x,), (r,)) for run, (x, r) in zip(runs, found, strict=True)
    ]


def _by_rate(model: ServiceModel, run: Conditions, demand: Sequence[Row]) -> Answer:
    """Of arrivals: a station keeps all classes as long, per demand, as their mean request.

    All wait as long for a place in the pool.
    """
    rates = run.arrival_rate or (0.0,)
    total = sum(rates) or 1.0
    own = zip(demand, model.hidden_queue, model.hidden_delay, strict=True)
    columns = zip(*[(*row, queue, delay) for row, queue, delay in own], strict=True)
    *mean, delay = [
        sum(x * value for x, value in zip(rates, column, strict=True)) / total for column in columns
    ]
    whole = one_class_of(model, run, (tuple(mean[:-1]),), (mean[-1], delay))
    merged = qm.kernels.at_arrival_rate(whole, sum(rates))
    each = [t / w if w else 0.0 for t, w in zip(merged.residence_times, mean, strict=True)]
    wait, used = 0.0, None
    if (pool := model.places) < inf:
        inside = sum(rates) * merged.response_time
        used = min(1.0, inside / pool)
        if pool <= max(MANY, NEVER_FULL * inside):
            limited = within(whole, pool, ceil(pool))
            most = (limited.rates[0] or (1.0,))[-1] / limited.demands[0]
            if sum(rates) >= most:
                return at_capacity(model, run, most)
            found = qm.kernels.at_arrival_rate(limited, sum(rates))
            wait = found.response_time - merged.response_time
            used = in_use(limited, pool, rate=sum(rates))
    times = tuple(
        [
            wait + delay + sum(d * t for d, t in zip((*row, queue), each, strict=True))
            for delay, row, queue in zip(
                model.hidden_delay, demand, model.hidden_queue, strict=True
            )
        ]
    )
    return _answer(model, run, demand, rates, times, used)


def within(
    network: qm.kernels.OneClassNetwork, pool: float, most: int
) -> qm.kernels.OneClassNetwork:
    """A network in which so many customers may be inside at once.

    Flow equivalence: inside is one station with the throughputs of what is inside with 1, 2 ...
    customers there; between two sizes of a pool it is a straight line.
    """
    whole = int(min(pool, most))
    last = whole + 1 if whole < min(pool, most) else whole
    inside = replace(network, think_time=0.0)
    rates = [x for x, _ in qm.kernels.totals(inside, range(1, max(last, 1) + 1))]
    if last > whole:
        before = rates[-2] if whole else 0.0
        rates[-1] = before + (pool - whole) * (rates[-1] - before)
    return qm.kernels.OneClassNetwork(
        [1.0 / rates[0]], network.think_time, rates=[tuple([x / rates[0] for x in rates])]
    )


def in_use(
    limited: qm.kernels.OneClassNetwork, pool: float, population: int = 0, rate: float = 0.0
) -> float:
    """Mean number of places in use of the pool that a network `within` has, over their number. [1]

    Of the birth-death process p(n) x(n) = p(n - 1) (N - n + 1) / Z, n being inside or waiting; at a
    ``rate`` of arrivals instead of a population that takes the place of (N - n + 1) / Z.
    """
    places = max(pool, 1.0)
    if not (rate or limited.think_time):
        return min(1.0, population / places)
    speeds_of = [speed / limited.demands[0] for speed in limited.rates[0] or (1.0,)]
    logs = [0.0]
    for n in range(1, (len(speeds_of) if rate else population) + 1):
        speed = speeds_of[min(n, len(speeds_of)) - 1]
        arrivals = rate or (population - n + 1) / limited.think_time
        logs.append(logs[-1] + log(arrivals / speed))
    if rate:  # all further numbers, a geometric sequence, at once
        logs[-1] -= log(1.0 - rate / speeds_of[-1])
    top = max(logs)
    weights = [exp(each - top) for each in logs]
    return sum(w * min(1.0, n / places) for n, w in enumerate(weights)) / sum(weights)


def at_capacity(model: ServiceModel, run: Conditions, throughput: float) -> Answer:
    """What a model says of arrivals beyond a throughput that it cannot pass.

    That throughput, in the proportions of the arrivals, is served; the queue grows for as long as
    they last, so no response time has a bound.
    """
    arrivals = run.arrival_rate or (0.0,)
    served = tuple([throughput * rate / sum(arrivals) for rate in arrivals])
    demand = model.demand_at(model.load(replace(run, arrival_rate=served)))
    return _answer(model, run, demand, served, (inf,) * len(served))


def one_class_of(
    model: ServiceModel, run: Conditions, demand: Sequence[Row], hidden: Row = ()
) -> qm.kernels.OneClassNetwork:
    """A model of one class under the conditions of a run.

    The hidden queue is the last station; it and the hidden delay are the model's if not given.
    """
    queue, delay = hidden or (model.hidden_queue[0], model.hidden_delay[0])
    demands: list[float] = []
    rates: list[tuple[float, ...] | None] = []
    taken, load = [], model.load(run)
    for k, servers in enumerate(run.servers):
        # Background load stretches what customers need at a single server, also at a varying one.
        single, other, quota = servers == 1, model.lost(k, load), model.quota[k]
        if not other < 1.0:
            raise qm.Unstable(f"other work takes all of {model.stations[k]}")
        demands.append(demand[0][k] * (model.scale[k] / (1.0 - other if single else 1.0)))
        taken.append(0.0 if single or quota < 1.0 else other)
        speeds: tuple[float, ...] | None = None
        if quota < 1.0:
            speeds = nw.under_quota(servers, quota, demand[0][k] * model.scale[k], other)
        elif model.parallel[k]:
            speeds = nw.side_by_side(model.parallel[k], servers)
        rates.append(speeds)
    given = run.think_time[0]
    return qm.kernels.OneClassNetwork(
        [*demands, queue], model.think_time[0] if given is None else given, delay,
        servers=[*run.servers, 1], rates=[*rates, None], background=[*taken, 0.0],
        scv=[*model.scv, 1.0],
    )  # fmt: skip


def _network(
    model: ServiceModel, run: Conditions, demand: Sequence[Row], *,
    hidden: bool = False, slowed: bool = False,
) -> qm.Network:  # fmt: skip
    """A model of several classes under the conditions of a run."""
    queue = model.hidden_queue if hidden or any(model.hidden_queue) else None
    stations = nw.stations_of(model, run.servers, demand, model.load(run))
    classes = nw.classes_of(model, run)
    return nw.network_of(stations, classes, model.hidden_delay, queue, slowed=slowed)


def _method(network: qm.Network) -> str:
    if method := left_to(network):
        return method
    return "marie" if network.product_form_violation() and applies("marie", network) else "auto"


def _answer(
    model: ServiceModel, run: Conditions, demand: Sequence[Row], throughput: Row,
    response_time: Row, pool_use: float | None = None,
) -> Answer:  # fmt: skip
    utilization = []
    for k, background in enumerate(model.background):
        work = 0.0
        for x, row in zip(throughput, demand, strict=True):
            work += x * row[k]
        busy = nw.any_there(work / run.servers[k], model.parallel[k])
        utilization.append(background + busy)
    hidden = 0.0
    for x, value in zip(throughput, model.hidden_queue, strict=True):
        hidden += x * value
    rates = []
    own = model.volume_at(model.load(run))
    for s in range(len(model.series)):
        rate = 0.0
        for x, volumes in zip(throughput, own, strict=True):
            rate += x * volumes[s]
        rates.append(rate)
    if pool_use is None and model.pool[0] < inf:  # by Little's law, where nothing waits for it
        pool_use = min(1.0, throughput[0] * response_time[0] / model.places)
    return Answer(
        throughput, response_time, tuple(utilization), tuple(rates), hidden, pool_use or 0.0
    )
