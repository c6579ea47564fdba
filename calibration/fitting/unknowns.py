"""What data do not fix, and the measurement that would fix it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import inf, isfinite, log
from typing import TYPE_CHECKING, Any

from calibration.estimation.data import CalibrationData, Conditions
from calibration.estimation.fit import Fit
from calibration.fitting.fitted_model import (
    Calibration,
    FittedModel,
    Unknown,
    numbers_of,
    side_by_side,
)
from calibration.hardware.hardware import station_kind
from calibration.model_evaluation.model import ServiceModel
from calibration.structures.structure import Parameter, with_values

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Parameters that move together more than this are one as far as the data can tell. [1]
TOGETHER = 0.98

#: What monitors of utilization tell apart. [1]
COARSE = 0.005
#: Loads to measure at, over the largest or the least that was measured. [1]
FURTHER = (2.0, 4.0)

#: Models that come out further apart than this many standard deviations can be told apart.
APART = 3.0


def unknowns(calibration: Calibration) -> tuple[Unknown, ...]:
    """Parameters that the data do not fix, and models that they do not tell apart."""
    return (
        *_of_servers(calibration), *_of_models(calibration), *_of_parameters(calibration),
        *_of_structures(calibration),
    )  # fmt: skip


def _of_servers(calibration: Calibration) -> Iterator[Unknown]:
    """Processors of unknown number: no load beyond one core is known."""
    for name in calibration.data.assumed:
        if station_kind(name) == "cpu":
            yield Unknown(
                (f"servers of {name}",),
                f"{name} was taken as one server: the table does not give its number of cores",
                f"add a column servers:{name} to the table",
            )


def told_apart(one: float, other: float, noise: float) -> bool:
    """Whether one run, with the relative noise of its number, tells two predictions apart."""
    return abs(log(one / other)) / (noise or 0.01) >= APART


def blind_parameters(
    data: CalibrationData, model: ServiceModel, parameters: Sequence[Parameter], found: Fit
) -> str:
    """Why a table cannot be calibrated when combinations of parameters move nothing in it."""
    group = found.blind[0]
    names = " and ".join(parameters[i].name for i in group)
    together = "are confounded" if len(group) > 1 else "does not move any measured number"
    remedy, _ = _best_measurement(data, model, parameters, found.values, group[0])
    if parameters[group[0]].sets == "think_time":
        remedy = "measure throughput, or give think_time"
    return f"{data.source}: {names} {together}; {remedy or 'measure throughput'}"


def _of_parameters(calibration: Calibration) -> Iterator[Unknown]:
    best = calibration.best
    weak = [i for i in range(len(best.values)) if not best.identified(i)]
    told: set[int] = set()
    for i, j, r in best.correlations():
        if abs(r) > TOGETHER and (i in weak or j in weak):
            told |= {i, j}
            first, second = best.parameters[i].name, best.parameters[j].name
            yield Unknown(
                (first, second), f"{first} and {second} are confounded (correlation {r:+.3f})",
                _remedy(calibration, best, i if i in weak else j),
            )  # fmt: skip
    for i in weak:
        if i not in told:
            own, value, error = best.parameters[i], best.values[i], best.standard_errors[i]
            yield Unknown(
                (own.name,),
                f"{own.name} is not fixed by the data: {value:.3g} {own.known_to(error)}",
                _remedy(calibration, best, i),
            )


def _of_structures(calibration: Calibration) -> Iterator[Unknown]:
    """Structures that are left out because the data say nothing of their own parameters."""
    for model in calibration.models:
        own = [p for p in model.parameters if p.neutral is not None]
        if any(p.sets in {"pool", "quota"} for p in own):
            continue  # until they are met nothing depends on them
        if model.admissible or len({p.sets for p in own}) > 1:
            continue
        for i, parameter in enumerate(model.parameters):
            if parameter.neutral is not None and not model.identified(i):
                value, error = model.values[i], model.standard_errors[i]
                article = "an" if model.structure[0] in "aeiou" else "a"
                seen = f"is {value:.3g} {parameter.known_to(error)}"
                seen = seen if isfinite(error) else "is not fixed by them"
                yield Unknown(
                    (parameter.name,),
                    f"the runs do not show whether there is {article} {model.structure}: "
                    f"{parameter.name} {seen}",
                    _remedy(calibration, model, i),
                )


def _of_models(calibration: Calibration) -> Iterator[Unknown]:
    """The models that are admissible side by side, and the measurement that parts them most."""
    models = calibration.admissible
    if len(models) == 1:
        return
    names, telling = tuple(model.name for model in models), _most_telling(calibration)
    further = f"; no run up to {FURTHER[-1]:g} times the largest load would separate them"
    yield Unknown(
        names,
        f"{len(models)} models fit equally: {', '.join(names[:3])}{', ...' if names[3:] else ''}"
        + ("" if telling else further),
        telling,
    )


def _most_telling(calibration: Calibration) -> str:
    """The number on which the models differ most in units of its noise; empty if on none."""
    data, models = calibration.data, calibration.admissible
    services = [calibration.service(model) for model in models]
    found: tuple[float, str] = (0.0, "")
    for run, where in _loads(data):
        said = [each[0] for each in side_by_side(data, services, [run])]
        for quantity, of, position in _quantities(data):
            values = [
                (a.of(quantity, position), model.weight)
                for a, model in zip(said, models, strict=True)
                if a is not None and a.of(quantity, position) > 0.0
            ]
            ends = [end((v for v, _ in values), default=0.0) for end in (min, max)]
            if len(values) < 2 or (quantity == "utilization" and ends[1] - ends[0] < COARSE):
                continue
            total = sum(weight for _, weight in values)
            mean = sum(weight * log(value) for value, weight in values) / total
            square = sum(weight * (log(value) - mean) ** 2 for value, weight in values) / total
            noise = (data.noise.of(quantity, of) or 0.01) * max(calibration.widening, 0.5)
            apart = 2.0 * square**0.5 / noise
            if apart > found[0] * 1.1:
                unit, factor = {"utilization": (" %", 100.0), "throughput": (" /s", 1.0)}.get(
                    quantity, (" s", 1.0)
                )
                found = (
                    apart,
                    f"measure {_called(quantity, of)} {where}: the models say "
                    f"{ends[0] * factor:.3g} to {ends[1] * factor:.3g}{unit}",
                )
    return found[1] if found[0] >= 1.0 else ""


def _loads(data: CalibrationData) -> Iterator[tuple[Conditions, str]]:
    """Conditions at which more could be measured, and their names; measured loads come first."""
    last = data.runs[-1]
    counted = [(sum(run.population), run) for run in data.runs if run.population is not None]
    if len(counted) < len(data.runs):
        yield last, "in the run of the highest throughput"
        return
    total, largest = max(counted, key=lambda each: each[0])
    yield largest, _users(total)
    if len(data.classes) == 1:
        yield replace(largest, population=(1,)), _users(1)
    for factor in FURTHER:
        more = tuple(round(n * factor) for n in largest.population or ())
        yield replace(largest, population=more), _users(sum(more))


def _users(count: int) -> str:
    return f"at {count} user{'' if count == 1 else 's'}"


def _called(quantity: str, station: str) -> str:
    return quantity.replace("_", " ") + (f" of {station}" if station else "")


def _quantities(data: CalibrationData) -> Iterator[tuple[str, str, int | None]]:
    yield "response_time", "", None
    if any(run.population is not None for run in data.runs):
        yield "throughput", "", None
    for k, station in enumerate(data.stations):
        yield "utilization", station, k


def _remedy(calibration: Calibration, model: FittedModel, i: int) -> str:
    empty = calibration.service(model)
    found, error = _best_measurement(calibration.data, empty, model.parameters, model.values, i)
    size = max(abs(model.values[i]), model.parameters[i].scale)
    if not found or error > 2.0 * size:
        return "no other load or metric of this system would show it"
    parameter = model.parameters[i]
    return f"{found}, which would fix {parameter.name} to {parameter.known_to(error)}"


def _best_measurement(
    data: CalibrationData, model: ServiceModel, parameters: Sequence[Parameter],
    values: Sequence[float], i: int,
) -> tuple[str, float]:  # fmt: skip
    """The one measurement that would fix a parameter best, and its standard error then."""
    import numpy as np

    def services(points: Sequence[Sequence[float]]) -> list[ServiceModel]:
        return [with_values(model, parameters, v) for v in points]

    def shown(points: Sequence[Sequence[float]]) -> list[list[float]]:
        found = side_by_side(data, services(points), data.runs)
        return [numbers_of(data, each) for each in found]

    jacobian = _slopes(shown, parameters, values)
    deviations = np.array([each.measurement.standard_deviation for each in data.numbers])
    known = jacobian.T @ (jacobian / deviations[:, None] ** 2)
    best = ("", inf)
    for run, where in _loads(data):

        def said(points: Sequence[Sequence[float]], run: Conditions = run) -> list[list[float]]:
            return [
                [inf if a is None else a.of(q, position) for q, _, position in _quantities(data)]
                for (a,) in side_by_side(data, services(points), [run])
            ]

        (centre,) = said([values])
        if not all(isfinite(value) for value in centre):
            continue
        rows = _slopes(said, parameters, values)
        for row, value, (quantity, of, _) in zip(rows, centre, _quantities(data), strict=True):
            noise = (data.noise.of(quantity, of) or 0.01) * value
            noise = max(noise, COARSE) if quantity == "utilization" else noise
            if not noise:
                continue
            error = _error(known + np.outer(row, row) / noise**2, i)
            if error < 0.9 * best[1]:
                best = f"measure {_called(quantity, of)} {where}", error
    return best


def _slopes(
    said: Callable[[Sequence[Sequence[float]]], list[list[float]]],
    parameters: Sequence[Parameter],
    values: Sequence[float],
) -> "NDArray[Any]":
    """Derivatives by parameters, by differences, of what is said of several sets of them."""
    import numpy as np

    points = []
    for j, (parameter, value) in enumerate(zip(parameters, values, strict=True)):
        step = 1e-4 * max(abs(value), parameter.scale)
        up, down = list(values), list(values)
        up[j], down[j] = value + step, value - step
        if not parameter.search.ratio and down[j] < parameter.search.low:
            down[j] = value
        points += [up, down]
    found, places = np.array(said(points)), np.array(points)
    width = (places[::2] - places[1::2]).sum(axis=1)
    slopes = (found[::2] - found[1::2]) / width[:, None]
    return np.where(np.isfinite(slopes), slopes, 0.0).T


def _error(information: "NDArray[Any]", i: int) -> float:
    """Standard error of a parameter; infinite where the information does not reach it."""
    import numpy as np

    sizes = np.sqrt(np.diag(information))
    if not (sizes > 0.0).all():
        if not sizes[i]:
            return inf
        seen = np.flatnonzero(sizes > 0.0)
        return _error(information[np.ix_(seen, seen)], int(np.searchsorted(seen, i)))
    values, vectors = np.linalg.eigh(information / np.outer(sizes, sizes))
    if values[0] < 1e-11 * values[-1]:
        weak = values < 1e-11 * values[-1]
        if float(np.abs(vectors[i, weak]).max()) > 1e-3:
            return inf
        values = np.where(weak, inf, values)
    return float(np.sqrt((vectors[i] ** 2 / values).sum()) / sizes[i])
