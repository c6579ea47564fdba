"""A layered model spelt out: each place at a processor with all the threads that are held there.
Theory and sources: `qmodel/solvers/THEORY.md`, layered/call_tree.
"""

from collections.abc import Sequence
from typing import NamedTuple

from qmodel.errors import NotApplicable
from qmodel.model.layered_model import Layered
from qmodel.model.layered_steps import Answer, Choice, Repeat, Steps, Together, Work, answers
from qmodel.model.visit_routing import Way

#: Places of all users together, at most.
PLACES = 20_000
#: The transition that ends an interaction, or a line beside it.
END = -1
#: What begins or ends where a place is left: nothing; a line that no one waits for, and one that
#: takes the innermost thread along; one that does so and is waited for; a branch; all branches have
#: ended; who waits for the line that waits for this branch waits no more.
NOTHING, SENT, WITH_THREAD, KEEPER, BRANCH, JOINED, ANSWERED = range(7)


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
    #: What begins or ends where it is left, and the first place of a line that begins.
    beside: int = NOTHING
    line: int = -1


class CallTree:
    """The places of some users, the first one first, and the transitions between them."""

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
            processor.name if processor else None, 1.0 / (processor.speed if processor else 1.0),
            (*held, service.name), service.priority,
        )  # fmt: skip
        ways = self._steps(entry.steps, one, leave, name)
        # A thread is taken for a branch of nothing as well.
        if isinstance(entry.steps[0], Choice):
            ways = self._place(one._replace(processor=None, time=0.0), ways)
        return ways

    def _steps(self, steps: Steps, one: Place, after: list[Way], name: str) -> list[Way]:
        """Steps at a place like ``one``, whose time is that of 1 s of demand."""
        idle = one._replace(processor=None, time=0.0)
        at = next((i for i, step in enumerate(steps) if isinstance(step, Answer)), len(steps))
        if at < len(steps) and not one.held:
            after = self._steps(steps[at + 1 :], one, after, name)
            after = self._place(idle._replace(beside=ANSWERED), after)
        elif steps[at + 1 :]:
            alone = one._replace(held=one.held[-1:])
            later = self._steps(steps[at + 1 :], alone, [(END, 1.0)], name)
            after = self._beside(WITH_THREAD, idle, later, alone.held, after)
        for step in reversed(steps[:at]):
            if isinstance(step, Work):
                after = self._work(step, one, self._sent(step, idle, after))
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
            elif isinstance(step, Together):
                after = self._together(step, one, after, name)
        return after

    def _together(self, step: Together, one: Place, after: list[Way], name: str) -> list[Way]:
        """Branches, each a line of its own, and the place that waits for them."""
        idle, inner = one._replace(processor=None, time=0.0), one.held
        if answers((step,)):
            if not one.held:
                raise NotApplicable(f"simulation: entry {name!r} answers in a branch of a branch")
            callers = self._place(idle._replace(held=one.held[:-1], beside=JOINED), after)
            after, inner = [(END, 1.0)], one.held[-1:]
        idle = idle._replace(held=inner)
        after = self._place(idle._replace(beside=JOINED), after)
        for branch in reversed(step.branches):
            ways = self._steps(branch, one._replace(held=()), [(END, 1.0)], name)
            after = self._beside(BRANCH, idle, ways, (), after)
        if answers((step,)):
            return self._beside(KEEPER, idle._replace(held=one.held), after, inner, callers)
        return after

    def _beside(
        self, kind: int, idle: Place, ways: list[Way], held: tuple[str, ...], after: list[Way]
    ) -> list[Way]:
        """The way to a place from which another line goes its ways, with threads of its own."""
        ((line, _),) = self._place(idle._replace(held=held), ways)
        return self._place(idle._replace(beside=kind, line=line), after)

    def _sent(self, work: Work, idle: Place, after: list[Way]) -> list[Way]:
        """Calls that wait for nothing, as often in the mean; then what follows."""
        if not work.sends:
            return after
        total = sum(n for _, n in work.sends)
        again = self._place(idle, after)
        sent: list[tuple[float, list[Way]]] = [
            (n / (1.0 + total),
             self._beside(SENT, idle, self._entry(name, (), [(END, 1.0)]), (), again))
            for name, n in work.sends
        ]  # fmt: skip
        self.ways[again[0][0]] = mixed([*sent, (1.0 / (1.0 + total), after)])
        return again

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
