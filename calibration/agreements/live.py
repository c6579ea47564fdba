"""Recorded systems calibrated at a quarter of saturation, the rest predicted; see THEORY.md."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf, log, sqrt
from statistics import fmean, linear_regression, median

from calibration.agreements.agreement import Agreement
from calibration.agreements.comparison import Comparison, for_one_more
from calibration.agreements.live_corpus import Level, LiveRecording
from calibration.agreements.live_tails import WITHIN, live_tails
from calibration.agreements.published import Published
from calibration.agreements.system import System
from calibration.agreements.universal_scalability import fitted_law
from calibration.fitting.calibrate import calibrate
from calibration.fitting.far_reach import WEIGHTS
from calibration.predicting.prediction import predict_all
from calibration.structures.idling import POWER

#: What is compared: as levels and as predictions call it, and its unit.
METRICS = (
    ("throughput", "throughput", "1/s"), ("response_time", "response_time", "s"),
    ("utilization", "utilization:cpu", "1"),
)  # fmt: skip

#: Systems that `WEIGHTS` are worth beside those that weights are chosen from; numbers of a system
#: that decide between laws, for they share its faults; what counts as a standard deviation, and how
#: many of them at most. [1]
SYSTEMS, NUMBERS, OFF, WORST = 4.0, 4.0, 0.05, 5.0

Progress = Callable[[int, int], object]


def live_agreements(
    found: Sequence[LiveRecording], progress: Progress | None = None
) -> tuple[Agreement, ...]:
    """Each recording predicted with weights of laws that were chosen without its system."""
    told = progress or (lambda _, __: None)
    count, parts = len(found), []
    for i, each in enumerate(found):
        told(i, 2 * count)
        parts.append(responsibilities(judged(each, WEIGHTS)))
    agreements = []
    powers = [idling_of(each) for each in found]
    for i, each in enumerate(found):
        told(count + i, 2 * count)
        apart = [k for k, other in enumerate(found) if other.system != each.system]
        others = [power for k in apart if (power := powers[k]) is not None]
        known = _typical(others) if len(others) > 2 else POWER
        agreements.append(judged(each, weights_of([parts[k] for k in apart]), known))
    return tuple(agreements)


def _typical(powers: Sequence[float]) -> tuple[float, float]:
    """Median, and the standard deviation that the median deviation says: one may be no power."""
    middle = median(powers)
    return middle, 1.4826 * median(abs(power - middle) for power in powers)


def idling_of(recording: LiveRecording) -> float | None:
    """The power by which its processor takes less for a request, from a quarter of saturation on.

    By least squares of the logarithms of utilization over throughput and of throughput; None where
    no higher level was recorded.
    """
    levels = recording.levels(recording.variants[0])
    high = [n for n in levels if 0.2 * recording.saturation <= n.users <= recording.saturation]
    if len(high) < 3:
        return None
    logs = [(log(n.users), log(n.utilization / n.throughput)) for n in high]
    slope, _ = linear_regression(*zip(*logs, strict=True))
    return max(0.0, -slope)


def weights_of(others: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Prior weights of laws by their parts in what predicts some systems, and `WEIGHTS`."""
    total = SYSTEMS + len(others)
    return {
        law: (SYSTEMS * weight + sum(each.get(law, 0.0) for each in others)) / total
        for law, weight in WEIGHTS.items()
    }


def responsibilities(found: Agreement) -> dict[str, float]:
    """The part of each law in what predicts the higher levels of a system from the lower ones.

    What a law cannot speak of it predicts as badly as counts.
    """
    assert found.system.calibration is not None
    models = found.system.calibration.admissible
    numbers = [dict(c.by_model) | {"": c.published.value} for c in found.comparisons if not c.note]
    parts: dict[str, float] = {}
    for model in models:
        off = [min(WORST, abs(log(each[model.name] / each[""])) / OFF) if model.name in each
               else WORST for each in numbers]  # fmt: skip
        fit = exp(-0.5 * NUMBERS * fmean(x * x for x in off)) if off else 1.0
        parts[model.structure] = parts.get(model.structure, 0.0) + model.weight * fit
    total = sum(parts.values())
    return {law: part / total for law, part in parts.items()}


