"""What a prediction may ask: other numbers of users, and other hardware or think times."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import inf

from calibration.estimation.data import Conditions
from calibration.fitting.fitted_model import Calibration
from calibration.hardware.task import shares
from calibration.model_evaluation.model import ServiceModel
from calibration.predicting.other_servers import on_processors
from qmodel.documents.wording import did_you_mean, show_text
from qmodel.errors import InvalidInput

#: What a change may set, and what it is.
CHANGES = {
    "speed": "factor on the speed of a station", "demand": "factor on the demand at a station",
    "servers": "number of servers of a station",
    "quota": "number of servers of a station that customers may use at most",
    "background": "factor on the other work of a station", "pool": "most requests inside at once",
    "think_time": "think time in seconds",
}  # fmt: skip

#: Users that are still solved for, in minutes where demands depend on the load. [customers]
MOST_USERS = 1_000_000

#: Changes of the whole system, not of a station.
_WHOLE = frozenset({"think_time", "pool"})


def largest_run(
    calibration: Calibration, changes: Mapping[str, float]
) -> tuple[Conditions, tuple[float, ...]]:
    """The conditions of the largest run, changed, and the proportions of its users of each class.

    Where none counted its users: as many as make its interactions while they think.
    """
    data = calibration.data
    users: tuple[float, ...]
    counted = [(run, run.population) for run in data.runs if run.population is not None]
    if counted:
        run, users = max(counted, key=lambda each: sum(each[1]))
    else:
        if "think_time" not in changes:
            raise InvalidInput(
                f"{data.source}: no run counted its users; ask for rates with --rate, or give "
                "--change think_time=SECONDS beside --users"
            )
        users = _fastest_run(calibration)[1]
        think = changes["think_time"]
        here = tuple([max(1, round(rate * think)) if rate else 0 for rate in users])
        run = replace(data.runs[-1], population=here, arrival_rate=None)
    if "think_time" in changes:
        run = replace(run, think_time=(changes["think_time"],) * len(data.classes))
    return _with_servers(calibration, run, changes), users


def asked_runs(
    calibration: Calibration,
    changes: Mapping[str, float],
    populations: Iterable[int | Sequence[int]] | None,
    rates: Iterable[float | Sequence[float]] | None,
) -> list[Conditions]:
    """The conditions that are asked for: numbers of users, or requests per second.

    Without either the largest run, changed.

    Raises
    ------
    qmodel.InvalidInput
        If both are given, or one of them means nothing.
    """
    if populations is not None and rates is not None:
        raise InvalidInput("ask for numbers of users or for rates, not for both")
    counted = calibration.data.populations is not None or "think_time" in changes
    if rates is None and (populations is not None or counted):
        largest, users = largest_run(calibration, changes)
        loads = [largest.population or ()]
        if populations is not None:
            loads = [population_of(calibration, users, each) for each in populations]
        if (most := max(map(sum, loads), default=0)) > MOST_USERS:
            raise InvalidInput(
                f"{most:,} users: at most {MOST_USERS:,} can be asked for; ask for a rate instead"
            )
        return [replace(largest, population=each) for each in loads]
    run, measured = _fastest_run(calibration)
    run = _with_servers(calibration, replace(run, name="", population=None), changes)
    every = [measured] if rates is None else rates
    return [replace(run, arrival_rate=_rates_of(calibration, measured, each)) for each in every]


def _fastest_run(calibration: Calibration) -> tuple[Conditions, tuple[float, ...]]:
    """The run with most interactions per second, and those of each class."""
    data = calibration.data
    best = data.runs[-1], (1.0,) * len(data.classes)
    most = 0.0
    for i, run in enumerate(data.runs):
        rates = [0.0] * len(data.classes)
        for c, rate in enumerate(run.arrival_rate or ()):
            rates[c] = rate
        for number in () if run.arrival_rate else data.of("throughput", i):
            place = data.place_of(number)
            parts = run.population if place is None and run.population else None
            for c in range(len(rates)) if place is None else (place,):
                share = parts[c] / sum(parts) if parts else 1.0
                rates[c] = number.measurement.value * share
        if sum(rates) > most:
            best, most = (run, tuple(rates)), sum(rates)
    return best


def _rates_of(
    calibration: Calibration, measured: Sequence[float], asked: float | Sequence[float]
) -> tuple[float, ...]:
    """Interactions per second of each class: as asked for, or in the measured proportions."""
    classes = calibration.data.classes
    given = list(asked) if isinstance(asked, Sequence) else [asked]
    if not all(0.0 <= rate < 1e12 for rate in given) or not sum(given):
        raise InvalidInput(f"rate is {asked!r}, expected requests per second above 0")
    if not isinstance(asked, Sequence):
        return tuple([asked * rate / sum(measured) for rate in measured])
    if len(given) != len(classes):
        raise InvalidInput(
            f"{len(given)} rates given, expected one per class: {', '.join(classes)}"
        )
    return tuple(given)


def _with_servers(
    calibration: Calibration, run: Conditions, changes: Mapping[str, float]
) -> Conditions:
    servers = list(run.servers)
    for name, value in changes.items():
        what, _, where = name.partition(":")
        if what == "servers":
            servers[calibration.data.stations.index(where)] = round(value)
    return replace(run, name="", servers=tuple(servers))


def population_of(
    calibration: Calibration, largest: Sequence[float], asked: int | Sequence[int]
) -> tuple[int, ...]:
    """Users of each class: as asked for, or in the proportions of the largest run."""
    classes = calibration.data.classes
    given = list(asked) if isinstance(asked, Sequence) else [asked]
    if any(isinstance(n, bool) or not isinstance(n, int) or n < 0 for n in given) or not sum(given):
        raise InvalidInput(f"population is {asked!r}, expected whole numbers from 1 on")
    if isinstance(asked, int):
        return tuple(shares(asked, largest))
    if len(given) != len(classes):
        raise InvalidInput(
            f"{len(given)} populations given, expected one per class: {', '.join(classes)}"
        )
    return tuple(given)


def checked_changes(calibration: Calibration, changes: dict[str, float]) -> dict[str, float]:
    """The changes, if there are such stations and the numbers mean something."""
    stations = calibration.data.stations
    for name, value in changes.items():
        what, _, where = name.partition(":")
        if what not in CHANGES:
            raise InvalidInput(f"unknown change {show_text(name)}; {did_you_mean(what, CHANGES)}")
        if what not in _WHOLE and where not in stations:
            near = did_you_mean(where, stations) if stations else "there is none"
            raise InvalidInput(f"{name}: no station {show_text(where)}; {near}")
        lowest = 0.0 if what in {"think_time", "background"} else 1.0 if what == "pool" else 1e-6
        if not lowest <= value <= 1e9 or (what == "servers" and value != int(value)):
            raise InvalidInput(f"{name} is {value:g}, expected a {CHANGES[what]}")
    return changes


def changed_model(
    model: ServiceModel, changes: Mapping[str, float], measured: Sequence[int]
) -> ServiceModel:
    """The model after changes of speed, demand or servers, of which so many were measured.

    Other work takes what it took, of a station that may have more servers or faster ones; where
    that is the busiest one, more load saturates it, and it idles longer at any other.
    """
    busiest, reference = model.busiest(measured) if measured else -1, model.reference
    for name, value in changes.items():
        what, _, where = name.partition(":")
        if what == "servers":
            k = model.stations.index(where)
            model, more = on_processors(model, k, value / measured[k])
            reference /= more if k == busiest else 1.0
    demand = [list(row) for row in model.demand]
    background, quota, pool = list(model.background), list(model.quota), model.pool
    for name, value in changes.items():
        what, _, where = name.partition(":")
        if what == "pool":
            pool = (value,)
        if what in _WHOLE:
            continue
        k = model.stations.index(where)
        servers = changes.get(f"servers:{where}", measured[k])
        if k == busiest and what in {"servers", "speed", "demand"}:
            more = value / measured[k] if what == "servers" else value
            reference *= more if what != "demand" else 1.0 / more
        if what == "quota":
            quota[k] = min(1.0, value / servers)
        elif what == "background":
            background[k] *= value
        elif what == "servers":
            background[k] *= measured[k] / value
            if quota[k] < 1.0 and f"quota:{where}" not in changes:  # of so many processors still
                quota[k] = min(1.0, quota[k] * measured[k] / value)
        else:
            factor = value if what == "demand" else 1.0 / value
            if what == "speed":
                background[k] *= factor
            for row in demand:
                row[k] *= factor
    return replace(
        model, demand=tuple(tuple(row) for row in demand), background=tuple(background),
        quota=tuple(quota), pool=pool, holding=model.holding if pool[0] < inf else 1.0,
        multiprocessing=0.0, reference=reference,
    )  # fmt: skip
