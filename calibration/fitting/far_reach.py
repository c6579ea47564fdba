"""Laws that runs at low load cannot tell apart, carried to the load asked for; see THEORY.md."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import exp, inf, log, sqrt

from calibration.estimation.data import CalibrationData
from calibration.estimation.fit import NotCalibratable, Search
from calibration.fitting.fitted_model import CARRIED, LARGER, FittedModel, chi_square_of
from calibration.fitting.one_model import fit_model, model_of
from calibration.hardware.hardware import station_kind
from calibration.model_evaluation.model import ServiceModel, load_of
from calibration.structures import parallel_service
from calibration.structures import structure as st
from calibration.structures.idling import MOST, POWER, felt
from calibration.structures.merging import powers
from calibration.structures.station_law import far_from_limits

#: Standard deviation of a law's own parameter over its scale, and its prior weight. [1]
SPREAD = {
    "hidden_delay": 0.5, "hidden_queue": 0.3, "scv": 1.0, "scale": 0.1,
    "waking": 1.0, "coherency": 0.5, "second_thread": 0.5, "background": 0.5,
}  # fmt: skip
WEIGHTS: Mapping[str, float] = {
    "product form": 0.35, "waking": 0.05, "hidden delay": 0.15, "hidden queue": 0.1,
    "background load": 0.15, "coherency": 0.08, "pool": 0.04, "scale factor": 0.02,
    "second thread": 0.03, "variable service": 0.02,
}  # fmt: skip

#: Standard deviation of the demand at saturation about what a law says of it. [1]
DRIFT = 0.05

#: Response time, throughput and utilization of a run share the requests that happened to come:
#: their errors are not independent, and count as so much larger ones that are. [1]
SHARED = 1.3

#: A law of less weight is left out. [1]
LEAST = 0.03

#: How much a pool of unknown size varies, on a scale of ratios: the smallest that the data do not
#: exclude is the lower end of its 90 % interval. [1]
UNCERTAIN = 0.48

#: Fall of chi-square that chance makes once in twenty times.
NEEDED = 3.84


def short(data: CalibrationData) -> bool:
    """Whether the runs of one class do not reach half of saturation, without visible queueing."""
    if len(data.classes) > 1 or data.populations is None or not data.stations:
        return False
    if not st.several_loads(data):
        return False  # no law says how one load becomes another
    return far_from_limits(data) is not None


def carried(
    data: CalibrationData, empty: ServiceModel, plain: FittedModel,
    waiting: Sequence[tuple[st.Structure, st.Extension]], noise: float,
    weights: Mapping[str, float] | None = None, idling: tuple[float, float] = POWER,
) -> tuple[FittedModel, ...]:  # fmt: skip
    """All laws with their weights, the heaviest first.

    Parameters
    ----------
    data : CalibrationData
        What is fitted.
    empty : ServiceModel
        The model without values.
    plain : FittedModel
        Product form.
    waiting : sequence of (Structure, Extension)
        What each law adds, product form included.
    noise : float
        Of a run, over that of the data. [1]
    weights : mapping, optional
        Prior weight of each structure; `WEIGHTS` by default.
    idling : (float, float)
        Power of idling that is expected of the busiest station, and its standard deviation.
    """
    given = WEIGHTS if weights is None else weights
    noise *= SHARED
    known = [replace(p, starts=(v,)) for p, v in zip(plain.parameters, plain.values, strict=True)]
    idle = _idle(data, plain, *idling)
    idle += powers(data)
    alike: dict[str, int] = {}
    for structure, _ in waiting:
        alike[structure.name] = alike.get(structure.name, 0) + 1
    found: list[tuple[FittedModel, float]] = []
    for structure, extension in waiting:
        prior = given.get(structure.name, 0.0) / alike[structure.name]
        own = {(p.sets, p.place) for p in extension.parameters}
        if not prior or any(what not in SPREAD for what, _ in own):
            continue
        if {"idling", "parallel", "merging"} & {what for what, _ in own}:
            continue
        try:
            model = _fitted(data, empty, (*known, *idle), extension, structure.name, noise)
        except NotCalibratable:
            continue
        found.append((model, log(prior) + _evidence(model, noise)))
    top = max(value for _, value in found)
    evidence = [exp(value - top) for _, value in found]
    whole = sum(evidence)
    evidence = [value / whole for value in evidence]
    kept = [
        replace(model, weight=weight)
        for (model, _), weight in zip(found, evidence, strict=True)
        if weight >= LEAST
    ]
    kept.sort(key=lambda model: -model.weight)
    if share := given.get("pool", 0.0) * (len(waiting) > 1 and data.pool == inf):
        rest = sum(model.weight for model in kept)
        pool = _pool(data, empty, kept[0], noise)
        kept.append(replace(pool, weight=rest * share / (1.0 - share)))
    total, servers = sum(model.weight for model in kept), max(data.runs, key=load_of).servers
    fills = [st.with_values(empty, m.parameters, m.values).busiest(servers) for m in kept]
    kept = [
        replace(_drifting(model, station), weight=model.weight / total)
        for model, station in zip(kept, fills, strict=True)
    ]
    return tuple(replace(model, admissible=True, reason=CARRIED) for model in kept)


def _idle(
    data: CalibrationData, plain: FittedModel, mean: float, deviation: float
) -> list[st.Parameter]:
    """What idling costs at each station; of a drive how far it serves side by side instead."""
    search = Search(ratio=False, low=0.0, high=MOST)
    found = []
    for parameter, demand in zip(plain.parameters, plain.values, strict=True):
        if parameter.sets == "demand":
            k, part = parameter.place[1], felt(demand)
            alone = all(run.servers[k] == 1 for run in data.runs)
            if station_kind(data.stations[k]) == "disk" and alone:
                found.append(parallel_service.expected(data.stations[k], k))
                continue
            found.append(st.Parameter(
                f"power of idling of {data.stations[k]}", "1", "idling", (k,), (part * mean,),
                search, neutral=part * mean, scale=0.2, expected=part * deviation,
            ))  # fmt: skip
    return found


def _drifting(model: FittedModel, station: int) -> FittedModel:
    """A model whose demand at saturation, and hidden delay, are not quite what its law says."""
    own = {(p.sets, p.place) for p in model.parameters}
    if ("coherency", (station,)) in own:
        return model
    drift = st.Parameter(
        "drift at saturation", "1", "coherency", (station,), (0.0,),
        Search(ratio=False, low=-0.5, high=5.0), neutral=0.0, scale=2.0 * DRIFT,
    )  # fmt: skip
    count = len(model.values)
    rows = [[*row, 0.0] for row in model.covariance]
    for i, (parameter, value) in enumerate(zip(model.parameters, model.values, strict=True)):
        if parameter.sets == "hidden_delay":
            rows[i][i] += (DRIFT * value) ** 2
    covariance = (*map(tuple, rows), (*(0.0,) * count, DRIFT**2))
    return replace(
        model, parameters=(*model.parameters, drift), values=(*model.values, 0.0),
        standard_errors=(*(sqrt(row[i]) for i, row in enumerate(rows)), DRIFT),
        covariance=covariance,
    )  # fmt: skip


def _expected(parameter: st.Parameter, data: CalibrationData) -> st.Parameter:
    """A law's own parameter with what is expected of it; a delay is compared to response times."""
    spread = _spread(parameter)
    if parameter.sets == "hidden_delay":
        times = [d.measurement.value for d in data.numbers if d.quantity == "response_time"]
        spread = max(spread, SPREAD["hidden_delay"] * min(times, default=0.0))
    near = min(
        max((parameter.neutral or 0.0) + 0.3 * spread, parameter.search.low), parameter.search.high
    )  # a little away from where it does nothing
    return replace(parameter, expected=spread, starts=(near, *parameter.starts))