def judged(
    recording: LiveRecording, weights: Mapping[str, float], idling: tuple[float, float] = POWER
) -> Agreement:
    """Every number of a system above the fitted levels and after its changes."""
    calibration = calibrate(recording.fitted, anyway=True, weights=weights, idling=idling)
    plain = calibrate(recording.fitted, anyway=True, weights={})
    most = max(run.population[0] for run in calibration.data.runs if run.population)
    fitted = [n for n in recording.levels(recording.variants[0]) if n.users <= most]
    compared = []
    beyond = [*live_tails(recording, calibration, most)]
    for variant in recording.variants:
        changed = variant is not recording.variants[0]
        for level in recording.levels(variant):
            if not changed and level.users <= most:
                continue
            change = {**recording.known, **variant.change, "think_time": level.think_time}
            (said,) = predict_all(calibration, [level.users], change)
            (other,) = predict_all(plain, [level.users], change)
            naive = dict(_baselines(fitted, level))
            values = []
            for name, metric, unit in METRICS:
                found = next(each for each in said.metrics if each.name == metric)
                noise = calibration.data.noise.of(*metric.split(":", 1)) * calibration.widening
                error = max(noise / sqrt(level.runs), level.errors[name])
                range_ = for_one_more(found.interval, error * found.interval.mid)
                others = (*naive[name], ("likelihood", other[metric].mid))
                measured = getattr(level, name)
                values.append((name, unit, measured, range_, found.by_model, others))
            for tail in beyond:
                if tail.users == level.users and not changed:
                    range_ = tail.predicted(calibration, values[1][3])
                    values.append((tail.name, "s", tail.measured, range_, (), ()))
            for name, unit, measured, range_, by_model, others in values:
                row = f"{variant.name}, {level.users} users"
                compared.append(
                    Comparison(
                        Published(
                            recording.name, row, name, recording.title, unit,
                            measured, measured, 0.0,
                        ),
                        variant.name, name.replace("_", " "), f"N = {level.users}", "held out",
                        "laws", range_, by_model=by_model,
                        baselines=others,
                        extrapolated=said.beyond,
                        known_failure=recording.causes.get(variant.name, ""),
                        note=variant.says if changed else "",
                    )
                )  # fmt: skip
    system = System(
        recording.name, recording.title, f"fitted up to {most} users", (),
        lambda: tuple(compared), calibration=calibration,
    )  # fmt: skip
    return Agreement(system, tuple(compared))


def _baselines(
    fitted: Sequence[Level], level: Level
) -> Iterator[tuple[str, tuple[tuple[str, float], ...]]]:
    """Throughput, response time and utilization by a straight line, and by Gunther's law."""
    last = fitted[-1]
    law = fitted_law([n.users for n in fitted], [n.throughput for n in fitted])
    more, rate = level.users / last.users, law(level.users)
    line = (last.throughput * more, last.response_time, last.utilization * more)
    usl = (
        rate, max(0.0, level.users / rate - level.think_time),
        last.utilization * rate / law(last.users),
    )  # fmt: skip
    for (name, _, _), one, other in zip(METRICS, line, usl, strict=True):
        yield name, (("line", one), ("USL", other))


@dataclass(frozen=True, slots=True)
class Reached:
    """How well levels and changes are predicted, as shares of them. [1]"""

    #: Throughput within 5 %, utilization within 5 points, response time in its interval.
    throughput: float
    utilization: float
    inside: float
    #: Median of the response times.
    half_width: float
    #: Percentiles within `live_tails.WITHIN`; None where none was recorded.
    p95: float | None
    p99: float | None


def reached(found: Sequence[Comparison], baseline: str = "") -> Reached:
    """Of some comparisons, or of what a baseline says in their place, which has no interval."""
    rates, times, busy = (
        [c for c in found if c.metric == name]
        for name in ("throughput", "response time", "utilization")
    )

    def off(c: Comparison) -> float:
        said = dict(c.baselines)[baseline] if baseline else c.predicted.mid
        return abs(said - c.published.value)

    return Reached(
        fmean(off(c) <= 0.05 * c.published.value for c in rates),
        fmean(off(c) <= 0.05 for c in busy), 0.0 if baseline else fmean(c.inside for c in times),
        inf if baseline else median(c.half_width for c in times),
        *(_near(found, f"p{100 * share:g}", within) for share, within in WITHIN.items()),
    )  # fmt: skip


def _near(found: Sequence[Comparison], metric: str, within: float) -> float | None:
    some = [c for c in found if c.metric == metric]
    return fmean(c.error is not None and abs(c.error) <= within for c in some) if some else None
