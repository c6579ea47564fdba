"""Agreement: predictions held against measured runs, next to the naive baselines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from calibration.demand import DemandEstimate, processor_demand
from calibration.ensemble import NINETY_PERCENT, Range, combine, variants
from calibration.run import Measurement
from calibration.server import server_network
from calibration.system import Measured, System
from calibration.task import Load
from qmodel import solve

#: Metrics compared, with the unit they are printed in and the factor from base units to it.
METRICS = {
    "completion time": ("s", 1.0),
    "utilization": ("%", 100.0),
    "LAN volume": ("KB/s", 1e-3),
}

#: Volumes under this are noise of the channel, not traffic of the task: not compared. [bytes/s]
LEAST_VOLUME = 1e3

#: What someone without a model would say of another number of users.
BASELINES = ("no contention", "linear")


@dataclass(frozen=True, slots=True)
class Comparison:
    """One measured number and what was predicted for it, in the unit it is printed in.

    Parameters
    ----------
    task, metric, unit, source, note : str
        What was compared, and where it is printed.
    population : int
        Workstations of the run. [customers]
    fitted : bool
        Whether the fit saw this number; otherwise it was held out.
    measured : Measurement
        With print rounding and replicate noise.
    predicted : Range
        90 % interval for such a measurement: members, parameters and the noise of one run.
    by_member : tuple of (str, float)
        Each member's own prediction.
    baselines : tuple of (str, float)
        No contention: time does not change with users, utilization is proportional to them.
        Linear: time is proportional to users, utilization does not change.
    """

    task: str
    metric: str
    unit: str
    source: str
    note: str
    population: int
    fitted: bool
    measured: Measurement
    predicted: Range
    by_member: tuple[tuple[str, float], ...]
    baselines: tuple[tuple[str, float], ...]

    def error(self, predicted: float) -> float:
        """Relative error of a prediction. [1]"""
        return predicted / self.measured.value - 1.0

    @property
    def inside(self) -> bool:
        """Whether the measured number lies in the interval."""
        return self.measured.value in self.predicted


@dataclass(frozen=True, slots=True)
class Summary:
    """Comparisons of one task and metric: mean absolute relative errors and coverage."""

    task: str
    metric: str
    fitted: bool
    population: int
    count: int
    error: float
    worst: float
    by_member: tuple[tuple[str, float], ...]
    baselines: tuple[tuple[str, float], ...]
    inside: int


@dataclass(frozen=True, slots=True)
class Agreement:
    """All comparisons of a system.

    Parameters
    ----------
    system : System
        The system.
    comparisons : tuple of Comparison
        Fitted rows first.
    demands : tuple of (str, DemandEstimate)
        Each task's processor demand by the utilization law over all its runs, fitted and held
        out: a check that one demand serves them all, which no prediction uses.
    """

    system: System
    comparisons: tuple[Comparison, ...]
    demands: tuple[tuple[str, DemandEstimate], ...]

    def summaries(self) -> tuple[Summary, ...]:
        """Errors by task, metric, population, and whether the rows were fitted."""
        groups: dict[tuple[str, str, bool, int], list[Comparison]] = {}
        for c in self.comparisons:
            groups.setdefault((c.task, c.metric, c.fitted, c.population), []).append(c)
        return tuple(_summary(*key, rows) for key, rows in groups.items())


def agreement(system: System) -> Agreement:
    """Predict every measured run of a system, fitted and held out, and compare.

    Examples
    --------
    >>> from calibration.systems import load_system
    >>> found = agreement(load_system("notes31"))
    >>> [(s.metric, s.count) for s in found.summaries() if not s.fitted and s.population == 20]
    [('completion time', 3), ('utilization', 3), ('LAN volume', 3)]
    """
    every = (*system.fitted, *system.held_out)
    return Agreement(
        system,
        tuple(
            comparison
            for fitted, rows in ((True, system.fitted), (False, system.held_out))
            for each in rows
            for comparison in _compare(system, each, fitted=fitted)
        ),
        tuple(
            (task, processor_demand([m.run for m in every if m.task == task]))
            for task in dict.fromkeys(m.task for m in every)
        ),
    )


def _compare(system: System, each: Measured, *, fitted: bool) -> list[Comparison]:
    ways = variants(system.members, [each.task])
    predictions = []
    for way in ways:
        load = Load(each.task, way.tasks[each.task], each.run.population)
        solution = solve(server_network(each.hardware, [load], way.write_share).network)
        predictions.append(
            (
                solution.response_times[0],
                solution.station_utilizations[0],
                solution.throughputs[0] * load.task.lan_volume,
            )
        )
    measured = _numbers(each)
    baselines = _baselines(system, each)
    return [
        Comparison(
            task=each.task,
            metric=metric,
            unit=unit,
            source=each.run.source,
            note=each.note,
            population=each.run.population,
            fitted=fitted,
            measured=Measurement(
                measured[i].value * factor, measured[i].standard_deviation * factor
            ),
            predicted=_with_noise(
                combine(ways, [p[i] * factor for p in predictions]),
                measured[i].standard_deviation * factor,
            ),
            by_member=tuple(
                (way.member, p[i] * factor)
                for way, p in zip(ways, predictions, strict=True)
                if way.axis == 0
            ),
            baselines=tuple((name, values[i] * factor) for name, values in baselines),
        )
        for i, (metric, (unit, factor)) in enumerate(METRICS.items())
        if metric != "LAN volume" or measured[i].value >= LEAST_VOLUME
    ]


def _numbers(each: Measured) -> tuple[Measurement, Measurement, Measurement]:
    return each.run.response_time, each.run.utilization, each.run.lan_rate


def _baselines(
    system: System, each: Measured
) -> tuple[tuple[str, tuple[float, float, float]], ...]:
    """What the fitted rows' mean and a rule of three would say."""
    base = [m for m in system.fitted if m.task == each.task]
    time, utilization, lan = (sum(_numbers(m)[i].value for m in base) / len(base) for i in range(3))
    growth = each.run.population / (sum(m.run.population for m in base) / len(base))
    return (
        (BASELINES[0], (time, utilization * growth, lan * growth)),
        (BASELINES[1], (time * growth, utilization, lan)),
    )


def _with_noise(predicted: Range, standard_deviation: float) -> Range:
    """The interval for one more run: its own noise added in quadrature."""
    noise = NINETY_PERCENT * standard_deviation
    return Range(
        predicted.mid - sqrt((predicted.mid - predicted.low) ** 2 + noise**2),
        predicted.mid,
        predicted.mid + sqrt((predicted.high - predicted.mid) ** 2 + noise**2),
    )


def _summary(
    task: str, metric: str, fitted: bool, population: int, rows: Sequence[Comparison]
) -> Summary:
    errors = [abs(c.error(c.predicted.mid)) for c in rows]
    return Summary(
        task=task,
        metric=metric,
        fitted=fitted,
        population=population,
        count=len(rows),
        error=sum(errors) / len(errors),
        worst=max(errors),
        by_member=_mean_errors(rows, [c.by_member for c in rows]),
        baselines=_mean_errors(rows, [c.baselines for c in rows]),
        inside=sum(c.inside for c in rows),
    )


def _mean_errors(
    rows: Sequence[Comparison], predictions: Sequence[tuple[tuple[str, float], ...]]
) -> tuple[tuple[str, float], ...]:
    """Mean absolute relative error of each named prediction."""
    return tuple(
        (
            name,
            sum(abs(c.error(p[i][1])) for c, p in zip(rows, predictions, strict=True)) / len(rows),
        )
        for i, (name, _) in enumerate(predictions[0])
    )
