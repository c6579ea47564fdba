"""Three or more options that meet targets only together, by branch and bound; see THEORY.md."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations

from advisor.findings.records import Advice
from advisor.planning.trial import Solved, changes_of, keys_of
from advisor.predicting.outlook import WITHOUT_OUTLOOK, Prediction
from advisor.predicting.prediction import networks_of
from calibration.hardware.server import ServerNetwork
from qmodel import ClosedClass, QueueingStation

#: Sets that are solved at most.
MOST = 300
_ROUNDING = 1e-9

Steps = tuple[Advice, ...]


def meeting_together(solved: Solved, options: Sequence[Advice]) -> Steps | None:
    """Options with which every target is met, None if none are; the fewest are not looked for."""
    search = _Search(solved)
    now = networks_of(solved.start)[0]
    improving = [each for each in options if _improves(now, each, solved)]
    others = [each for each in options if each not in improving]
    for taken in chain.from_iterable(combinations(others, n) for n in range(len(others) + 1)):
        if _conflict(taken) is None:
            free = {key for each in taken for key in keys_of(each)}
            left = tuple(each for each in improving if not keys_of(each) & free)
            if (found := search.between(taken, left)) is not None:
                return found
        if search.count >= MOST:
            break
    return None


@dataclass(slots=True)
class _Search:
    solved: Solved
    count: int = 0
    known: set[tuple[frozenset[int], frozenset[int]]] = field(default_factory=set)

    def between(self, taken: Steps, left: Steps) -> Steps | None:
        """Options with all of ``taken``, and some of ``left``, that meet every target."""
        key = frozenset(map(id, taken)), frozenset(map(id, left))
        if key in self.known or self.count >= MOST:
            return None
        self.known.add(key)
        if (pair := _conflict(left)) is not None:
            ways = [tuple(each for each in left if each is not one) for one in pair]
            return self.between(taken, ways[0]) or self.between(taken, ways[1])
        self.count += 1
        every = self.solved.prediction(changes_of((*taken, *left)))
        if not isinstance(every, str):
            if not self.solved.missed(every):
                return (*taken, *left)
            if not left or not self._may_meet(taken, every):
                return None
        elif not left:
            return None
        return self.between((*taken, left[0]), left[1:]) or self.between(taken, left[1:])

    def _may_meet(self, taken: Steps, every: Prediction) -> bool:
        """Whether fewer than every option may meet what is missed with all of them."""
        missed = self.solved.missed(every)
        if any(each.unit == "s" for each in missed):
            return False
        least = self.solved.prediction(changes_of(taken))
        if isinstance(least, str):
            return True
        slower = min(
            few[name] / many[name]
            for few, many in zip(least.throughputs, every.throughputs, strict=True)
            for name in few.keys() & many.keys()
        )
        return all(each.predicted.high * slower <= each.limit for each in missed)


def _conflict(options: Steps) -> tuple[Advice, Advice] | None:
    """Two options that set the same key."""
    pairs = combinations(options, 2)
    return next((pair for pair in pairs if keys_of(pair[0]) & keys_of(pair[1])), None)


def _improves(now: ServerNetwork, option: Advice, solved: Solved) -> bool:
    try:
        then = networks_of(solved.configuration(changes_of([option])))[0]
    except WITHOUT_OUTLOOK:
        return False
    before, after = work_of(now), work_of(then)
    return after.keys() <= before.keys() and all(
        value <= old * (1.0 + _ROUNDING)
        for name in after
        for value, old in zip(after[name], before[name], strict=True)
    )


def work_of(server: ServerNetwork) -> dict[tuple[str, str], tuple[float, ...]]:
    """Of each resource and class: customers, work, that at the busiest station; servers, negative.

    Of admission the most it lets in, and that negative.
    """
    network = server.network
    found: dict[tuple[str, str], tuple[float, ...]] = {}
    for name, members in server.resources:
        if name == "admission":
            most = float(sum(limit.customers for limit in network.limits))
            found[name, ""] = (most, -most)  # another limit is neither more nor less
            continue
        stations = [network.stations[k] for k in members]
        fewest = min(s.servers if isinstance(s, QueueingStation) else 1 for s in stations)
        for c, row in zip(network.classes, network.demand, strict=True):
            size = c.population if isinstance(c, ClosedClass) else c.arrival_rate
            work = [row[k] for k in members]
            found[name, c.name] = (float(size), sum(work), max(work), -float(fewest))
    return found
