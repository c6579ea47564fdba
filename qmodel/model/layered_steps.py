"""Steps of an entry: work, choices, parallel branches, repetitions, the answer; see THEORY.md."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from qmodel.errors import InvalidNetwork
from qmodel.model.validation import Shown, assign, finite, not_negative

#: By name, in the order of the calls.
Calls = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True, repr=False)
class Work(Shown):
    """Processor time with calls in between.

    Parameters
    ----------
    demand : float
        Processor time, without that of the services that are called. [s]
    calls : mapping of entry name to float
        Calls that wait for the answer, in the mean. [1]
    sends : mapping of entry name to float
        Calls that wait for nothing (asynchronous), in the mean. [1]
    fixed : bool
        Whether calls are made exactly so often, in their order, and not a random number of times
        (geometric, in random order). Processor time is spread evenly before, between and after.
    think : float
        Time that needs no processor, and that no one waits for. [s]
    name : str
        Of the activity, where it has one.

    Raises
    ------
    InvalidNetwork
        If a number is negative, or fixed calls are not whole.

    Examples
    --------
    >>> Work(0.020, calls={"query": 2}, sends={"log": 1})
    Work(demand=0.02, calls=(('query', 2.0),), sends=(('log', 1.0),))
    """

    demand: float = 0.0
    calls: Calls = ()
    sends: Calls = ()
    fixed: bool = False
    think: float = 0.0
    name: str = ""

    def __init__(
        self, demand: float = 0.0, calls: Mapping[str, float] | Calls = (),
        sends: Mapping[str, float] | Calls = (), fixed: bool = False, think: float = 0.0,
        name: str = "", what: str = "",
    ) -> None:  # fmt: skip
        what = what or (f"activity {name!r}" if name else "work")
        assign(
            self, demand=not_negative(demand, f"demand of {what}", "s"),
            calls=calls_of(calls, what, fixed), sends=calls_of(sends, what, False),
            fixed=bool(fixed), think=not_negative(think, f"think of {what}", "s"), name=name,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several branches at random; with what is left of probability 1, none of them.

    Parameters
    ----------
    branches : sequence of (float, steps)
        The probability of each [1], and its steps.

    Examples
    --------
    >>> Choice([(0.3, [Work(0.1)])]).branches
    ((0.3, (Work(demand=0.1),)),)
    """

    branches: "tuple[tuple[float, Steps], ...]"

    def __post_init__(self) -> None:
        made = tuple((finite(p, "probability of a branch"), steps_of(s)) for p, s in self.branches)
        if any(p < 0.0 for p, _ in made) or sum(p for p, _ in made) > 1.0 + 1e-9:
            shown = ", ".join(f"{p:g}" for p, _ in made)
            raise InvalidNetwork(f"branches have probabilities {shown}, expected 1 in all at most")
        assign(self, branches=made)


@dataclass(frozen=True, slots=True)
class Together:
    """Branches at the same time; what follows begins when the last of them ends.

    Examples
    --------
    >>> len(Together([[Work(0.1)], [Work(0.2), Work(0.1)]]).branches)
    2
    """

    branches: "tuple[Steps, ...]"

    def __post_init__(self) -> None:
        made = tuple(steps_of(each) for each in self.branches)
        if sum(answers(each) for each in made) > 1:
            raise InvalidNetwork("more than one branch of a fork answers, expected one at most")
        assign(self, branches=made)


@dataclass(frozen=True, slots=True)
class Repeat:
    """Steps again and again: ``times`` in the mean, a random number of times (geometric).

    Examples
    --------
    >>> Repeat(3.5, [Work(0.1)]).times
    3.5
    """

    times: float
    steps: "Steps"

    def __post_init__(self) -> None:
        assign(
            self,
            times=not_negative(self.times, "number of repetitions"),
            steps=steps_of(self.steps),
        )
        if answers(self.steps):
            raise InvalidNetwork("steps that are repeated answer, expected the answer elsewhere")


@dataclass(frozen=True, slots=True)
class Answer:
    """The caller gets its answer and goes on; without one it gets it after the last step.

    Examples
    --------
    A log is written while the caller reads the page:

    >>> from qmodel import Entry
    >>> Entry("page", steps=[Work(0.020), Answer(), Work(0.005)]).demand
    0.025
    """


Step = Work | Choice | Together | Repeat | Answer
Steps = tuple[Step, ...]


def steps_of(given: Iterable[Step]) -> Steps:
    """Steps as a tuple, checked: nothing follows an answer within a branch but more work."""
    made = tuple(given)
    for i, step in enumerate(made):
        if not isinstance(step, Work | Choice | Together | Repeat | Answer):
            raise InvalidNetwork(f"{step!r} is no step, expected Work, Choice, Together or Repeat")
        if isinstance(step, Choice | Together) and answers((step,)) and i < len(made) - 1:
            raise InvalidNetwork("steps follow branches that answer, expected them in the branches")
    if answers(made) > 1 and sum(bool(answers((step,))) for step in made) > 1:
        raise InvalidNetwork("steps answer twice, expected once")
    return made


def answers(steps: Steps) -> int:
    """How many places answer; of a choice those of one branch."""
    count = 0
    for step in steps:
        if isinstance(step, Answer):
            count += 1
        elif isinstance(step, Choice):
            count += max((answers(branch) for _, branch in step.branches), default=0)
        elif isinstance(step, Together):
            count += sum(answers(branch) for branch in step.branches)
    return count


def flat(steps: Steps, times: float = 1.0) -> Iterator[tuple[float, Step]]:
    """All steps, those inside of others as well, and how often each is done in the mean."""
    for step in steps:
        yield times, step
        inside: tuple[tuple[float, Steps], ...] = ()
        if isinstance(step, Choice):
            inside = step.branches
        elif isinstance(step, Together):
            inside = tuple((1.0, branch) for branch in step.branches)
        elif isinstance(step, Repeat):
            inside = ((step.times, step.steps),)
        for often, branch in inside:
            yield from flat(branch, times * often)


def works_of(steps: Steps, times: float = 1.0) -> Iterator[tuple[float, Work]]:
    """All pieces of work, and how often each is done in the mean."""
    return ((often, step) for often, step in flat(steps, times) if isinstance(step, Work))


def calls_of(given: Mapping[str, float] | Calls, what: str, fixed: bool) -> Calls:
    """Numbers of calls by name, without those that are never made."""
    pairs: Any = given.items() if isinstance(given, Mapping) else given
    made = []
    for name, number in pairs:
        times = finite(number, f"calls of {what} to {name!r}")
        if times < 0.0 or (fixed and times != int(times)):
            expected = "a whole number" if fixed else ">= 0"
            raise InvalidNetwork(f"calls of {what} to {name!r} are {times:g}, expected {expected}")
        if times:
            made.append((name, times))
    return tuple(made)
