"""A plan as a record: steps, what was left out and why, and what it costs if a model is wrong."""

from dataclasses import dataclass
from typing import Literal

from advisor.findings.records import Advice, Effect, Missed

#: Why an option that is worth taking alone is no step of the plan.
LeftFor = Literal["too small", "instead", "not needed", "worse", "not buildable"]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a plan, made after all steps before it."""

    advice: Advice
    #: Of all steps so far together, against the configuration as it is.
    effect: tuple[Effect, ...]
    #: On the first class's response time by this step, after those before it.
    gain: Effect
    #: Targets still missed after it.
    missed: tuple[Missed, ...]
    #: Targets missed before it that it ends.
    ends: tuple[Missed, ...] = ()
    #: The response time that grows most by it, if one does by more than the model's own error.
    price: Effect | None = None


@dataclass(frozen=True, slots=True)
class Left:
    """An option that is worth taking alone and is no step of the plan."""

    #: The option, with its effects when taken alone.
    advice: Advice
    #: Why: it brings nothing after the steps, one of them sets the same key, the targets are met
    #: without it, it would lengthen a response time or miss a
    #: target after them, or it cannot be built then.
    reason: LeftFor
    #: The same in words.
    why: str
    #: On the first class's response time after all steps; None where it cannot be taken then.
    gain: Effect | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do together, in order."""

    #: In order.
    steps: tuple[Step, ...]
    #: Options worth taking alone that are no step, with the reason.
    left: tuple[Left, ...]
    #: Targets still missed after all steps.
    missed: tuple[Missed, ...] = ()
    #: Most users that would meet the targets after all steps; None where they are met.
    fit: int | None = None
