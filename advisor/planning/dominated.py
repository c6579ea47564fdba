"""Options that another one makes pointless: it sets the same key, takes no more, brings as much.

Options that set different keys are not compared: both can be done, and the plan says what the
second brings after the first.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from advisor.configuration.changes import Key
from advisor.configuration.configuration import Configuration
from advisor.findings.records import EFFORTS, Advice, Missed
from advisor.findings.targets import missed
from advisor.planning.effects import NOTICEABLE, variant_pairs
from advisor.planning.rejection import served
from advisor.planning.trial import keys_of
from advisor.predicting.outlook import Prediction
from advisor.predicting.prediction import predict

#: What is predicted with an option, and the targets missed then.
Then = tuple[Prediction, tuple[Missed, ...]]
_ROUNDING = 1e-9
#: Below this utilization it does not matter that an option leaves less room than another. [1]
BUSY = 0.80
#: Keys whose number is how many of a part there are.
_COUNTS: tuple[Key, ...] = (
    ("server", "cpus"), ("server", "cores"), ("disk", "drives"), ("lan", "segments"),
)  # fmt: skip


def without_dominated(advice: Sequence[Advice], configuration: Configuration) -> list[Advice]:
    """The same options, in order; those that another one makes pointless are rejected.

    One is pointless if another one that sets the same key takes less and brings no measurably
    smaller gain, or takes the same, of no more keys, and brings more: for every class of users, by
    every calibration, with no benefit beyond the model and no side effect that would speak for it,
    and with no target missed that is met with it.
    """
    after: dict[int, Then] = {}
    for each in [a for a in advice if a.recommended]:
        changed = each.option.change.apply(configuration)
        prediction = predict(changed)
        after[id(each)] = prediction, missed(changed, prediction.outlook)
    kept: list[Advice] = []
    dominated: dict[int, Advice] = {}
    # The cheapest first: what is compared with is never itself pointless.
    for each in sorted((a for a in advice if id(a) in after), key=_cost):
        better = next((k for k in kept if _dominates(k, each, after)), None)
        if better is None:
            kept = [k for k in kept if not _drop(each, k, after, dominated)]
            kept.append(each)
        else:
            dominated[id(each)] = better
    return [_rejected(a, dominated[id(a)]) if id(a) in dominated else a for a in advice]


def _drop(
    new: Advice, old: Advice, after: Mapping[int, Then], dominated: dict[int, Advice]
) -> bool:
    """Whether a later option of the same cost makes an earlier one pointless."""
    if not _dominates(new, old, after):
        return False
    for key, better in dominated.items():
        if better is old:
            dominated[key] = new
    dominated[id(old)] = new
    return True


def _rejected(advice: Advice, better: Advice) -> Advice:
    title = better.option.change.title
    takes = "takes less" if _takes_less(better, advice) else "takes no more"
    brings = "brings as much" if _takes_less(better, advice) else "brings more"
    return replace(advice, rejected=f'"{title}" {takes} and {brings}', reason="dominated")


def _dominates(one: Advice, other: Advice, after: Mapping[int, Then]) -> bool:
    mine, theirs = one.option, other.option
    if "server" in {mine.effort, theirs.effort} or not keys_of(one) & keys_of(other):
        return False
    if theirs.benefit not in {"", mine.benefit}:
        return False
    counted = _fewer_of_a_part(one, other)
    if not counted and not set(mine.side_effects) <= set(theirs.side_effects):
        return False
    if one.risk and other.risk and one.risk[1] > max(BUSY, other.risk[1] + NOTICEABLE):
        return False  # less room is left where there is little
    (my_time, my_targets), (their_time, their_targets) = after[id(one)], after[id(other)]
    if served(their_targets, my_targets).caused:
        return False
    ratios = list(_ratios(my_time, their_time))
    if _takes_less(one, other):
        return max(ratios) <= 1.0 + NOTICEABLE
    same = mine.effort == theirs.effort != "part" and keys_of(one) <= keys_of(other)
    return same and max(ratios) <= 1.0 + _ROUNDING and min(ratios) <= 1.0 - NOTICEABLE


def _takes_less(one: Advice, other: Advice) -> bool:
    """What costs no hardware takes less than what does; of one part, fewer take less."""
    mine, theirs = one.option.effort, other.option.effort
    if mine == theirs == "part":
        return _fewer_of_a_part(one, other)
    return EFFORTS.index(mine) < EFFORTS.index(theirs)


def _fewer_of_a_part(one: Advice, other: Advice) -> bool:
    """Whether both set the same keys to the same values but for fewer of some part."""
    mine, theirs = dict(one.option.change.settings), dict(other.option.change.settings)
    if mine.keys() != theirs.keys():
        return False
    differ = [key for key in mine if mine[key] != theirs[key]]
    return bool(differ) and all(
        key in _COUNTS and _number(mine[key]) < _number(theirs[key]) for key in differ
    )


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) else 1.0


def _ratios(one: Prediction, other: Prediction) -> Iterable[float]:
    """Response time of each class of users by each calibration, one's by the other's."""
    users = [c.name for c in one.outlook.classes if not c.batch]
    for _, i, j in variant_pairs(one.ways, other.ways):
        mine, theirs = one.times[i], other.times[j]
        for name in users:
            if name in theirs and theirs[name] > 0.0:
                yield mine[name] / theirs[name]


def _cost(advice: Advice) -> tuple[int, float]:
    option = advice.option
    counts = [_number(v) for key, v in option.change.settings if key in _COUNTS]
    return EFFORTS.index(option.effort), sum(counts)
