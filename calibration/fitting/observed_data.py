"""From observed runs to the data of a calibration: loads, classes, copies, and what is missing."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf, sqrt
from statistics import median

from calibration.audits.noise import Noise
from calibration.audits.observation import Number, Observation, Series
from calibration.estimation.data import ONE_RUN, CalibrationData, Conditions, Datum
from calibration.estimation.fit import NotCalibratable
from calibration.fitting.collinear_classes import one_of_collinear
from calibration.hardware.hardware import POOL
from calibration.hardware.task import shares
from calibration.printed_tables.run import Measurement

#: How a class is called whose rows say nothing of classes, and that of the rest beside shares.
EVERYBODY, THE_REST = "users", "others"

#: A pool is used so little that hardly a request waits for it, and holds almost all that is inside.
HARDLY, HELD = 0.4, 0.85

#: The name of a row that is told by when it began.
_DATED = re.compile(r"\d{4}-\d\d-\d\d")


def calibration_data(
    observations: Sequence[Observation], source: str, noise: Noise = ONE_RUN,
    configuration: str | None = None,
) -> CalibrationData:  # fmt: skip
    """The data that observed runs hold, all of them or those of one configuration.

    ``noise`` is of one run, as the observations were made with. NotCalibratable if the rows are of
    several configurations, or nothing in them can be fitted.
    """
    kept, notes = _of_one_configuration(observations, configuration)
    kept, copies = _once(kept)
    if copies:
        notes.append(
            f"{copies} row(s) are exact copies of another and were left out: a copy is not a "
            "second measurement"
        )
    usable = [each for each in kept if _has_load(each)]
    if len(usable) < len(kept):
        lost = ", ".join(each.name for each in kept if not _has_load(each))
        notes.append(f"not used, because neither population nor throughput is known: {lost}")
    if not usable:
        raise NotCalibratable(
            f"{source}: no row has a population or a throughput; measure throughput and "
            "utilization at two loads or more"
        )
    usable, together = one_of_collinear(usable, noise.of("throughput"))
    notes += together
    usable.sort(key=_order)
    usable, told = _as_stations(usable)
    notes += told
    classes = _classes(usable)
    seen = {s for each in usable for s, number in each.rates if number.value > 0.0}
    stations = tuple(sorted({s.station for s in seen if s.quantity == "utilization"}))
    series = tuple(sorted((s.quantity, s.station) for s in seen if s.quantity != "utilization"))
    unsaid = [s for s in stations if not any(s in dict(each.servers) for each in usable)]
    if unsaid:
        notes.append(
            f"{', '.join(unsaid)} taken as one server{' each' if len(unsaid) > 1 else ''}; say "
            f"servers:{unsaid[0]} in the table if it has more"
        )
    whole = any(each.whole_cycle for each in usable)
    runs = tuple(_conditions(each, classes, stations) for each in usable)
    numbers = tuple(
        datum
        for position, (each, run) in enumerate(zip(usable, runs, strict=True))
        for datum in _numbers(each, position, run, classes)
    )
    if not stations and not any(d.quantity == "response_time" for d in numbers):
        raise NotCalibratable(
            f"{source}: neither a utilization nor a response time was measured; measure the "
            "processor's utilization"
        )
    pool, name, said = _pool(usable, source)
    if pool < inf and (len(classes) > 1 or runs[0].population is None):
        pool, said = inf, "pools not used: they need one class and a number of users in each row"
    elif pool < inf:
        numbers += tuple(
            _datum(i, "pool_use", name, "", number, 0.0)
            for i, each in enumerate(usable)
            if (number := dict(each.pool_use).get(name)) and number.value > 0.0
        )
    notes += [said] if said else []
    return CalibrationData(
        source, classes, stations, series, runs, numbers, noise, whole, tuple(notes), tuple(unsaid),
        pool,
    )  # fmt: skip


def _pool(observations: Sequence[Observation], source: str) -> tuple[float, str, str]:
    """The smallest pool that the rows name, and what is said of the others. [customers]"""
    sizes = dict(pair for each in observations for pair in each.pools)
    for each in observations:
        for name, size in each.pools:
            if size != sizes[name]:
                raise NotCalibratable(
                    f"{source}: pool:{name} is {sizes[name]} in one row and {size} in another; "
                    "calibrate one size with --configuration, and predict the other with "
                    f"--change pool={size}"
                )
    if not sizes:
        return inf, "", ""
    least = min(sizes, key=lambda name: sizes[name])
    said = f"of {len(sizes)} pools only the smallest is taken as the limit: {least}"
    return sizes[least], least, said if len(sizes) > 1 else ""


def _as_stations(observations: Sequence[Observation]) -> tuple[list[Observation], list[str]]:
    """Pools that are held for a part of a request, as connections are, are stations with servers.

    It is told where hardly any request waits for a place.
    """
    parts: dict[str, list[float]] = {}
    for each in observations:
        inside = 0.0
        if each.throughput and each.response_time:
            inside = each.throughput.value * each.response_time.value
        for name, use in each.pool_use:
            if inside and name in dict(each.pools) and use.value < HARDLY:
                parts.setdefault(name, []).append(use.value * dict(each.pools)[name] / inside)
    held = {name: median(some) for name, some in parts.items() if median(some) <= HELD}
    notes = [
        f"a place of pool:{name} is held for {100 * part:.0f} % of a request by Little's law: the "
        "pool is a station with as many servers"
        for name, part in held.items()
    ]

    def changed(each: Observation) -> Observation:
        sizes = [(name + POOL, size) for name, size in each.pools if name in held]
        uses = [
            (Series("utilization", name + POOL), use) for name, use in each.pool_use if name in held
        ]
        return replace(
            each,
            pools=tuple(one for one in each.pools if one[0] not in held),
            pool_use=tuple(one for one in each.pool_use if one[0] not in held),
            servers=(*each.servers, *sizes), rates=(*each.rates, *uses),
        )  # fmt: skip

    return [changed(each) for each in observations], notes


def _of_one_configuration(
    observations: Sequence[Observation], wanted: str | None
) -> tuple[list[Observation], list[str]]:
    labels = [each.configuration for each in observations]
    names = list(dict.fromkeys(label for label in labels if label is not None))
    if wanted is not None:
        kept = [each for each in observations if each.configuration == wanted]
        if not kept:
            known = ", ".join(names) or "none"
            raise NotCalibratable(f"no row of configuration {wanted!r}; there is {known}")
        return kept, []
    if len(names) > 1 and len(names) < len(labels):
        raise NotCalibratable(
            f"the table holds {len(names)} configurations ({', '.join(names)}), whose demands may "
            "differ; choose one with --configuration"
        )
    notes = []
    if len(names) > 1:
        notes.append("every row has a configuration of its own; taken as runs of one system")
    return list(observations), notes


def _once(observations: Sequence[Observation]) -> tuple[list[Observation], int]:
    """Rows without copies: the same in every cell, and not of different times."""
    found: dict[object, Observation] = {}
    for each in observations:
        key = (
            each.task, each.configuration, each.shares, each.servers,
            _DATED.match(each.name) and each.name,
            *(n and n.value for n in (each.population, each.think_time)),
            *(n and n.value for n in (each.throughput, each.response_time)),
            tuple(sorted((s, n.value) for s, n in each.rates)),
            tuple(sorted((q, c, n.value) for q, c, n in each.by_class)),
            tuple(sorted((name, n.value) for name, n in each.pool_use)),
        )  # fmt: skip
        found.setdefault(key, each)
    return list(found.values()), len(observations) - len(found)


def _has_load(each: Observation) -> bool:
    counted = {quantity for quantity, _, _ in each.by_class}
    return (
        each.population is not None
        or "population" in counted
        or (each.throughput is not None and each.throughput.value > 0.0)
        or "throughput" in counted
    )


def _order(each: Observation) -> tuple[object, ...]:
    """Rows by load and then by all they hold, so that their order in the file does not matter."""
    numbers = (each.population, each.throughput, each.response_time, each.think_time)
    return (
        each.task, *(number.value if number is not None else -1.0 for number in numbers),
        tuple(sorted((s.quantity, s.station, n.value) for s, n in each.rates)),
        tuple(sorted((q, c, n.value) for q, c, n in each.by_class)), each.name,
    )  # fmt: skip


def _classes(observations: Sequence[Observation]) -> tuple[str, ...]:
    named = [c for each in observations for _, c, _ in each.by_class]
    shares = [name for each in observations for name, _ in each.shares]
    if any(sum(s for _, s in each.shares) < 1.0 - 1e-9 for each in observations if each.shares):
        shares.append(THE_REST)
    tasks = [each.task for each in observations]
    if named:
        return tuple(dict.fromkeys(sorted(named)))
    if shares:
        return tuple(dict.fromkeys(sorted(shares)))
    return tuple(dict.fromkeys(task or EVERYBODY for task in sorted(tasks)))


def _conditions(
    each: Observation, classes: tuple[str, ...], stations: tuple[str, ...]
) -> Conditions:
    counted = _by_class(each, "population")
    rates, weights = _by_class(each, "throughput"), _weights(each, classes)
    if not counted and not sum(weights) and (each.population is not None or not rates):
        c = classes[0]
        problem = f"users of all classes together; give population:{c}, ... or share:{c}, ..."
        raise NotCalibratable(f"{each.name}: {problem}")
    population: tuple[int, ...] | None = None
    if counted:
        population = tuple(round(counted[c].value) if c in counted else 0 for c in classes)
    elif each.population is not None:
        population = tuple(shares(round(each.population.value), weights))
    arrivals: tuple[float, ...] | None = None
    if population is None:
        total = each.throughput.value if each.throughput is not None else 0.0
        arrivals = tuple(
            (rates[c].value if c in rates else 0.0) if rates else total * weight
            for c, weight in zip(classes, weights, strict=True)
        )
    thinking = _by_class(each, "think_time")
    think_time: list[float | None] = []
    for c in classes:
        if each.whole_cycle or population is None:
            think_time.append(0.0)
        elif c in thinking:
            think_time.append(thinking[c].value)
        else:
            think_time.append(each.think_time.value if each.think_time is not None else None)
    return Conditions(
        each.name, population, arrivals, tuple(think_time),
        tuple(each.servers_at(station) for station in stations),
    )  # fmt: skip


def _weights(each: Observation, classes: tuple[str, ...]) -> tuple[float, ...]:
    """The share of each class in a run that is not counted class by class."""
    if each.shares:
        given = dict(each.shares)
        rest = max(0.0, 1.0 - sum(given.values()))
        return tuple(given.get(c, rest if c == THE_REST else 0.0) for c in classes)
    return tuple(1.0 if c == (each.task or EVERYBODY) else 0.0 for c in classes)


def _by_class(each: Observation, quantity: str) -> dict[str, Number]:
    return {c: number for q, c, number in each.by_class if q == quantity}


def _numbers(
    each: Observation, position: int, run: Conditions, classes: tuple[str, ...]
) -> Iterator[Datum]:
    """What a run measured; with an unknown population its throughput is a condition."""
    present = [
        c for c, n in zip(classes, run.population or run.arrival_rate or (), strict=True) if n
    ]
    only = present[0] if len(present) == 1 and len(classes) > 1 else ""
    # A throughput that is set as a condition is noisy too, and all other numbers follow it.
    carried = 0.0
    if run.population is None:
        known = [n for n in (each.throughput, *_by_class(each, "throughput").values()) if n]
        carried = max((number.relative for number in known), default=0.0)
    for quantity, number in (
        ("throughput", each.throughput),
        ("response_time", each.response_time),
    ):
        if number is not None and number.value > 0.0:
            if quantity == "throughput" and run.population is None:
                continue
            yield _datum(position, quantity, "", only, number, carried)
    for quantity, c, number in each.by_class:
        measured = quantity == "response_time" or (
            quantity == "throughput" and run.population is not None
        )
        if measured and number.value > 0.0:
            yield _datum(position, quantity, "", c, number, carried)
    for series, number in each.rates:
        if number.value > 0.0:
            yield _datum(position, series.quantity, series.station, "", number, carried)


def _datum(run: int, quantity: str, of: str, c: str, number: Number, carried: float) -> Datum:
    deviation = sqrt(number.deviation**2 + (carried * number.value) ** 2)
    return Datum(
        run, quantity, of, c, Measurement(number.value, deviation), number.unit, number.scale
    )
