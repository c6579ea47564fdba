"""Numbers in words: the same rounding and units in every report."""

from collections.abc import Callable, Sequence
from functools import partial
from math import inf

from advisor.findings.records import Effect, Evidence, Missed
from calibration.estimation.data import NOT_MEASURED
from calibration.estimation.interval import Range
from calibration.hardware.hardware import is_pool

#: Bytes of what is printed as a megabyte of memory.
MIB = 1024.0**2
#: Units that are things: of one there is no plural.
_COUNTED = (" drives", " users", " buffers", " runs")
#: Digits at most that tell a number from its limit.
_DIGITS = 7
_ENDS_OVERLOAD = "ends overload"


def seconds(value: float, more: int = 0) -> str:
    """A time with the unit that suits its size, with so many more digits."""
    if value == inf:
        return "unbounded"
    digits = f"#.{3 + more}g" if more else ".3g"
    if value >= 999.5:
        return f"{value:.{more}f} s"
    if value >= 0.9995 or value == 0:
        return f"{value:{digits}} s"
    return f"{value * 1e3:{digits}} ms"


def counted(count: int, what: str) -> str:
    """A number of things."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def memory_size(size: float) -> str:
    """Bytes of memory in the unit that suits them; a server of 1995 had megabytes."""
    gigabytes = size / 1024**3
    if gigabytes > 4096:
        return f"{_plain(gigabytes / 1024, 4)} TB"
    return f"{_plain(gigabytes, 4)} GB" if gigabytes >= 2 else f"{_plain(size / MIB, 4)} MB"


def resource_name(name: str) -> str:
    """A resource as it is called in reports."""
    return {NOT_MEASURED: "an unmeasured queue", "admission": "a full pool"}.get(name, name)


def busiest(risk: tuple[str, float]) -> str:
    """The busiest resource and the upper end of its utilization."""
    name, most = risk
    return f"{resource_name(name)} is the busiest, up to {percent(most)}"


def tier_unit(name: str) -> str:
    """What the servers of a tier are: cores of a machine, or places of a pool."""
    return "place" if is_pool(name) else "core"


def percent(value: float, more: int = 0) -> str:
    """A fraction as a percentage, with so many more digits."""
    return f"{value * 100:.{more if value >= 0.0995 else more + 1}f} %"


def signed(value: float) -> str:
    """A relative change as a signed percentage."""
    shown = round(value * 100, 1) + 0.0  # no minus sign on zero
    return f"{shown:+.1f} %"


def points(before: float, after: float) -> str:
    """The difference of two fractions in signed percentage points."""
    shown = round((after - before) * 100, 1) + 0.0  # no minus sign on zero
    return f"{shown:+.1f} points"


def seconds_range(found: Range, more: int = 0) -> str:
    """Middle and interval of a time."""
    least, middle, most = (seconds(end, more) for end in (found.low, found.mid, found.high))
    if found.low < found.high == inf:
        return f"{middle} ({least} or more)"
    if _same(found) or least == most:
        return middle
    low, high = least.rsplit(" ", 1), most.rsplit(" ", 1)
    if low[1] == high[1] == middle.rsplit(" ", 1)[1]:
        return f"{middle} ({low[0]} to {high[0]})"
    return f"{middle} ({least} to {most})"


def percent_range(found: Range, more: int = 0) -> str:
    """Middle and interval of a fraction."""
    words = partial(percent, more=more)
    return words(found.mid) if _same(found) else _between(found, words, " %")


def signed_range(found: Range) -> str:
    """Middle and interval of a relative change."""
    return _between(found, signed, " %")


def relative(before: Range, after: Range, change: str) -> str:
    """A relative change in words, or that there is a steady state where there was none."""
    return _ENDS_OVERLOAD if before.mid == inf > after.mid else change


def brings(effect: Effect) -> str:
    """What an effect is relative to what there was."""
    return relative(effect.before, effect.after, signed(effect.change.mid))


def brings_range(effect: Effect) -> str:
    """The same with its interval."""
    return relative(effect.before, effect.after, signed_range(effect.change))


def of_metric(said: str, effect: Effect) -> str:
    """What an effect brings, and to what; the end of an overload is of all."""
    return said if said == _ENDS_OVERLOAD else f"{said} of {effect.metric}"


def shown_as(
    unit: str, limit: float | None = None, *found: Range
) -> tuple[Callable[[Range], str], Callable[[float], str]]:
    """How a range and a number are written: of times where the unit is "s", else of fractions.

    With as many digits as tell those of some ranges that are beyond a limit from the limit.
    """
    ranges, alone = (seconds_range, seconds) if unit == "s" else (percent_range, percent)
    more = 0
    if limit is not None:
        beyond = [r.mid if r.mid > limit else r.high for r in found if r.high > limit]
        differ = (n for n in range(_DIGITS) if alone(limit, n) not in [alone(b, n) for b in beyond])
        more = next(differ, 0)
    return partial(ranges, more=more), partial(alone, more=more)


def missed_text(missed: Missed) -> str:
    """A missed target: what is predicted, and what was promised."""
    if missed.unit == "1" and missed.predicted.mid > 1.0:  # of a pool or a quota
        times = _between(missed.predicted, "{:.3g}".format)
        return f"{times} times what fills the {missed.of}"
    show, alone = shown_as(missed.unit, missed.limit, missed.predicted)
    return f"{missed.what} {show(missed.predicted)}, target {alone(missed.limit)}"


def users_range(found: Range) -> str:
    """Middle and interval of a number of users, whole ones."""
    return _between(found, "{:.0f}".format)


def evidence_text(evidence: Evidence) -> str:
    """How a number is known, the number, its threshold and its source, in one line."""
    size = 1.0
    unit = "" if evidence.unit == "1" else f" {evidence.unit}"
    if evidence.unit == "s" and abs(evidence.value) < 1.0:
        unit, size = " ms", 1e3
    limit = ""
    if evidence.threshold is not None:
        limit = f", threshold {_plain(size * evidence.threshold, 6)}{_of(evidence.threshold, unit)}"
    value = f"{_plain(size * evidence.value, 4)}{_of(evidence.value, unit)}"
    return f"{evidence.how}: {evidence.metric} {value}{limit} [{evidence.source}]"


def _of(value: float, unit: str) -> str:
    """The unit of a value: one drive, not one drives."""
    return unit.removesuffix("s") if value == 1.0 and unit in _COUNTED else unit


def deciding(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """What decides: numbers held against a threshold, and the first of a source if there is one.

    Without any of these, the first number.
    """
    first = next((each for each in evidence if each.how == "measured"), None)
    found = tuple(each for each in evidence if each.threshold is not None or each is first)
    return found or tuple(evidence[:1])


def number_range(found: Range) -> str:
    """Middle and interval of a bare number."""
    if found.high == inf:
        return "unbounded" if found.low == inf else f"{found.low:.4g} or more"
    return _between(found, "{:.4g}".format)


def points_range(found: Range) -> str:
    """Middle and interval of the difference of two fractions."""
    return _between(found, partial(points, 0.0), " points")


def _between(found: Range, words: Callable[[float], str], unit: str = "") -> str:
    low, high = (words(value).removesuffix(unit) for value in (found.low, found.high))
    return words(found.mid) if low == high else f"{words(found.mid)} ({low} to {high})"


def _plain(value: float, digits: int) -> str:
    """So many digits, or all before the point: numbers of users and megabytes have no exponent."""
    return f"{value:.0f}" if abs(value) >= 10**digits else f"{value:.{digits}g}"


def _same(found: Range) -> bool:
    return found.high - found.low <= 1e-9 * abs(found.mid)


def capital(text: str) -> str:
    """A text with a capital letter, as a sentence has."""
    return text[:1].upper() + text[1:]


def load_text(load: float) -> str:
    """Users, or requests per second, to four digits and never with an exponent."""
    return f"{load:.4g}" if load < 9999.5 else f"{load:.0f}"


def crowd(users: int, arrival_rate: float | None) -> str:
    """How many users there are, or how many requests arrive."""
    if arrival_rate is None:
        return counted(users, "user")
    return f"{load_text(arrival_rate)} requests/s"
