"""Which fitted models are admissible, and how much each counts.

A model is admissible if three things hold. Its own parameters are known: a structure on which the
data say nothing is reported as such instead of spreading every prediction. It is within noise of
the best: Akaike's criterion, chi-square plus twice the number of parameters, is at most 6 above
the least, which is a weight of one in twenty against the best [1]_. And it is not product form
again under another name, with a hidden delay of nothing.

Where the best model fits worse than noise makes one of a hundred tables, all standard errors are
widened by the square root of chi-square over degrees of freedom.

References
----------
.. [1] K. P. Burnham and D. R. Anderson, "Model Selection and Multimodel Inference," 2nd ed.,
   Springer, 2002, ch. 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import exp, inf, isfinite, sqrt

from calibration.estimation.data import CalibrationData
from calibration.fitting.fitted_model import FittedModel

#: Models whose criterion is further above the least have a weight under 5 % of the best's.
WITHIN_NOISE = 6.0

#: Chance of a fit as bad, at which the noise is taken to be larger than stated. [1]
TOO_BAD = 0.01

#: Fall of chi-square against product form that calls for a structure even if its parameter is not
#: known well: 5 % of chance.
NEEDED = 3.84

#: A parameter this close to the end of its search, relatively, is at the end. [1]
AT_THE_END = 1e-5


def judged(
    data: CalibrationData, models: Sequence[FittedModel]
) -> tuple[tuple[FittedModel, ...], float]:
    """Models in the order of their criterion, with their weights, and the factor on all errors."""
    widening = widening_of(data, models)
    wide = [_widened(m, widening) for m in models]
    criterion = {m.name: m.chi_square / widening**2 + 2.0 * len(m.values) for m in wide}
    own = _not_their_own(wide, widening)
    serious = [m for m in wide if not own[m.name]] or wide[:1]
    least = min(criterion[m.name] for m in serious)
    found = []
    for model in wide:
        above = criterion[model.name] - least
        admissible = above <= WITHIN_NOISE and model in serious
        reason = "the best" if above == 0.0 else "within noise of the best"
        if not admissible:
            reason = own[model.name] or f"Akaike's criterion is {above:.3g} above the least"
        weight = exp(-above / 2.0) if admissible else 0.0
        found.append(replace(model, admissible=admissible, weight=weight, reason=reason))
    total = sum(m.weight for m in found)
    found = [replace(m, weight=m.weight / total) for m in found]
    # Fits that differ by rounding alone stay in the order of the structures.
    found.sort(key=lambda m: (not m.admissible, round(criterion[m.name], 6)))
    return tuple(found), widening


def widening_of(data: CalibrationData, models: Sequence[FittedModel]) -> float:
    """The factor on all standard errors, by the best of the models that are their own."""
    from scipy.special import chdtrc

    own = _not_their_own(models, 1.0)
    serious = [m for m in models if not own[m.name]] or models[:1]
    best = min(serious, key=lambda m: m.chi_square + 2.0 * len(m.values))
    freedom = len(data.numbers) - len(best.values)
    if freedom < 1 or float(chdtrc(freedom, best.chi_square)) >= TOO_BAD:
        return 1.0
    return sqrt(best.chi_square / freedom)


def _not_their_own(models: Sequence[FittedModel], widening: float) -> dict[str, str]:
    """Why each model has nothing of its own to say; empty for those that have."""
    plain = [m.chi_square for m in models if all(p.neutral is None for p in m.parameters)]
    return {m.name: _not_its_own(m, min(plain, default=inf), widening) for m in models}


def _not_its_own(model: FittedModel, plain: float, widening: float) -> str:
    if not isfinite(model.chi_square):
        return "it has no steady state under the measured loads"
    needed = plain - model.chi_square > NEEDED * widening**2
    neutral = {i: p.neutral for i, p in enumerate(model.parameters) if p.neutral is not None}
    own = list(neutral)
    idle = [i for i in own if _is_idle(model, i, neutral[i])]
    if own and idle == own:
        return f"no {model.parameters[own[0]].name} is called for"
    for i in own:
        value, error = model.values[i], model.standard_errors[i]
        parameter = model.parameters[i]
        if not isfinite(error):
            return f"the data do not see the {parameter.name}"
        ends = [end for end in (parameter.search.low, parameter.search.high) if isfinite(end)]
        if i not in idle and any(abs(value - end) <= AT_THE_END * abs(end) for end in ends):
            return f"the {parameter.name} went to the end of its range, {value:.3g}"
        if not model.identified(i) and not needed:
            return f"the data do not fix the {parameter.name}: {value:.3g} +- {error:.2g}"
    return ""


def _is_idle(model: FittedModel, i: int, neutral: float) -> bool:
    """Whether a parameter came out at the value at which it does nothing."""
    return abs(model.values[i] - neutral) <= AT_THE_END * model.parameters[i].scale


def _widened(model: FittedModel, factor: float) -> FittedModel:
    if factor == 1.0:
        return model
    return replace(
        model,
        standard_errors=tuple(e * factor for e in model.standard_errors),
        covariance=tuple(tuple(c * factor**2 for c in row) for row in model.covariance),
    )
