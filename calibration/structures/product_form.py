"""Product form: demands, volumes, think times not told, and a delay where no station is told."""

from collections.abc import Sequence
from math import inf
from statistics import fmean, median

from calibration.estimation.data import CalibrationData
from calibration.estimation.regression import regressed_demands
from calibration.model_evaluation.model import ServiceModel, blank, load_of
from calibration.structures.structure import Parameter

#: Utilizations up to here grow with the load in a straight line. [1]
STRAIGHT = 0.7

#: Think times tried where no throughput was measured, over the longest response time. [1]
_THINKING = (0.3, 3.0, 30.0)


def base(data: CalibrationData) -> tuple[ServiceModel, tuple[Parameter, ...]]:
    """The model without values, and the parameters that every structure has."""
    names = data.classes, data.stations, data.series
    model = blank(*names, saturation_load(data), data.pool, data.thinking)
    rates = [_rates(data, run) for run in range(len(data.runs))]
    parameters = []
    several = len(data.classes) > 1
    start_of = {
        series: _starts(data, rates, series)
        for series in [*(("utilization", name) for name in data.stations), *data.series]
    }
    for c, name in enumerate(data.classes):
        of = f" ({name})" if several else ""
        for k, station in enumerate(data.stations):
            if start := start_of["utilization", station][c]:
                parameters.append(
                    Parameter(f"demand of {station}{of}", "s", "demand", (c, k), (start,))
                )
        for s, (quantity, station) in enumerate(data.series):
            if start := start_of[quantity, station][c]:
                unit = "bytes" if quantity == "volume" else "operations"
                parameters.append(
                    Parameter(f"{quantity} of {station}{of}", unit, "volume", (c, s), (start,))
                )
        if any(
            run.think_time[c] is None and run.population and run.population[c] for run in data.runs
        ):
            starts = _thinking(data, c)
            parameters.append(Parameter(f"think time{of}", "s", "think_time", (c,), starts))
    if not parameters and not data.stations:  # all that is known takes its time
        for c, name in enumerate(data.classes):
            of, times = f" ({name})" if several else "", data.response_times(name)
            if times:
                least = (min(times),)
                parameters.append(Parameter(f"hidden delay{of}", "s", "hidden_delay", (c,), least))
    return model, tuple(parameters)


def saturation_load(data: CalibrationData) -> float:
    """Where a straight line through the utilizations of the busiest station, or pool, reaches 1.

    Through those up to 70 %, if any: the line bends where the station is full. Without a
    utilization it is the highest load.
    """
    loads = [load_of(run) for run in data.runs]
    most = max(loads) or 1.0
    found = [most]
    used = [data.utilizations(station) for station in data.stations]
    used.append([(run, min(1.0, n / data.pool)) for run, n in inside(data) if data.pool < inf])
    for each in used:
        seen = [(loads[run], busy) for run, busy in each]
        idle, slope = _line([each for each in seen if each[1] <= STRAIGHT] or seen)
        if slope > 0.0:
            found.append((1.0 - idle) / slope)
    return min(found[1:], default=most) or 1.0


def inside(data: CalibrationData) -> list[tuple[int, float]]:
    """Runs, and the requests that were inside at once in the mean, by Little's law."""
    found = []
    for i in range(len(data.runs)):
        rate, time = (next(data.of(q, i), None) for q in ("throughput", "response_time"))
        if rate is not None and time is not None:
            found.append((i, rate.measurement.value * time.measurement.value))
    return found


def _line(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Ordinate at nothing, which is not negative, and slope of a straight line through points."""
    x, y = (fmean(each) for each in zip(*points, strict=True)) if points else (0.0, 0.0)
    spread = sum((a - x) ** 2 for a, _ in points)
    slope = sum((a - x) * (b - y) for a, b in points) / spread if spread else 0.0
    if slope <= 0.0 or y - slope * x < 0.0 or y - slope * x >= 1.0:
        return 0.0, y / x if x else 0.0
    return y - slope * x, slope


def _rates(data: CalibrationData, run: int) -> list[float]:
    """Throughput of each class, as measured or by Little's law; 1 for each user at worst."""
    conditions = data.runs[run]
    if conditions.arrival_rate is not None:
        return list(conditions.arrival_rate)
    population = conditions.population or ()
    total = sum(population) or 1
    of_all = next((d for d in data.of("throughput", run) if not d.customer_class), None)
    response = next((d for d in data.of("response_time", run) if not d.customer_class), None)
    found = []
    for c, (name, users) in enumerate(zip(data.classes, population, strict=True)):
        own = next((d for d in data.of("throughput", run) if d.customer_class == name), None)
        times = (d for d in data.of("response_time", run) if d.customer_class == name)
        time = next(times, response)
        if own is not None:
            found.append(own.measurement.value)
        elif of_all is not None:
            found.append(of_all.measurement.value * users / total)
        else:
            cycle = (conditions.think_time[c] or 0.0) + (time.measurement.value if time else 0.0)
            found.append(users / cycle if cycle else float(users))
    return found


def _starts(
    data: CalibrationData, rates: list[list[float]], series: tuple[str, str]
) -> list[float]:
    """What one interaction of each class takes of a series; 0 for a class that never ran."""
    throughputs, taken = [], []
    for each in data.numbers:
        if (each.quantity, each.of) == series and sum(rates[each.run]) > 0.0:
            servers = 1
            if each.quantity == "utilization":
                servers = data.runs[each.run].servers[data.stations.index(each.of)]
            throughputs.append(rates[each.run])
            taken.append(each.measurement.value * servers)
    ran = [any(row[c] > 0.0 for row in throughputs) for c in range(len(data.classes))]
    alike = median([t / sum(row) for t, row in zip(taken, throughputs, strict=True)] or [0.0])
    if len(data.classes) == 1 or len(taken) < len(data.classes):
        return [alike if here else 0.0 for here in ran]
    by_class = regressed_demands(throughputs, taken, taken)
    # A start must be above nothing, though what it leads to may come close to it.
    return [max(d, 0.01 * alike) if here else 0.0 for d, here in zip(by_class, ran, strict=True)]


def _thinking(data: CalibrationData, c: int) -> tuple[float, ...]:
    differences, longest = [], 0.0
    for i, run in enumerate(data.runs):
        if run.population is None or not run.population[c]:
            continue
        here = {d.quantity: d.measurement.value for d in data.numbers if d.run == i}
        longest = max(longest, here.get("response_time", 0.0))
        if "throughput" in here:
            cycle = sum(run.population) / here["throughput"]
            differences.append(max(cycle - here.get("response_time", 0.0), 0.01 * cycle))
    if differences:
        return (median(differences),)
    return tuple(share * (longest or 1.0) for share in _THINKING)
