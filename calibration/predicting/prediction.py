"""Predictions of a calibrated system at other loads, with their intervals; see THEORY.md."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, inf

from calibration.estimation.data import NOT_MEASURED, Conditions
from calibration.estimation.interval import Range
from calibration.fitting.fitted_model import Calibration
from calibration.fitting.unknowns import told_apart
from calibration.model_evaluation.answers import answers, at_capacity
from calibration.model_evaluation.model import Answer, ServiceModel, load_of
from calibration.predicting.other_servers import MULTIPROCESSING, of_processors
from calibration.predicting.saturation import Saturation, SaturationPoint, saturation_point
from calibration.predicting.what_if import asked_runs, changed_model, checked_changes, largest_run
from calibration.predicting.worlds import Among, estimates, interval, worlds_of
from qmodel.errors import NotApplicable

#: A load so near to the measured ones differs by the digits it is written with. [1]
WRITTEN = 1e-4
#: The metric of the places of a known pool that are in use.
POOL_USE = "utilization:pool"


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
        90 % interval, and its median.
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
    """What a calibration says of one number of users, or of one rate.

    Parameters
    ----------
    population : tuple of int
        Users of each class; empty where a rate was asked for. [customers]
    extrapolated : bool
        Whether the load lies outside of the measured ones.
    beyond : str
        How far, in words; empty for an interpolation of what was measured.
    metrics : tuple of Metric
        Throughput, response time, utilizations, volumes.
    saturation : Saturation, optional
        Where the system saturates; None where nothing limits it.
    silent : tuple of str
        Admissible models that cannot speak of it.
    arrival_rate : tuple of float
        Interactions of each class instead of users. Where they are more than can be served, the
        throughput is what can be, and the response time infinite. [1/s]
    """

    population: tuple[int, ...]
    extrapolated: bool
    beyond: str
    metrics: tuple[Metric, ...]
    saturation: Saturation | None
    silent: tuple[str, ...] = ()
    arrival_rate: tuple[float, ...] = ()

    @property
    def load(self) -> float:
        """Users, or interactions per second. [customers], [1/s]"""
        return float(sum(self.arrival_rate or self.population))

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
    calibration: Calibration, population: int | Sequence[int] | None = None,
    change: Mapping[str, float] | None = None, *, rate: float | Sequence[float] | None = None,
) -> Prediction:  # fmt: skip
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
    rate : float or sequence of float, optional
        Interactions per second instead of users, in the measured proportions, or of each class;
        they arrive as a Poisson process, whatever the response time. [1/s]

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
    return predict_all(calibration, asked, change, rates=None if rate is None else [rate])[0]


def predict_all(
    calibration: Calibration, populations: Iterable[int | Sequence[int]] | None = None,
    change: Mapping[str, float] | None = None, *,
    rates: Iterable[float | Sequence[float]] | None = None, one_run: bool = False,
) -> tuple[Prediction, ...]:  # fmt: skip
    """Predict a calibrated system at many numbers of users, or rates, at once; see `predict`.

    With ``one_run`` the intervals are for what one more run would measure, with its noise.
    """
    changes = checked_changes(calibration, dict(change or {}))
    asked = None if populations is None else list(populations)
    runs = asked_runs(calibration, changes, asked, rates)
    every = worlds_of(calibration)
    among = [(world.model, world.weight, world.axis) for world in every]
    measured = calibration.data.runs[-1].servers if changes else ()
    last = runs[-1]
    services = [
        _in_unit_of(last, calibration, changed_model(world.service, changes, measured))
        for world in every
    ]
    counted = last.population is not None and calibration.data.populations is not None
    if counted and (asked is None or isinstance(asked[-1], int)):
        # Whole users of each class are not quite in the measured proportions.
        last = replace(last, population=largest_run(calibration, changes)[0].population)
    different = dict.fromkeys(services)
    point_of = {service: saturation_point(service, last) for service in different}
    answer_of = {each: _said(calibration, each, runs, point_of[each]) for each in different}
    points = [point_of[each] for each in services]
    said = [answer_of[each] for each in services]
    return tuple(
        _prediction(
            calibration, run, among, [each[i] for each in said], points, changes, one_run=one_run
        )
        for i, run in enumerate(runs)
    )


def _said(
    calibration: Calibration, service: ServiceModel, runs: Sequence[Conditions],
    point: SaturationPoint | None,
) -> list[Answer | None]:  # fmt: skip
    """What one model says of each load; of rates that it cannot serve, what it does serve."""
    by_rate = calibration.data.populations is None and runs[0].population is not None
    if service.varies and by_rate and len(service.classes) > 1:
        return [None] * len(runs)  # which mix of users is as many arrivals was not measured
    return [
        at_capacity(service, run, point.throughput)
        if point is not None and run.population is None and load_of(run) >= point.throughput
        else each
        for run, each in zip(runs, answers(service, runs), strict=True)
    ]


def _in_unit_of(run: Conditions, calibration: Calibration, service: ServiceModel) -> ServiceModel:
    """The model with its load of saturation in users, or arrivals per second, as a run has them."""
    counted = calibration.data.populations is not None
    if (run.population is not None) == counted or len(service.classes) > 1:
        return service
    (row,), reference = service.demand, service.reference
    if counted:
        work = max((d / m for d, m in zip(row, run.servers, strict=True)), default=0.0)
        return replace(service, reference=1.0 / work) if work else service
    cycle = service.think_time[0] + sum(row) + service.hidden_delay[0] + service.hidden_queue[0]
    return replace(service, reference=reference * cycle)


def _prediction(
    calibration: Calibration, run: Conditions, among: Sequence[Among],
    said: Sequence[Answer | None], points: Sequence[SaturationPoint | None],
    changes: Mapping[str, float], *, one_run: bool,
) -> Prediction:  # fmt: skip
    data = calibration.data
    centres = [(model, a) for (model, _, axis), a in zip(among, said, strict=True) if not axis]
    if all(answer is None for _, answer in centres):
        load = f"{load_of(run):.6g} {'requests/s' if run.population is None else 'users'}"
        raise NotApplicable(
            f"no admissible model of {data.source} has an answer for {load} and these changes"
        )
    metrics = tuple(
        _metric(calibration, each, among, said, one_run=one_run)
        for each in _names(calibration, [world.service for world in worlds_of(calibration)])
    )
    total = load_of(run)
    by_rate = run.population is None
    unit, measured = ("requests/s", data.rates) if by_rate else ("users", data.populations)
    beyond = ""
    if measured is None:
        beyond = f"no run counted its {unit}"
    elif total > measured[1] * (1.0 + WRITTEN):
        beyond = f"{total / measured[1]:.3g} times the most {unit} measured"
    elif total < measured[0] * (1.0 - WRITTEN):
        beyond = f"fewer {unit} than the least measured, {measured[0]:.6g}"
    extrapolated = bool(beyond)
    if changes:
        other = ", ".join(f"{name} {value:g}" for name, value in changes.items())
        kinds = [name.partition(":") for name in changes]
        if any(what == "servers" and of_processors(where) for what, _, where in kinds):
            more = 100.0 * (2.0 ** MULTIPROCESSING[0] - 1.0)
            other += f" (requests {more:.0f} % longer with each doubling, as on other servers)"
        beyond = f"{beyond}; not as measured: {other}" if beyond else f"not as measured: {other}"
    return Prediction(
        run.population or (), extrapolated, beyond, metrics,
        _saturation(among, points, counted=run.population is not None),
        tuple(model for model, answer in centres if answer is None),
        run.arrival_rate or () if run.population is None else (),
    )  # fmt: skip


def _names(
    calibration: Calibration, services: Sequence[ServiceModel]
) -> list[tuple[str, str, str, int | None]]:
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
    if any(any(service.hidden_queue) for service in services):
        found.append((f"utilization:{NOT_MEASURED}", "1", "utilization", len(data.stations)))
    if data.pool < inf and "pool" not in data.stations:
        found.append((POOL_USE, "1", "pool_use", None))
    for s, (quantity, station) in enumerate(data.series):
        unit = "bytes/s" if quantity == "volume" else "1/s"
        found.append((f"{quantity}:{station}", unit, quantity, s))
    return found


def _metric(
    calibration: Calibration, named: tuple[str, str, str, int | None], among: Sequence[Among],
    said: Sequence[Answer | None], *, one_run: bool,
) -> Metric:  # fmt: skip
    name, unit, quantity, position = named
    values = [None if each is None else each.of(quantity, position) for each in said]
    noise = calibration.data.noise.of(*name.split(":", 1)) * calibration.widening
    most = 1.0 if quantity in {"utilization", "pool_use"} else inf
    found = estimates(among, values)
    by_model = tuple((each.model, exp(each.middle)) for each in found)
    known = [each for each in found if each.middle < inf]
    disagree = []
    if found and found[0].middle < inf:
        first, best = estimates(among, values, noise=noise)[0].interval, found[0].middle
        disagree = [
            each.model
            for each in known[1:]
            if each.middle not in first and told_apart(exp(each.middle), exp(best), noise)
        ]
    whole = interval(among, values, most=most, noise=noise if one_run else 0.0)
    return Metric(name, unit, whole, by_model, tuple(disagree))


def _saturation(
    among: Sequence[Among], points: Sequence[SaturationPoint | None], *, counted: bool
) -> Saturation | None:
    named = [point.station for point in points if point is not None]
    if not named:
        return None
    users = interval(among, [None if p is None else p.users for p in points])
    throughput = interval(among, [None if p is None else p.throughput for p in points])
    return Saturation(named[0], users if counted else None, throughput)
