"""What-if: a configuration and changed ones side by side, calibration against itself."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from advisor.configuration.changed_keys import change_of, changed
from advisor.configuration.changes import Change
from advisor.configuration.configuration import Configuration
from advisor.configuration.promises import tail_name
from advisor.findings.records import Missed
from advisor.findings.targets import bottleneck_of, missed
from advisor.findings.unmeasured import unmeasured
from advisor.planning.effects import NOTICEABLE, Pairs, relative_change, variant_pairs, with_middle
from advisor.predicting.outlook import Outlook, Prediction
from advisor.predicting.prediction import predict
from calibration.agreements.ensemble import combine, combine_changes
from calibration.estimation.data import NOT_MEASURED
from calibration.estimation.interval import Range
from qmodel.errors import InvalidInput

#: A rise beyond which intervals are on the scale of ratios: no time falls by more than all. [1]
DOUBLED = 1.0


@dataclass(frozen=True, slots=True)
class Difference:
    """One number before and after a change."""

    #: What it measures: "response time", a percentile of it such as "p95", "throughput",
    #: "utilization", "queue length".
    quantity: str
    #: The class or the resource.
    of: str
    #: "s", "1/s", "1" or "customers".
    unit: str
    #: Predicted without and with the change.
    before: Range
    after: Range
    #: After less before, each calibration against itself. [unit]
    difference: Range
    #: The same relative to before; None where that is 0. [1]
    change: Range | None
    #: Calibrations that differ from the middle on the sign.
    disagree: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Alternative:
    """One changed configuration."""

    #: What it is called.
    title: str
    #: Key, old and new value; None where there was or will be none.
    settings: tuple[tuple[str, Any, Any], ...]
    #: With the change; times are infinite where there is no steady state.
    outlook: Outlook
    #: Of each class of users, then of each resource.
    differences: tuple[Difference, ...]
    #: Targets that are or may be missed with it.
    missed: tuple[Missed, ...] = ()
    #: What is legal but probably not meant.
    warnings: tuple[str, ...] = ()
    #: Why there is no steady state; empty where there is one.
    unstable: str = ""
    #: What was not measured and yet makes users wait, in a sentence.
    unmeasured: str = ""
    #: What is called the bottleneck with it, a pool too, and how busy that is. [1]
    busiest: tuple[str, Range] = ("", Range(0.0, 0.0, 0.0))


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A configuration as it is, and its alternatives."""

    #: As it is.
    before: Outlook
    #: Targets that are or may be missed as it is.
    missed: tuple[Missed, ...]
    #: In the order asked for.
    alternatives: tuple[Alternative, ...]
    #: What is called the bottleneck as it is, and how busy that is. [1]
    busiest: tuple[str, Range]


def whatif(
    configuration: Configuration, alternatives: Mapping[str, Sequence[str]] | Sequence[Change]
) -> WhatIf:
    """Predict a configuration and changed ones.

    Parameters
    ----------
    configuration : Configuration
        From `advisor.load_config`.
    alternatives : mapping of str to sequence of str, or sequence of Change
        Each alternative's name and its settings, ``{"mirrored": ["disk.raid=raid10"]}``.

    Raises
    ------
    qmodel.InvalidInput
        One line with the setting that is wrong.
    """
    if isinstance(alternatives, Mapping):
        changes = [
            change_of(configuration, tuple(settings), title)
            for title, settings in alternatives.items()
        ]
    else:
        changes = list(alternatives)
    if not changes:
        raise InvalidInput("no alternative is given; use for example --set disk.raid=raid10")
    # What is asked wrongly is said before anything is solved.
    configurations = [changed(configuration, change) for change in changes]
    now = predict(configuration)
    return WhatIf(
        now.outlook,
        missed(configuration, now.outlook),
        tuple(
            _alternative(configuration, change, after, now)
            for change, after in zip(changes, configurations, strict=True)
        ),
        bottleneck_of(configuration, now.outlook),
    )