def _spread(parameter: st.Parameter) -> float:
    return parameter.expected or SPREAD[parameter.sets] * (parameter.scale or 1.0)


def _fitted(
    data: CalibrationData, empty: ServiceModel, known: Sequence[st.Parameter],
    extension: st.Extension, structure: str, noise: float,
) -> FittedModel:  # fmt: skip
    """A law fitted to the data and to the priors of its own parameters."""
    free = (*known, *(_expected(p, data) for p in extension.parameters))
    found = fit_model(data, empty, free, noise)
    return model_of(data, extension.name, structure, free, found).widened(noise)


def _evidence(model: FittedModel, noise: float) -> float:
    """Logarithm of the evidence, but for the prior weight and what all laws share."""
    import numpy as np

    value = -0.5 * model.chi_square / noise**2
    sizes = np.array([abs(v) or 1.0 for v in model.values])
    for i in [i for i, p in enumerate(model.parameters) if p.neutral is not None]:
        parameter = model.parameters[i]
        spread = _spread(parameter)
        away = model.values[i] - (parameter.neutral or 0.0)
        value -= 0.5 * (away / spread) ** 2 + log(spread)
        sizes[i] = 1.0
    sign, determinant = np.linalg.slogdet(np.array(model.covariance) / np.outer(sizes, sizes))
    return value + 0.5 * float(determinant) if sign > 0 else -inf


def smallest_pool(
    data: CalibrationData, empty: ServiceModel, model: FittedModel, noise: float
) -> int:
    """The smallest pool that the data do not exclude. [customers]"""
    service = st.with_values(empty, model.parameters, model.values)
    most = max(map(load_of, data.runs))
    size = 1
    while size < most:
        misfit = chi_square_of(data, replace(service, pool=(float(size),)))
        if misfit - model.chi_square < NEEDED * noise**2:
            break
        size += max(1, size // 4)
    return size


def _pool(
    data: CalibrationData, empty: ServiceModel, best: FittedModel, noise: float
) -> FittedModel:
    """The best law in a pool that the data do not exclude."""
    size = LARGER * smallest_pool(data, empty, best, noise)
    pool = st.Parameter(
        "size of pool", "1", "pool", (0,), (size,), Search(ratio=True), neutral=0.0, scale=size
    )
    error = UNCERTAIN * size
    count = len(best.values)
    covariance = (*((*row, 0.0) for row in best.covariance), (*(0.0,) * count, error**2))
    return replace(
        best, name=f"{best.name} and a pool", structure="pool",
        parameters=(*best.parameters, pool), values=(*best.values, size),
        standard_errors=(*best.standard_errors, error), covariance=covariance,
    )  # fmt: skip
