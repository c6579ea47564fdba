"""Calibration: all admissible structures fitted to measured runs, side by side; see THEORY.md."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import inf, sqrt

from calibration.audits.audit import audit
from calibration.audits.contradiction import Contradiction
from calibration.audits.laws.littles_law import LAW as LITTLE
from calibration.audits.laws.percentiles import LAW as PERCENTILES
from calibration.audits.laws.units import LAW as UNITS
from calibration.audits.noise import Noise
from calibration.audits.shipped import observations, user_observations
from calibration.estimation.data import UNSTATED, CalibrationData
from calibration.estimation.fit import Fit, NotCalibratable, check_count
from calibration.fitting.admissible import judged, noise_factor, scatter
from calibration.fitting.far_reach import carried, short
from calibration.fitting.first_gain import first_gain
from calibration.fitting.fitted_model import Calibration, FittedModel
from calibration.fitting.measured_tails import of_a_mixture, tail_shapes
from calibration.fitting.observed_data import calibration_data
from calibration.fitting.one_model import fit_model, going_on_from, model_of
from calibration.fitting.replicates import MEASURED, of_replicates
from calibration.fitting.unknowns import blind_parameters, unknowns
from calibration.model_evaluation.model import ServiceModel
from calibration.printed_tables.table import MeasuredTable
from calibration.recordings.user_table import UserTable
from calibration.structures import STRUCTURES
from calibration.structures.idling import POWER
from calibration.structures.product_form import base
from calibration.structures.structure import Extension, Parameter, Structure, with_values
from qmodel.errors import InvalidInput

#: A second model is worth extending if its chi-square is at most this multiple of the best's.
CLOSE = 2.0

#: Repeated runs never agree better than this. [1]
COPIED = 0.001

#: The audit accuses, so it takes the whole difference between two runs for noise.
CAUTION = sqrt(2.0)

#: Runs that scatter about the best model by more than this many times the usual are not explained.
NOISY = 5.0

#: A second structure is fitted if its first step would lower chi-square by this many variances.
WORTH = 1.0
#: Structures that limit throughput, which shows beside a delay that was not measured.
LIMITS = ("pool", "quota")
#: A demand below so much of the largest is none. [1]
NOTHING = 1e-5

Progress = Callable[[int, int], object]


def calibrate(
    table: UserTable | MeasuredTable, candidates: Iterable[Structure] = STRUCTURES, *,
    noise: Noise | None = None, configuration: str | None = None, anyway: bool = False,
    weights: Mapping[str, float] | None = None, idling: tuple[float, float] = POWER,
    progress: Progress | None = None,
) -> Calibration:  # fmt: skip
    """Fit models to a table of measured runs.

    Parameters
    ----------
    table : UserTable or MeasuredTable
        One row a run, at one population or several.
    candidates : iterable of Structure
        What may hold beside product form.
    noise : Noise, optional
        Of one run, where it is known; estimated from the data by default.
    configuration : str, optional
        Use the rows of this configuration alone.
    anyway : bool
        Go on where the audit finds a contradiction that no structure explains, and name it.
    weights : mapping, optional
        Prior weights of laws where the runs do not reach half of saturation, see `far_reach`; empty
        for the likelihood alone.
    idling : (float, float)
        Power of idling that is expected there, and its standard deviation. [1]
    progress : callable, optional
        Told how many models of how many are fitted.

    Returns
    -------
    Calibration
        The models, best first; what the data do not say, and what would.

    Raises
    ------
    NotCalibratable
        If the table contradicts itself in a way that no structure explains, or cannot fix the
        parameters; the text says what to do.

    Examples
    --------
    >>> from calibration.recordings.user_table import parse_user_table
    >>> found = calibrate(parse_user_table('''users,think_time [s],throughput [1/s],cpu
    ... 1,2,0.400,20.0
    ... 4,2,1.379,68.9
    ... 8,2,1.939,97.0
    ... '''))
    >>> found.best.name, round(found.best.value("demand of cpu"), 2)
    ('product form', 0.5)
    """
    if isinstance(table, UserTable):
        table = table.of_configuration(configuration)
    usual = _usual(table) if noise is None else noise
    if isinstance(table, UserTable):
        found, source = user_observations(table, usual), table.path
    else:
        found, source = observations((table,), usual), table.name
    data = calibration_data(found, source, usual, configuration)
    try:
        fitted = calibrate_data(
            data, candidates, known_noise=noise is not None, weights=weights, idling=idling,
            progress=progress,
        )  # fmt: skip
    except NotCalibratable:
        wrong = audit(table, noise=usual.scaled(CAUTION)).contradictions
        little = [each for each in wrong if each.law in {LITTLE.name, UNITS.name}]
        if little and not anyway:
            raise NotCalibratable(_refusal(source, little)) from None
        raise
    # What breaks a law of constant demands may be what a structure is made for, or noise.
    factor, scatters = scatter(data, fitted.best)
    if noise is not None:
        factor, scatters = 1.0, fitted.widening == 1.0
    wide = usual.scaled(min(max(1.0, factor), NOISY) * CAUTION)
    contradictions = audit(table, noise=wide).contradictions
    explained = scatters and factor <= NOISY
    # No structure is fitted to percentiles, and none explains them.
    of_means = [each for each in contradictions if each.law != PERCENTILES.name]
    sure = [each for each in of_means if not explained or each.size == inf]
    if sure and not anyway:
        raise NotCalibratable(_refusal(source, sure))
    why = f"; explained by the model {fitted.best.name!r}"
    told = [each for each in of_means if each not in sure]
    named = tuple(_named(each) + why * (each in told) for each in contradictions)
    if isinstance(table, UserTable):
        data = replace(fitted.data, notes=(*fitted.data.notes, *of_a_mixture(fitted, table)))
        fitted = replace(fitted, data=data, shapes=tail_shapes(fitted, table))
    return replace(fitted, contradictions=named)


def calibrate_data(
    data: CalibrationData, candidates: Iterable[Structure] = STRUCTURES, *,
    known_noise: bool = False, weights: Mapping[str, float] | None = None,
    idling: tuple[float, float] = POWER, progress: Progress | None = None,
) -> Calibration:  # fmt: skip
    """As `calibrate`, of runs that are at hand already and are not audited."""
    empty, parameters = base(data)
    if not parameters:
        raise NotCalibratable(f"{data.source}: no measured number is above 0")
    _check_count(data, parameters)
    try:
        plain = fit_model(data, empty, parameters)
    except NotCalibratable:
        if problem := _busier(data):
            raise NotCalibratable(problem) from None
        raise
    if none := _none(parameters, plain):
        gone = ", ".join(parameters[i].name for i in none)
        said = f"{gone} came out as none; measure another mix of classes to be sure"
        data = replace(data, notes=(*data.notes, said))
        parameters = tuple([each for i, each in enumerate(parameters) if i not in none])
        plain = fit_model(data, empty, parameters)
    if plain.blind:
        raise NotCalibratable(blind_parameters(data, empty, parameters, plain))
    start = with_values(empty, parameters, plain.values)
    known = [replace(p, starts=(v,)) for p, v in zip(parameters, plain.values, strict=True)]
    refused: list[tuple[str, str]] = []
    waiting = []
    for structure in candidates:
        reason = structure.why_not(data)
        if reason is not None:
            refused.append((structure.name, reason))
            continue
        waiting += [
            (structure, each)
            for each in structure.extensions(data, start)
            if not {p.name for p in parameters} & {p.name for p in each.parameters}  # in the base
        ]
    models = []
    for done, (structure, extension) in enumerate(waiting):
        if progress is not None:
            progress(done, len(waiting))
        try:
            models.append(_extended(data, empty, known, plain, structure.name, extension))
        except NotCalibratable as error:
            refused.append((extension.name, str(error).removeprefix(f"{data.source}: ")))
    factor = noise_factor(data, models, known_noise=known_noise) if models else 0.0
    models = [_as_expected(data, empty, each, factor) for each in models]
    if factor > 1.0:
        models += _pairs(data, empty, models, waiting, WORTH * factor**2)
    if progress is not None:
        progress(len(waiting), len(waiting))
    if not models:
        raise NotCalibratable("; ".join(f"{name}: {reason}" for name, reason in refused))
    # A pair is the best of all that there could be, not of the few that a first look left.
    adding = [
        structure.name
        for structure, each in waiting
        if each.parameters and not each.parameters[0].expected
    ]
    pairs = sum(one != other for one, other in combinations(adding, 2))
    found, widening = judged(data, models, known_noise=known_noise, pairs=pairs)
    if short(data) and weights != {}:
        product = next((m for m in found if m.structure == "product form"), None)
        if product is not None:
            laws = carried(data, empty, product, waiting, widening, weights, idling)
            names = {model.name for model in laws}
            found = (*laws, *(_left_out(m) for m in found if m.name not in names))
    calibration = Calibration(data, empty.reference, found, tuple(refused), widening)
    return replace(calibration, unknown=unknowns(calibration))


def _left_out(model: FittedModel) -> FittedModel:
    """A model without a part in what all laws say of higher loads."""
    reason = "too unlikely" if model.admissible else model.reason
    return replace(model, admissible=False, weight=0.0, reason=reason)


def _none(parameters: Sequence[Parameter], found: Fit) -> list[int]:
    """Demands of one of several classes that the search brought down to nothing."""
    demands = [i for i, each in enumerate(parameters) if each.sets == "demand"]
    least = NOTHING * max((found.values[i] for i in demands), default=0.0)
    return [i for i in demands if (i,) in found.blind and found.values[i] < least]


def _busier(data: CalibrationData) -> str:
    """What is said of a station whose utilization does not rise with the rate."""
    for station in data.stations:
        measured = data.utilizations(station)
        rows = [(sum(data.runs[run].arrival_rate or ()), busy) for run, busy in measured]
        (least, one), (most, other) = min(rows), max(rows)
        if least and one / least > 1.5 * other / most:
            seen = f"{one:.0%} busy at {least:.3g} requests/s and {other:.0%} at {most:.3g}"
            why = "other work keeps it busy, or the files do not cover the same load"
            return f"{data.source}: {station} is {seen}: {why}"
    return ""


def _usual(table: UserTable | MeasuredTable) -> Noise:
    """The noise of a run where none is stated: that of repeated runs, or `UNSTATED`.

    A quantity that came out alike to a thousandth each time was copied rather than measured.
    """
    if not isinstance(table, UserTable) or not any(
        column.quantity == "population" for column in table.columns
    ):
        return UNSTATED
    try:
        found = of_replicates(table)
    except InvalidInput:
        return UNSTATED
    return replace(
        UNSTATED, **{name: found.of(name) for name in MEASURED if found.of(name) > COPIED},
        at=tuple(each for each in found.at if each[1] > COPIED),
    )  # fmt: skip


def _extended(
    data: CalibrationData, empty: ServiceModel, known: Sequence[Parameter], plain: Fit,
    structure: str, extension: Extension,
) -> FittedModel:  # fmt: skip
    """A model with what a structure adds, from the parameters of the one without it."""
    free = (*known, *extension.parameters)
    _check_count(data, free)
    if not extension.parameters:
        return model_of(data, extension.name, structure, free, plain)
    return _without_idle(data, empty, extension.name, structure, free)


def _without_idle(
    data: CalibrationData, empty: ServiceModel, name: str, structure: str, free: Sequence[Parameter]
) -> FittedModel:
    """A fitted model; a station that background work alone keeps busy has no demand in it."""
    found = fit_model(data, empty, free)
    idle = set()
    for k in (p.place[0] for p in free if p.sets == "background"):
        here = [i for i, p in enumerate(free) if p.sets == "demand" and p.place[1] == k]
        variance = sum(found.covariance[i][j] for i in here for j in here)
        blind = any(found.standard_errors[i] == inf for i in here)
        if blind or sum(found.values[i] for i in here) ** 2 < variance:
            idle |= set(here)
    if idle:
        free = [each for i, each in enumerate(free) if i not in idle]
        found = fit_model(data, empty, free)
    return model_of(data, name, structure, free, found)


def _as_expected(
    data: CalibrationData, empty: ServiceModel, model: FittedModel, noise: float
) -> FittedModel:
    """A model of whose parameters something is expected, fitted again with the noise now known."""
    if not any(p.expected for p in model.parameters):
        return model
    known = [
        replace(p, starts=(going_on_from(p, v),))
        for p, v in zip(model.parameters, model.values, strict=True)
    ]
    found = fit_model(data, empty, known, noise)
    return model_of(data, model.name, model.structure, known, found)


def _pairs(
    data: CalibrationData, empty: ServiceModel, models: Sequence[FittedModel],
    waiting: Sequence[tuple[Structure, Extension]], worth: float,
) -> list[FittedModel]:  # fmt: skip
    """The best extended model, and the second if it is close, each with one more structure.

    A structure whose first step would lower chi-square by less than ``worth`` is not fitted. A pool
    alone limits little: it is held while requests wait for what was not measured.
    """
    extended = [
        m
        for m in models
        if any(p.neutral is not None for p in m.parameters)
        and not any(p.expected for p in m.parameters)
    ]
    extended.sort(key=lambda m: round(m.chi_square, 6))
    found: dict[frozenset[str], FittedModel] = {}
    close = [m for m in extended[:2] if m.chi_square <= CLOSE * extended[0].chi_square]
    delayed = [m for m in extended if m.structure == "hidden delay" and m not in close]
    for first in (*close, *delayed):
        known = [
            replace(p, starts=(v,)) for p, v in zip(first.parameters, first.values, strict=True)
        ]
        for structure, extension in waiting:
            names = frozenset({first.name, extension.name})
            alone = not extension.parameters or extension.parameters[0].expected
            if alone or structure.name == first.structure or names in found:
                continue
            if first in delayed and structure.name not in LIMITS:
                continue
            free = (*known, *extension.parameters)
            try:
                _check_count(data, free)
                gain = first_gain(data, empty, known, extension.parameters, first.residuals)
                if gain < worth:
                    continue
                found[names] = _without_idle(
                    data, empty, f"{first.name} and {extension.name}",
                    f"{first.structure} and {structure.name}", free,
                )  # fmt: skip
            except NotCalibratable:
                continue  # a pair is an attempt; its parts have been reported
    return list(found.values())


def _check_count(data: CalibrationData, parameters: Sequence[Parameter]) -> None:
    expected = sum(p.expected > 0.0 for p in parameters)
    try:
        check_count(len(parameters), len(data.numbers) + expected)
    except NotCalibratable as error:
        names = ", ".join(p.name for p in parameters)
        raise NotCalibratable(f"{data.source}: {error} (parameters: {names})") from None


def _refusal(source: str, found: Sequence[Contradiction]) -> str:
    first, *others = found
    more = f" (and {len(others)} more; see qmodel audit)" if others else ""
    place = f"{source}:{first.lines[0]}" if first.lines else source
    return (
        f"{place}: {first.law}: {first.message}{more}; {first.resolves}; "
        "or use calibrate --anyway, which reports it"
    )


def _named(each: Contradiction) -> str:
    rows = ", ".join(each.rows) if len(each.rows) <= 3 else f"{len(each.rows)} rows"
    return f"{each.law} ({rows}): {each.message}"