def differences(before: Prediction, after: Prediction) -> Iterator[Difference]:
    """Each class's response time and throughput, each resource's utilization and queue length.

    Classes that are in one of the two alone are left out, and what was not measured unless a
    calibration knows of it.
    """
    there = {c.name: c for c in after.outlook.classes}
    pairs = variant_pairs(before.ways, after.ways)
    for was in [c for c in before.outlook.classes if not c.batch and c.name in there]:
        name, will = was.name, there[was.name]
        yield _difference("response time", name, "s", pairs, before.times, after.times)
        for share in (p for of, p in before.tails[0] if of == name and (of, p) in after.tails[0]):
            old, new = ([{name: t[name, share]} for t in each.tails] for each in (before, after))
            found = _difference(tail_name(share), name, "s", pairs, old, new)
            yield _beside(found, was.within(share), will.within(share))
        yield _difference("throughput", name, "1/s", pairs, before.throughputs, after.throughputs)
    known = {r.name for r in after.outlook.resources}
    if not before.ways[0].weight:
        known -= {NOT_MEASURED}
    for name in [r.name for r in before.outlook.resources if r.name in known]:
        yield _difference(
            "utilization", name, "1", pairs, before.utilizations, after.utilizations, 1.0
        )
        if all(q[name] or not u[name] for each in (before, after)
               for q, u in zip(each.queue_lengths, each.utilizations, strict=True)):  # fmt: skip
            # Else one of them is overloaded elsewhere, and how many are here is not known.
            queues = before.queue_lengths, after.queue_lengths
            yield _difference("queue length", name, "customers", pairs, *queues)


_Values = Sequence[Mapping[str, float]]


def _difference(
    quantity: str, name: str, unit: str, pairs: Pairs, old: _Values, new: _Values, most: float = inf
) -> Difference:
    ways = [way for way, _, _ in pairs]
    was = [min(old[i][name], most) for _, i, _ in pairs]
    will = [min(new[j][name], most) for _, _, j in pairs]
    apart = [n - o if n < inf or o < inf else 0.0 for o, n in zip(was, will, strict=True)]
    relative = None
    if min(was) > 0.0:
        relative = [relative_change(o, n) for o, n in zip(was, will, strict=True)]
    own = {w.member: r for w, r in zip(ways, relative or apart, strict=True) if w.axis == 0}
    middle = sum(own.values()) / len(own)
    before, after = combine(ways, was, most), combine(ways, will, most)
    by = combine_changes(ways, apart)
    difference = Range(*(round(end, 12) + 0.0 for end in (by.low, by.mid, by.high)))
    change = combine_changes(ways, relative) if relative else None
    if relative and max(relative) > DOUBLED:  # so far apart on the scale of ratios
        ratio = combine(ways, [1.0 + each for each in relative])
        change = Range(ratio.low - 1.0, ratio.mid - 1.0, ratio.high - 1.0)
        if before.mid < inf:
            difference = Range(*(before.mid * end for end in (change.low, change.mid, change.high)))
    disagree = tuple(m for m, r in own.items() if r * middle < 0 and abs(r) > NOTICEABLE)
    found = Difference(quantity, name, unit, before, after, difference, change, disagree)
    return _beside(found, before, after)


def _beside(found: Difference, was: Range, will: Range) -> Difference:
    """A difference whose middle is that of the two numbers shown beside it."""
    apart = with_middle(found.difference, will.mid - was.mid)
    ratio = found.change and with_middle(found.change, relative_change(was.mid, will.mid))
    return replace(found, before=was, after=will, difference=apart, change=ratio)


def _alternative(
    configuration: Configuration, change: Change, after: Configuration, now: Prediction
) -> Alternative:
    settings = change.diff(configuration.data)
    warnings = tuple(w for w in after.warnings if w not in configuration.warnings)
    then = predict(after)
    return Alternative(
        change.title, settings, then.outlook, tuple(differences(now, then)),
        missed(after, then.outlook), warnings, then.unstable, unmeasured(after),
        bottleneck_of(after, then.outlook),
    )  # fmt: skip
