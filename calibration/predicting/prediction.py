"""Predictions of a calibrated system at other loads, with their intervals.

Every admissible model predicts, with its parameters moved to both sides along each independent
direction of their uncertainty; on a scale of ratios the effects add in quadrature, with the noise
of the one run that might be measured. The interval is that of the mixture of the models by their
weights, from its 5 % to its 95 % quantile.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite, log, sqrt

from calibration.estimation.data import Conditions
from calibration.estimation.interval import Range
from calibration.fitting.fitted_model import NINETY, Calibration, FittedModel
from calibration.fitting.unknowns import told_apart
from calibration.model_evaluation.answers import answers
from calibration.model_evaluation.model import Answer
from calibration.predicting.mixture import Estimate, mixture
from calibration.predicting.saturation import Saturation, SaturationPoint, saturation_point
from calibration.predicting.what_if import (
    changed_model,
    checked_changes,
    largest_run,
    population_of,
)
from qmodel.errors import NotApplicable


@dataclass(frozen=True, slots=True)
class Metric:
    """One predicted number.

    Parameters
    ----------
    name : str
        As "response_time" or "utilization:cpu".
    unit : str
        Base unit.
    interval : Range
        90 % interval for what one more run would measure, and its median.
    by_model : tuple of (str, float)
        What each admissible model says.
    disagree : tuple of str
        Models that say what the best one holds for unlikely, outside of its own interval, and
        that one more run would tell apart from it.
    """

    name: str
    unit: str
    interval: Range
    by_model: tuple[tuple[str, float], ...]
    disagree: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a calibration says of one number of users.

    Parameters
    ----------
    population : tuple of int
        Users of each class. [customers]
    extrapolated : bool
        Whether their sum lies outside of the measured ones.
    beyond : str
        How far, in words; empty for an interpolation of what was measured.
    metrics : tuple of Metric
        Throughput, response time, utilizations, volumes.
    saturation : Saturation, optional
        Where the system saturates; None where nothing limits it.
    silent : tuple of str
        Admissible models that cannot speak of it.
    """

    population: tuple[int, ...]
    extrapolated: bool
    beyond: str
    metrics: tuple[Metric, ...]
    saturation: Saturation | None
    silent: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Range:
        """The interval of a metric by name."""
        for metric in self.metrics:
            if metric.name == name:
                return metric.interval
        raise KeyError(name)

    @property
    def disagree(self) -> tuple[str, ...]:
        """Models that disagree with the best on some metric."""
        return tuple(dict.fromkeys(name for metric in self.metrics for name in metric.disagree))


def predict(
    calibration: Calibration,
    population: int | Sequence[int] | None = None,
    change: Mapping[str, float] | None = None,
) -> Prediction:
    """Predict a calibrated system.

    Parameters
    ----------
    calibration : Calibration
        From `calibration.fitting.calibrate`.
    population : int or sequence of int, optional
        Users, in the proportions of the largest run, or users of each class; by default those of
        the largest run. [customers]
    change : mapping, optional
        What else is different: "speed:cpu", "demand:cpu", "servers:cpu", "think_time".

    Raises
    ------
    qmodel.InvalidInput
        If there is no such station, or a number means nothing.
    qmodel.NotApplicable
        If no model can speak of it.

    Examples
    --------
    >>> from calibration.fitting.calibrate import calibrate
    >>> from calibration.recordings.user_table import parse_user_table
    >>> fitted = calibrate(parse_user_table('''users,think_time [s],throughput [1/s],cpu
    ... 1,2,0.400,20.0
    ... 4,2,1.379,68.9
    ... 8,2,1.939,97.0
    ... '''))
    >>> found = predict(fitted, population=40)
    >>> found.extrapolated, found["response_time"].low < 18.0 < found["response_time"].high
    (True, True)
    """
    asked = None if population is None else [population]
    return predict_all(calibration, asked, change)[0]


def predict_all(
    calibration: Calibration,
    populations: Iterable[int | Sequence[int]] | None = None,
    change: Mapping[str, float] | None = None,
) -> tuple[Prediction, ...]:
    """Predict a calibrated system at many numbers of users at once; see `predict`."""
    changes = checked_changes(calibration, dict(change or {}))
    largest, users = largest_run(calibration, changes)
    asked = [users] if populations is None else populations
    runs = [replace(largest, population=population_of(calibration, users, each)) for each in asked]
    spoken = [_by_model(calibration, model, runs, changes) for model in calibration.admissible]
    return tuple(
        _prediction(calibration, run, [each[i] for each in spoken], changes)
        for i, run in enumerate(runs)
    )


@dataclass(frozen=True, slots=True)
class _Spoken:
    """What one model says of one run: its own answer, and those along each axis in pairs."""

    model: FittedModel
    centre: Answer | None
    moved: tuple[tuple[Answer | None, Answer | None], ...]
    point: SaturationPoint | None
    points: tuple[tuple[SaturationPoint | None, SaturationPoint | None], ...]


def _by_model(
    calibration: Calibration,
    model: FittedModel,
    runs: Sequence[Conditions],
    changes: Mapping[str, float],
) -> list[_Spoken]:
    def of(values: Sequence[float] | None) -> tuple[list[Answer | None], SaturationPoint | None]:
        service = changed_model(calibration.service(model, values), changes)
        return answers(service, runs), saturation_point(service, runs[-1])

    centre, point = of(None)
    pairs = [(of(up), of(down)) for up, down in axes(model)]
    return [
        _Spoken(
            model,
            centre[i],
            tuple((up[i], down[i]) for (up, _), (down, _) in pairs),
            point,
            tuple((up, down) for (_, up), (_, down) in pairs),
        )
        for i in range(len(runs))
    ]


