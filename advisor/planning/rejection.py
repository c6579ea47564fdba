"""Why an option is not recommended: no answer, worse, or not worth the trouble; see THEORY.md."""

from collections.abc import Sequence
from dataclasses import dataclass

from advisor.findings.records import Effect, Missed, Option, Reason, Trade
from advisor.findings.words import percent, points, shown_as, signed
from advisor.planning.effects import NOTICEABLE, felt
from qmodel.errors import FileError, QmodelError, Unstable

#: How many targets are or may be missed, and how many of them for certain: fewer is better.
Graveness = tuple[int, int]
#: Every target is met.
MET: Graveness = (0, 0)


@dataclass(frozen=True, slots=True)
class Served:
    """What a change does to the targets."""

    #: Missed without it, and no longer or less certainly with it.
    ended: tuple[Missed, ...] = ()
    #: Missed with it, and not or less certainly without it.
    caused: tuple[Missed, ...] = ()
    #: Whether fewer are missed with it, all told.
    fewer: bool = False

    @property
    def serves(self) -> bool:
        """Whether it ends a missed target and causes no new one."""
        return bool(self.ended) and not self.caused


#: What is done where there is no target to serve.
NO_TARGET = Served()


def served(before: Sequence[Missed], after: Sequence[Missed]) -> Served:
    """What a change does to the targets that are missed without and with it."""
    return Served(
        _graver(before, after), _graver(after, before), graveness(after) < graveness(before)
    )


def graveness(missed: Sequence[Missed]) -> Graveness:
    """How many targets are or may be missed, and how many of them for certain."""
    return len(missed), sum(each.certain for each in missed)


def _graver(these: Sequence[Missed], than: Sequence[Missed]) -> tuple[Missed, ...]:
    """Those of some that are missed more certainly than among others."""
    others = {each.what: each.certain for each in than}
    return tuple(m for m in these if m.what not in others or m.certain > others[m.what])


#: A response time that grows by more than this is worse; less is inside the model's own error.
WORSE = 0.01


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why an option that was tried is not recommended: the kind of reason, and in words."""

    reason: Reason
    why: str


def without_answer(error: QmodelError) -> Rejection:
    """Why an option is rejected whose server cannot be predicted."""
    if isinstance(error, FileError):
        where = f"{error.key}: " if error.key else ""
        return Rejection("not buildable", f"{where}{error.problem}")
    if isinstance(error, Unstable):
        return Rejection("no steady state", f"there would be no steady state: {error}")
    return Rejection("no answer", f"no answer was found: {error}")


def why_rejected(
    option: Option, found: Sequence[Effect], targets: Served = NO_TARGET
) -> Rejection | None:
    """Why an option with these effects is not worth taking; None if it is.

    It is not if the server lies outside the range in which it is known to hold. It is if it ends a
    missed target and causes no new one. Else it is not if it causes one, if it makes some class of
    users wait longer by more than the model's own error, or if it changes nothing that anybody
    could measure and ends no failure the model cannot see. What is for something else than speed is
    never rejected for being slower: it is a trade then, see `advisor.planning.rejection`.
    """
    if option.outside:
        return Rejection("outside range", option.outside)
    if option.benefit or targets.serves:
        return None
    if targets.caused and not targets.fewer:
        return Rejection("worse", would_miss(targets.caused))
    if longer := waits_longer(found):
        return Rejection("worse", f"{longer.metric} would grow by {percent(longer.change.mid)}")
    times = [e for e in found if e.unit == "s"]
    if min(e.change.mid for e in times) <= -NOTICEABLE:
        return None
    best = min([e for e in found if e.unit == "1"], key=lambda e: e.after.mid - e.before.mid)
    if best.after.mid - best.before.mid <= -NOTICEABLE:
        return None
    return Rejection(
        "too small",
        f"makes no difference that could be measured (response times {signed(felt(found))}, "
        f"{best.metric} {points(best.before.mid, best.after.mid)})",
    )


def would_miss(caused: Sequence[Missed]) -> str:
    """Which targets would be missed that are not, in words."""
    return ", ".join(
        f"{m.what} {'would' if m.certain else 'might'} miss the target of "
        + shown_as(m.unit)[1](m.limit)
        for m in caused
    )


def waits_longer(found: Sequence[Effect]) -> Effect | None:
    """The response time that grows most, if by more than the model's own error."""
    worst = max((e for e in found if e.unit == "s"), key=lambda e: e.change.mid)
    return worst if worst.change.mid > WORSE else None


def trade(
    option: Option, found: Sequence[Effect], targets: Served, missed: tuple[Missed, ...], *,
    promised: bool,
) -> Trade | None:  # fmt: skip
    """What an option costs that is for something else than speed; None if it costs nothing.

    None also without a benefit, where no response time grows by more than the model's own error,
    and where it ends a missed target and causes no new one: that decides.
    """
    cost = waits_longer(found)
    if cost is None or not option.benefit or targets.serves:
        return None
    return Trade(cost, promised, missed, targets.caused)
