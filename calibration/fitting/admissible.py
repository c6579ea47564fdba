"""Which fitted models are admissible, what each counts, and the noise of runs; see THEORY.md."""

from collections.abc import Sequence
from dataclasses import replace
from math import erf, exp, inf, isfinite, log, sqrt
from statistics import median

from calibration.estimation.data import CalibrationData
from calibration.fitting.fitted_model import FittedModel

#: Models whose criterion is further above the least have a weight under 5 % of the best's.
WITHIN_NOISE = 6.0

#: Chance of a fit as bad, at which a stated noise is taken to be larger than stated. [1]
TOO_BAD = 0.01

#: Numbers that the usual noise of a run is worth beside those that were measured.
PRIOR = 3.0

#: Fall of chi-square against product form that calls for a structure even if its parameter is not
#: known well: 5 % of chance.
NEEDED = 3.84

#: Standard deviation over the median size of a normal number. [1]
NORMAL = 1.4826

#: A parameter this close to the end of its search, relatively, is at the end. [1]
AT_THE_END = 1e-5


def judged(
    data: CalibrationData, models: Sequence[FittedModel], *, known_noise: bool = False,
    pairs: int = 0,
) -> tuple[tuple[FittedModel, ...], float]:  # fmt: skip
    """Models in the order of their criterion, with their weights, and the factor on all errors.

    ``pairs`` is how many pairs of structures there are, fitted or not.
    """
    factor = noise_factor(data, models, known_noise=known_noise, pairs=pairs)
    wide = [m.widened(factor) for m in models]
    criterion = _criteria(data, wide, factor if known_noise else None, pairs)
    own = _not_their_own(wide, factor)
    serious = [m for m in wide if not own[m.name]] or wide[:1]
    least = min(criterion[m.name] for m in serious)
    found = []
    for model in wide:
        above = criterion[model.name] - least
        admissible = above <= WITHIN_NOISE and model in serious
        reason = "the best" if above == 0.0 else "within noise of the best"
        if not admissible:
            reason = own[model.name] or "fits clearly worse"
        weight = exp(-above / 2.0) if admissible else 0.0
        found.append(replace(model, admissible=admissible, weight=weight, reason=reason))
    total = sum(m.weight for m in found)
    found = [replace(m, weight=m.weight / total) for m in found]
    # Fits that differ by rounding alone stay in the order of the structures.
    found.sort(key=lambda m: (not m.admissible, round(criterion[m.name], 6)))
    return tuple(found), factor


def noise_factor(
    data: CalibrationData, models: Sequence[FittedModel], *, known_noise: bool = False,
    pairs: int = 0,
) -> float:  # fmt: skip
    """The noise of a run relative to that of the data, by the best of the models of their own."""
    own = _not_their_own(models, 1.0)
    serious = [m for m in models if not own[m.name]] or models[:1]
    criterion = _criteria(data, models, 1.0 if known_noise else None, pairs)
    best = min(serious, key=lambda m: criterion[m.name])
    freedom = len(data.numbers) - len(best.values)
    if not known_noise:
        return sqrt((PRIOR + best.chi_square) / (PRIOR + freedom))
    from scipy.special import chdtrc

    if freedom < 1 or float(chdtrc(freedom, best.chi_square)) >= TOO_BAD:
        return 1.0
    return sqrt(best.chi_square / freedom)


def scatter(data: CalibrationData, best: FittedModel) -> tuple[float, bool]:
    """The noise by the median residual, which one wrong row does not move, and whether it is all.

    The second is False where chi-square is beyond what such noise makes one of a hundred times.
    """
    from scipy.special import chdtrc

    freedom = len(data.numbers) - len(best.values)
    if freedom < 1:
        return 1.0, True
    middle = NORMAL * median(abs(r) for r in best.residuals)
    factor = sqrt(max(1.0, middle**2 * len(data.numbers) / freedom))
    return factor, float(chdtrc(freedom, best.chi_square / factor**2)) >= TOO_BAD


def _criteria(
    data: CalibrationData, models: Sequence[FittedModel], known: float | None, pairs: int
) -> dict[str, float]:
    """-2 ln of each model's marginal likelihood and prior odds, but for a constant."""
    count = len(data.numbers)
    # By the parameters that are there by supposition: neither demands nor what is expected.
    kinds = {
        m.name: len({p.sets for p in m.parameters if p.neutral is not None and not p.expected})
        for m in models
    }
    found = {}
    for model in models:
        if known is None:  # what is off by less than runs usually are tells no more than that
            beyond = max(model.chi_square, count)
            misfit = (count + PRIOR) * log(PRIOR + beyond) + model.chi_square - beyond
        else:
            misfit = model.chi_square / known**2
        kind = kinds[model.name]
        alike = max(sum(each == kind for each in kinds.values()), pairs if kind > 1 else 0)
        free = sum(not p.expected for p in model.parameters)
        found[model.name] = misfit + free * log(count) + 2.0 * log(alike) + _unexpected(model)
    return found


def _unexpected(model: FittedModel) -> float:
    """-2 ln of what the parameters of which something is expected bring to the likelihood.

    With half-normal priors of deviations t, values v and the covariance S of the posterior that is

        sum of (v / t)^2 + ln(t^2) - ln det S - 2 ln(2 Phi(v / s)).
    """
    import numpy as np

    some = [i for i, p in enumerate(model.parameters) if p.expected]
    if not some:
        return 0.0
    sizes = np.array([model.parameters[i].expected for i in some])
    values = np.array([model.values[i] for i in some]) / sizes
    covariance = np.array(model.covariance)[np.ix_(some, some)] / np.outer(sizes, sizes)
    _, volume = np.linalg.slogdet(covariance)
    spread = np.sqrt(2.0 * np.diag(covariance))
    inside = [1.0 + erf(v / s) for v, s in zip(values, spread, strict=True)]
    return float(values @ values - volume - 2.0 * np.log(inside).sum())


def _not_their_own(models: Sequence[FittedModel], widening: float) -> dict[str, str]:
    """Why each model has nothing of its own to say; empty for those that have."""
    plain = [m.chi_square for m in models if all(p.neutral is None for p in m.parameters)]
    return {m.name: _not_its_own(m, min(plain, default=inf), widening) for m in models}


def _not_its_own(model: FittedModel, plain: float, widening: float) -> str:
    if not isfinite(model.chi_square):
        return "it has no steady state under the measured loads"
    needed = plain - model.chi_square > NEEDED * widening**2
    neutral = {
        i: p.neutral
        for i, p in enumerate(model.parameters)
        if p.neutral is not None and not p.expected
    }
    own = list(neutral)
    # At the value at which a parameter does nothing.
    reach = [AT_THE_END * p.scale for p in model.parameters]
    idle = [i for i in own if abs(model.values[i] - neutral[i]) <= reach[i]]
    if own and idle == own:
        return "not called for"
    for i in own:
        value, error = model.values[i], model.standard_errors[i]
        parameter = model.parameters[i]
        if not isfinite(error):
            return f"the data do not see the {parameter.name}"
        ends = [end for end in (parameter.search.low, parameter.search.high) if isfinite(end)]
        if parameter.sets in {"parallel", "pool"}:  # all side by side, or one at a time, is a law
            ends = ends[1:] if parameter.sets == "pool" else []
        if i not in idle and any(abs(value - end) <= AT_THE_END * abs(end) for end in ends):
            return f"the {parameter.name} went to the end of its range, {value:.3g}"
        if not model.identified(i) and not needed:
            known = f"{value:.3g} {parameter.known_to(error)}"
            return f"the data do not fix the {parameter.name}: {known}"
    return ""
