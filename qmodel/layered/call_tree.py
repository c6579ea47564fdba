"""A layered model spelt out: each place at a processor with all the threads that are held there.

Calls from different callers to one entry are different places, so that a place says who waits for
the answer. A slice of processor time comes before, between and after the calls of an entry: at
random numbers of calls Y in the mean, after each slice there is one more with probability
Y / (1 + Y). Slices that take no time are places where none is spent: between two calls to one
service its thread is given back. Repetitions begin and end at a place that takes no time. Original.
"""

from collections.abc import Sequence
from typing import NamedTuple

from qmodel.errors import NotApplicable
from qmodel.model.layered_model import Layered
from qmodel.model.layered_steps import Choice, Repeat, Steps, Work
from qmodel.model.places import Way

#: Places of all users together, at most.
PLACES = 20_000
#: The transition that ends an interaction.
END = -1


class Place(NamedTuple):
    """A slice of an entry, for one chain of callers."""

    #: None where nothing is waited for.
    processor: str | None
    #: Mean. [s]
    time: float
    #: Services whose threads are held, the outermost first.
    held: tuple[str, ...]
    #: Of the service, where its processor has priorities.
    priority: int = 0


class CallTree:
    """The places of some users, the first one first, and the transitions between them.

    Examples
    --------
    >>> from qmodel.model.layered_records import Entry, Service, Users
    >>> model = Layered([Users("u", 3, 1.0, {"page": 1})],
    ...                 [Service("web", [Entry("page", 0.1, {"query": 1.0})]),
    ...                  Service("db", [Entry("query", 0.2)])])
    >>> tree = CallTree(model, 0)
    >>> [place.held for place in tree.places], tree.ways[1]
    ([(), ('web',), ('web', 'db'), ()], [(2, 0.5), (0, 0.5)])
    """

    def __init__(self, model: Layered, users: int) -> None:
        self.model = model
        self.places: list[Place] = []
        self.ways: list[list[Way]] = []
        given = model.users[users]
        plain = Work(0.0, given.calls, fixed=bool(given.fixed))
        ((self.first, _),) = self._work(plain, Place(None, 0.0, ()), [(END, 1.0)])

    def _place(self, place: Place, ways: list[Way]) -> list[Way]:
        """The way to a place that leads on like this."""
        if len(self.places) == PLACES:
            raise NotApplicable(f"simulation: calls lead to more than {PLACES} places")
        self.places.append(place)
        self.ways.append(ways)
        return [(len(self.places) - 1, 1.0)]

    def _entry(self, name: str, held: tuple[str, ...], after: list[Way]) -> list[Way]:
        """The way into a call; ``after`` is what follows the answer."""
        model, entry, service = self.model, self.model.entry(name), self.model.service_of(name)
        rest = 1.0 - sum(p for _, p in entry.forwards)
        passed = [self._entry(other, held, after) for other, _ in entry.forwards]
        leave = mixed([(rest, after), *((p, w) for (_, p), w in zip(entry.forwards, passed,
                                                                  strict=True))])  # fmt: skip
        processor = next((p for p in model.processors if p.name == service.processor), None)
        one = Place(
            processor.name if processor else None,
            1.0 / (processor.speed if processor else 1.0),
            (*held, service.name),
            service.priority,
        )
        return self._steps(entry.steps, one, leave, name)

    def _steps(self, steps: Steps, one: Place, after: list[Way], name: str) -> list[Way]:
        """Steps at a place like ``one``, whose time is that of 1 s of demand."""
        for step in reversed(steps):
            if isinstance(step, Work):
                if step.sends:
                    raise NotApplicable(f"simulation: entry {name!r} sends calls, and goes on")
                after = self._work(step, one, after)
                if step.think:
                    after = self._place(Place(None, step.think, one.held), after)
            elif isinstance(step, Choice):
                rest = 1.0 - sum(p for p, _ in step.branches)
                branches = [(p, self._steps(s, one, after, name)) for p, s in step.branches]
                after = mixed([*branches, (rest, after)])
            elif isinstance(step, Repeat):
                again = step.times / (1.0 + step.times)
                after = self._place(Place(None, 0.0, one.held), after)
                ((joint, _),) = after
                inside = self._steps(step.steps, one, after, name)
                self.ways[joint] = mixed([(again, inside), (1.0 - again, self.ways[joint])])
            else:
                raise NotApplicable(
                    f"simulation: entry {name!r} works on after its answer, or in parallel branches"
                )
        return after

    def _work(self, work: Work, one: Place, after: list[Way]) -> list[Way]:
        """Slices with calls in between: exactly so often, or as often in the mean."""
        total = sum(n for _, n in work.calls)
        slice_ = one._replace(time=one.time * work.demand / (1.0 + total))
        after = self._place(slice_, after)
        if work.fixed:
            for name, number in reversed(work.calls):
                for _ in range(int(number)):
                    after = self._place(slice_, self._entry(name, one.held, after))
            return after
        ((again, _),) = after
        calls = [(n / (1.0 + total), self._entry(name, one.held, after)) for name, n in work.calls]
        self.ways[again] = mixed([*calls, (1.0 / (1.0 + total), self.ways[again])])
        return after


def mixed(parts: Sequence[tuple[float, list[Way]]]) -> list[Way]:
    """One of several ways at random."""
    return [(to, share * p) for share, ways in parts for to, p in ways if share * p > 1e-12]
