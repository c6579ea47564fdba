"""Two stations in turn fed by two classes, as a Markov chain that knows every customer's class.

The state holds the classes of all who wait, in their order, so there is room for few. One server at
each station; a class goes to the second station or leaves after the first.
"""

from qmodel.numerics.phase_type import fit_phase_type
from tests.truth.chain import explored, stationary


class OpenTandem:
    """Each class: mean and SCV of gaps, of services, and at the second station, or None there."""

    def __init__(self, classes, room: tuple[int, int]) -> None:
        self.gaps = [fit_phase_type(*gap) for gap, _, _ in classes]
        self.services = [
            [fit_phase_type(*first), second and fit_phase_type(*second)]
            for _, first, second in classes
        ]
        self.room = room
        first = (tuple(0 for _ in classes), (), None, (), None)
        self.states, moves = explored([first], self._next)
        self.probability = stationary(len(self.states), moves)

    def customers(self, station: int, c: int) -> float:
        """Mean number of a class at a station."""
        held = 1 + 2 * station
        return sum(
            p * state[held].count(c) for p, state in zip(self.probability, self.states, strict=True)
        )

    def lost(self) -> float:
        """Probability that a station is full."""
        return sum(
            p
            for p, state in zip(self.probability, self.states, strict=True)
            if len(state[1]) == self.room[0] or len(state[3]) == self.room[1]
        )

    def _next(self, state):
        gaps, one, busy, two, serves = state
        for c, gap in enumerate(self.gaps):
            at = gaps[c]
            if not gap.moves[at][0]:
                phase = at + 1
                rate = gap.generator[at][phase]
                yield ((*gaps[:c], phase, *gaps[c + 1 :]), one, busy, two, serves), rate
                continue
            for s, p in enumerate(gap.start):
                if not p:
                    continue
                then = (*gaps[:c], s, *gaps[c + 1 :])
                if len(one) == self.room[0]:
                    yield (then, one, busy, two, serves), gap.moves[at][0] * p
                else:
                    for q, begun in self._begin(0, (*one, c), busy):
                        yield (then, (*one, c), begun, two, serves), gap.moves[at][0] * p * q
        if one:
            service = self.services[one[0]][0]
            if not service.moves[busy][0]:
                yield (gaps, one, busy + 1, two, serves), service.generator[busy][busy + 1]
            else:
                goes_on = self.services[one[0]][1] and len(two) < self.room[1]
                then = two + (one[0],) * bool(goes_on)
                for q, begun in self._begin(0, one[1:], None):
                    for r, other in self._begin(1, then, serves):
                        yield (gaps, one[1:], begun, then, other), service.moves[busy][0] * q * r
        if two:
            service = self.services[two[0]][1]
            if not service.moves[serves][0]:
                yield (gaps, one, busy, two, serves + 1), service.generator[serves][serves + 1]
            else:
                for q, begun in self._begin(1, two[1:], None):
                    yield (gaps, one, busy, two[1:], begun), service.moves[serves][0] * q

    def _begin(self, station, line, phase):
        if not line:
            yield 1.0, None
        elif phase is not None:
            yield 1.0, phase
        else:
            for at, p in enumerate(self.services[line[0]][station].start):
                if p:
                    yield p, at
