"""A layered model spelt out: each place at a processor with all the threads that are held there.

Calls from different callers to one entry are different places, so that a place says who waits for
the answer. A slice of processor time comes before, between and after the calls of an entry: at
random numbers of calls Y in the mean, after each slice there is one more with probability
Y / (1 + Y). Slices that take no time are places where none is spent: between two calls to one
service its thread is given back. Original.
"""

from __future__ import annotations

from typing import NamedTuple

from qmodel.errors import NotApplicable
from qmodel.model.layered_model import Layered
from qmodel.model.layered_records import Calls
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


class CallTree:
    """The places of some users, the first one first, and the transitions between them.

    Examples
    --------
    >>> from qmodel.model.layered_records import Entry, Service, Users
    >>> model = Layered([Users("u", 3, 1.0, {"page": 1})],
    ...                 [Service("web", [Entry("page", 0.1, {"query": 1.0})]),
    ...                  Service("db", [Entry("query", 0.2)])])
    >>> tree = CallTree(model, 0)
    >>> [place.held for place in tree.places], tree.ways[0]
    ([('web',), ('web', 'db'), ()], [(1, 0.5), (-1, 0.5)])
    """

    def __init__(self, model: Layered, users: int) -> None:
        self.model = model
        self.places: list[Place] = []
        self.ways: list[list[Way]] = []
        given = model.users[users]
        if given.fixed:
            self.first = self._in_turn(given.calls, (), END, Place(None, 0.0, ()))
        else:
            self.first = self._at_random(given.calls, (), END, None, 0.0)

    def _place(self, processor: str | None, time: float, held: tuple[str, ...]) -> int:
        if len(self.places) == PLACES:
            raise NotApplicable(f"simulation: calls lead to more than {PLACES} places")
        self.places.append(Place(processor, time, held))
        self.ways.append([])
        return len(self.places) - 1

    def _entry(self, name: str, held: tuple[str, ...], after: int) -> int:
        """The first place of a call; ``after`` is the place that follows the answer."""
        model, entry = self.model, self.model.entry(name)
        service = model.service_of(name)
        inside = (*held, service.name)
        ways: list[Way] = []
        rest = 1.0
        for other, p in entry.forwards:
            ways.append((self._entry(other, held, after), p))
            rest -= p
        if rest > 1e-12:
            ways.append((after, rest))
        processor = next((p for p in model.processors if p.name == service.processor), None)
        time = entry.demand / (processor.speed if processor else 1.0)
        name_of = processor.name if processor else None
        count = sum(n for _, n in entry.calls) if entry.fixed else 0
        last = self._place(name_of, time / (1.0 + count), inside)
        self.ways[last] = ways
        if entry.fixed:
            return self._in_turn(entry.calls, inside, last, self.places[last])
        return self._at_random(entry.calls, inside, last, self.places[last], time)

    def _in_turn(self, calls: Calls, held: tuple[str, ...], after: int, one: Place) -> int:
        """Calls exactly so often, a slice like ``one`` before each."""
        for name, number in reversed(calls):
            for _ in range(int(number)):
                after = self._entry(name, held, after)
                called, after = after, self._place(*one)
                self.ways[after] = [(called, 1.0)]
        return after

    def _at_random(
        self, calls: Calls, held: tuple[str, ...], after: int, one: Place | None, time: float
    ) -> int:
        """Calls as often in the mean, after slices like ``one``."""
        total = sum(n for _, n in calls)
        if one is None:
            slice_ = self._place(None, 0.0, held)
            leave: list[Way] = [(after, 1.0)]
        else:
            slice_, leave = after, self.ways[after]
            self.places[slice_] = one._replace(time=time / (1.0 + total))
        self.ways[slice_] = [
            *((self._entry(name, held, slice_), n / (1.0 + total)) for name, n in calls),
            *((to, p / (1.0 + total)) for to, p in leave),
        ]
        return slice_
