"""Numbers in words: the same rounding and units in every report."""

from collections.abc import Callable, Sequence
from functools import partial
from math import inf

from advisor.findings.records import Evidence
from calibration.estimation.data import NOT_MEASURED
from calibration.estimation.interval import Range

#: Bytes of what is printed as a megabyte of memory.
MIB = 1024.0**2
#: Units that are things: of one there is no plural.
_COUNTED = (" drives", " users", " buffers", " runs")


def seconds(value: float) -> str:
    """A time with the unit that suits its size.

    Examples
    --------
    >>> seconds(0.0123), seconds(4.2), seconds(1472.3)
    ('12.3 ms', '4.2 s', '1472 s')
    >>> seconds(inf)
    'unbounded'
    """
    if value == inf:
        return "unbounded"
    if value >= 1000:
        return f"{value:.0f} s"
    if value >= 1 or value == 0:
        return f"{value:.3g} s"
    return f"{value * 1e3:.3g} ms"


def counted(count: int, what: str) -> str:
    """A number of things.

    Examples
    --------
    >>> counted(1, "user"), counted(20, "user")
    ('1 user', '20 users')
    """
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def memory_size(size: float) -> str:
    """Bytes of memory in the unit that suits them; a server of 1995 had megabytes.

    Examples
    --------
    >>> memory_size(96 * 1024**2), memory_size(1024**3), memory_size(2048 * 1024**3)
    ('96 MB', '1024 MB', '2048 GB')
    >>> memory_size(9 * 1024**4), memory_size(1234567 * 1024**2)
    ('9 TB', '1206 GB')
    """
    gigabytes = size / 1024**3
    if gigabytes > 4096:
        return f"{_plain(gigabytes / 1024, 4)} TB"
    return f"{_plain(gigabytes, 4)} GB" if gigabytes >= 2 else f"{_plain(size / MIB, 4)} MB"


def resource_name(name: str) -> str:
    """A resource as it is called in reports.

    Examples
    --------
    >>> resource_name("cpu"), resource_name(NOT_MEASURED)
    ('cpu', 'an unmeasured queue')
    """
    return "an unmeasured queue" if name == NOT_MEASURED else name


def busiest(risk: tuple[str, float]) -> str:
    """The busiest resource and the upper end of its utilization.

    Examples
    --------
    >>> busiest(("cpu", 0.953)), busiest((NOT_MEASURED, 0.71))
    ('cpu is the busiest, up to 95 %', 'an unmeasured queue is the busiest, up to 71 %')
    """
    name, most = risk
    return f"{resource_name(name)} is the busiest, up to {percent(most)}"


def percent(value: float) -> str:
    """A fraction as a percentage.

    Examples
    --------
    >>> percent(0.9003), percent(0.0249)
    ('90 %', '2.5 %')
    """
    return f"{value * 100:.0f} %" if value >= 0.0995 else f"{value * 100:.1f} %"


def signed(value: float) -> str:
    """A relative change as a signed percentage.

    Examples
    --------
    >>> signed(-0.0834), signed(0.0004)
    ('-8.3 %', '+0.0 %')
    """
    shown = round(value * 100, 1) + 0.0  # no minus sign on zero
    return f"{shown:+.1f} %"


def points(before: float, after: float) -> str:
    """The difference of two fractions in signed percentage points.

    Examples
    --------
    >>> points(0.42, 0.405), points(0.9, 0.89999)
    ('-1.5 points', '+0.0 points')
    """
    shown = round((after - before) * 100, 1) + 0.0  # no minus sign on zero
    return f"{shown:+.1f} points"


def seconds_range(found: Range) -> str:
    """Middle and interval of a time."""
    if found.low < found.high == inf:
        return f"{seconds(found.mid)} ({seconds(found.low)} or more)"
    if _same(found) or seconds(found.low) == seconds(found.high):
        return seconds(found.mid)
    low, high = (seconds(v).rsplit(" ", 1) for v in (found.low, found.high))
    unit = seconds(found.mid).rsplit(" ", 1)[1]
    if low[1] == high[1] == unit:
        return f"{seconds(found.mid)} ({low[0]} to {high[0]})"
    return f"{seconds(found.mid)} ({' '.join(low)} to {' '.join(high)})"


def percent_range(found: Range) -> str:
    """Middle and interval of a fraction.

    Examples
    --------
    >>> percent_range(Range(0.86, 0.90, 0.94))
    '90 % (86 to 94)'
    """
    return percent(found.mid) if _same(found) else _between(found, percent, " %")


def signed_range(found: Range) -> str:
    """Middle and interval of a relative change.

    Examples
    --------
    >>> signed_range(Range(-0.12, -0.08, -0.05))
    '-8.0 % (-12.0 to -5.0)'
    """
    return _between(found, signed, " %")


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

    Examples
    --------
    >>> busy = Evidence("utilization", 90.0, "%", "computed", "a law", 80.0)
    >>> speed = Evidence("speed", 1.2, "1", "computed", "a law")
    >>> printed = [Evidence(name, 1.0, "s", "measured", "a paper") for name in ("one", "two")]
    >>> [each.metric for each in deciding([busy, speed, *printed])]
    ['utilization', 'one']
    >>> [each.metric for each in deciding([speed])]
    ['speed']
    """
    first = next((each for each in evidence if each.how == "measured"), None)
    found = tuple(each for each in evidence if each.threshold is not None or each is first)
    return found or tuple(evidence[:1])


def number_range(found: Range) -> str:
    """Middle and interval of a bare number.

    Examples
    --------
    >>> number_range(Range(0.5, 1.0, 2.0)), number_range(Range(3.0, 3.0, 3.0))
    ('1 (0.5 to 2)', '3')
    """
    if found.high == inf:
        return "unbounded" if found.low == inf else f"{found.low:.4g} or more"
    return _between(found, "{:.4g}".format)


def points_range(found: Range) -> str:
    """Middle and interval of the difference of two fractions.

    Examples
    --------
    >>> points_range(Range(-0.25, -0.2, -0.1))
    '-20.0 points (-25.0 to -10.0)'
    """
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


def crowd(users: int, arrival_rate: float | None) -> str:
    """How many users there are, or how many requests arrive.

    Examples
    --------
    >>> crowd(200, None), crowd(200, 5.0)
    ('200 users', '5 requests/s')
    """
    return counted(users, "user") if arrival_rate is None else f"{arrival_rate:.6g} requests/s"
