"""Which classes of requests stand in a table: the few that matter, where their mix varies."""

import re
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean, stdev

import numpy as np

from calibration.recordings.percentiles import SHARES
from calibration.recordings.series import REST, Series

#: Classes that are kept one by one, their least part of all requests, and how much the part of one
#: must vary between periods that demands can be told apart. [1]
MOST, PART, VARIES = 4, 0.02, 0.05


def by_class(
    series: Sequence[Series], periods: Sequence[tuple[float, float]], *, wanted: bool
) -> tuple[list[Series], str]:
    """Series with what each class asks in place of users and of all, if that says more.

    It does where there are no users, or it is wanted, and the mix varies between more periods than
    there are classes. The other result is a line that says what was done; it may be empty.
    """
    whole = next((each for each in series if each.name == "throughput"), None)
    parts = [each for each in series if each.quantity == "throughput" and each.of]
    apart = [each for each in series if not (each.quantity in SHARES and each.of)]
    if whole is None or len(parts) < 2:
        return apart, ""
    total = float(whole.value @ whole.interval)
    parts.sort(key=lambda each: (each.of == REST, -float(each.value @ each.interval)))
    kept = [s for s in parts if s.of != REST and s.value @ s.interval > PART * total][:MOST]
    times = [_times(series, [each]) for each in kept]
    if len(kept) < len(parts):
        rest = [each for each in parts if all(each is not other for other in kept)]
        if any(len(each.end) != len(rest[0].end) for each in rest):
            return apart, ""
        kept.append(replace(rest[0], of=REST, value=sum(each.value for each in rest)))
        times.append(_times(series, rest))
    kept = [replace(each, of=_plain(each.of)) for each in kept]
    timed = [replace(t, of=each.of) for t, each in zip(times, kept, strict=True) if t]
    shares = [[(each.mean(*p) or 0.0) / (whole.mean(*p) or 1.0) for p in periods] for each in kept]
    names = ", ".join(f"{each.of} {fmean(s):.0%}" for each, s in zip(kept, shares, strict=True))
    varies = len(periods) > len(kept) and any(stdev(each) > VARIES for each in shares)
    if not varies:
        why = "their mix hardly varies" if len(periods) > len(kept) else "too few periods"
        return apart, f"classes {names} are together in the table: {why}"
    if not wanted and any(each.name == "population" for each in series):
        return apart, f"classes {names}: --by-class writes their rates in place of users"
    others, time = {"throughput", "population", "think_time"}, "response_time"
    stay = [s for s in apart if s.quantity not in others and not (s.quantity == time and s.of)]
    if len(timed) < len(kept):
        return stay + kept, f"classes: {names}"
    tails = [replace(s, of=_plain(s.of)) for s in series if s.quantity in SHARES and s.of != REST]
    tails = [s for s in tails if any(s.of == each.of for each in kept)]
    stay = [s for s in stay if not tails or s.quantity not in SHARES]
    return stay + kept + timed + tails, f"classes: {names}"


def _plain(name: str) -> str:
    """A class as a heading of a table can have it."""
    return re.sub(r"[^\w./ -]+", "_", name)


def _times(series: Sequence[Series], classes: Sequence[Series]) -> Series | None:
    """Response times of classes together; None where they, or their requests, are not known."""
    names = {each.of for each in classes}
    found = [s for s in series if s.quantity == "response_time" and s.of in names]
    if len(found) == 1 == len(names):
        return found[0]
    if not found or any(each.weight is None for each in found):
        return None
    of_each = ((s.end, s.interval, s.value, s.weight) for s in found)
    return Series(
        found[0].quantity, REST, found[0].host, *map(np.concatenate, zip(*of_each, strict=True))
    )