def axes(model: FittedModel) -> list[tuple[list[float], list[float]]]:
    """The parameters of a model moved both ways along each principal axis of their uncertainty.

    The steps reach the ends of a 90 % interval, on the scale on which each parameter was searched,
    and stay within its limits.
    """
    import numpy as np

    sizes = [
        value if p.search.ratio else p.scale or abs(value) or 1.0
        for p, value in zip(model.parameters, model.values, strict=True)
    ]
    lengths, directions = np.linalg.eigh(np.array(model.covariance) / np.outer(sizes, sizes))
    found = []
    for length, direction in zip(lengths, directions.T, strict=True):
        step = NINETY * sqrt(max(float(length), 0.0)) * direction
        up, down = ([_moved(model, i, s * float(step[i]), sizes) for i in range(len(sizes))]
                    for s in (1.0, -1.0))  # fmt: skip
        found.append((up, down))
    return found


def _moved(model: FittedModel, i: int, step: float, sizes: Sequence[float]) -> float:
    search, value = model.parameters[i].search, model.values[i]
    if search.ratio:
        return search.outward(search.inward(value) + step)
    return min(max(value + step * sizes[i], search.low), search.high)


def _prediction(
    calibration: Calibration,
    run: Conditions,
    spoken: Sequence[_Spoken],
    changes: Mapping[str, float],
) -> Prediction:
    data = calibration.data
    speaking = [each for each in spoken if each.centre is not None]
    if not speaking:
        raise NotApplicable(
            f"no admissible model of {data.source} has an answer for {sum(run.population or ())} "
            "users and these changes"
        )
    metrics = tuple(
        _metric(calibration, name, unit, quantity, position, speaking)
        for name, unit, quantity, position in _names(calibration)
    )
    total = sum(run.population or ())
    measured = data.populations
    beyond = ""
    if measured is None:
        beyond = "no run counted its users"
    elif total > measured[1]:
        beyond = f"{total / measured[1]:.3g} times the most users measured"
    elif total < measured[0]:
        beyond = f"fewer users than the least measured, {measured[0]}"
    extrapolated = bool(beyond)
    if changes:
        other = ", ".join(f"{name} {value:g}" for name, value in changes.items())
        beyond = f"{beyond}; not as measured: {other}" if beyond else f"not as measured: {other}"
    return Prediction(
        run.population or (),
        extrapolated,
        beyond,
        metrics,
        _saturation(speaking),
        tuple(each.model.name for each in spoken if each.centre is None),
    )


def _names(calibration: Calibration) -> list[tuple[str, str, str, int | None]]:
    data = calibration.data
    found: list[tuple[str, str, str, int | None]] = [
        ("throughput", "1/s", "throughput", None),
        ("response_time", "s", "response_time", None),
    ]
    if len(data.classes) > 1:
        for c, name in enumerate(data.classes):
            found.append((f"throughput:{name}", "1/s", "throughput", c))
            found.append((f"response_time:{name}", "s", "response_time", c))
    found += [(f"utilization:{n}", "1", "utilization", k) for k, n in enumerate(data.stations)]
    for s, (quantity, station) in enumerate(data.series):
        unit = "bytes/s" if quantity == "volume" else "1/s"
        found.append((f"{quantity}:{station}", unit, quantity, s))
    return found


def _metric(
    calibration: Calibration,
    name: str,
    unit: str,
    quantity: str,
    position: int | None,
    spoken: Sequence[_Spoken],
) -> Metric:
    one_run = calibration.data.noise.of(quantity)
    noise = one_run * calibration.widening
    most = 1.0 if quantity == "utilization" else inf
    estimates = []
    for each in spoken:
        middle = each.centre.of(quantity, position) if each.centre is not None else 0.0
        if middle <= 0.0:
            continue
        pairs = [
            tuple(a.of(quantity, position) if a is not None else middle for a in pair)
            for pair in each.moved
        ]
        estimates.append(_estimate(each, middle, pairs, noise))
    by_model = tuple((e.model, e.middle) for e in estimates)
    if not estimates:
        return Metric(name, unit, Range(0.0, 0.0, 0.0), (), ())
    first = estimates[0].interval
    return Metric(
        name,
        unit,
        mixture(estimates, most),
        by_model,
        tuple(
            e.model
            for e in estimates[1:]
            if e.middle not in first and told_apart(e.middle, estimates[0].middle, one_run)
        ),
    )


def _estimate(
    each: _Spoken, middle: float, pairs: Sequence[Sequence[float]], noise: float
) -> Estimate:
    below, above = noise**2, noise**2
    for pair in pairs:
        logs = [log(v / middle) / NINETY for v in pair if v > 0.0 and isfinite(v)]
        below += min([0.0, *logs]) ** 2
        above += max([0.0, *logs]) ** 2
    return Estimate(each.model.name, each.model.weight, middle, sqrt(below), sqrt(above))


def _saturation(spoken: Sequence[_Spoken]) -> Saturation | None:
    users, throughput, station = [], [], ""
    for each in spoken:
        if each.point is None:
            continue
        station = station or each.point.station
        point = each.point
        pairs = [tuple(p or point for p in pair) for pair in each.points]
        users.append(_estimate(each, point.users, [[p.users for p in pair] for pair in pairs], 0.0))
        throughput.append(
            _estimate(each, point.throughput, [[p.throughput for p in pair] for pair in pairs], 0.0)
        )
    if not users:
        return None
    return Saturation(station, mixture(users), mixture(throughput))
