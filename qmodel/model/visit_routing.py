"""The routing implied by visit ratios alone, and the places that customers pass; see THEORY.md."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

from qmodel.model.network import Network

Row = tuple[float, ...]

#: Visits of the others to a central server that are too many by so little are not too many.
ROUNDING = 1e-9
#: Probability below which a transition is rounding.
NEVER = 1e-13
#: A transition: the place it leads to, its probability.
Way = tuple[int, float]


@dataclass(frozen=True, slots=True)
class ImpliedRouting:
    """Passes through the stations, and the visit probabilities of each."""

    #: Mean number of passes, at least 1. [1]
    passes: float
    #: Probability of a visit to each station in a pass before the last, and in the last. [1]
    earlier: Row
    last: Row
    #: The central server, if there is one.
    central: int | None = None

    @classmethod
    def of(cls, visits: Sequence[float]) -> Self:
        """The routing with these visit ratios."""
        passes = max(1.0, *visits)
        more = passes - 1.0
        earlier = tuple(min(1.0, v / more) if more else 0.0 for v in visits)
        others = -passes
        for v in visits:
            others += v
        most, once = more * (1.0 + ROUNDING), {k for k, v in enumerate(visits) if v == 1.0}
        if others <= most or len(once) == others:
            once = set()
        if more and others - len(once) <= most:
            central = list(visits).index(passes)
            around = tuple(0.0 if k in once else p for k, p in enumerate(earlier))
            last = tuple(float(k == central or k in once) for k in range(len(earlier)))
            return cls(passes, around, last, central)
        return cls(passes, earlier, tuple(max(0.0, v - more) for v in visits))

    def transitions(self) -> tuple[Row, tuple[Row, ...]]:
        """Mean numbers of entries at each station, and of transitions from station to station.

        The visits to a station that no transition follows leave the network from there.
        """
        more, size = self.passes - 1.0, len(self.earlier)
        if self.central is not None:
            entry = tuple(float(k == self.central) for k in range(size))
            return entry, self._about_central_server(self.central)
        stays = more / self.passes  # that the pass after one before the last is such a one
        starts = [_first(self.earlier), _first(self.last)]
        entry = tuple(
            stays * a + (1.0 - stays) * b for a, b in zip(starts[0], starts[1], strict=True)
        )
        counts = [[0.0] * size for _ in range(size)]
        for passes, chance, follows in ((more, self.earlier, entry), (1.0, self.last, ())):
            for i, p in enumerate(chance):
                going = passes * p
                for j in range(i + 1, size):
                    counts[i][j] += going * chance[j]
                    going *= 1.0 - chance[j]
                for j, start in enumerate(follows):
                    counts[i][j] += going * start
        return entry, tuple(tuple(row) for row in counts)

    def _about_central_server(self, central: int) -> tuple[Row, ...]:
        """Mean numbers of transitions to and from a central server, and at last to the others."""
        more, back = self.passes - 1.0, self.passes - 1.0
        counts = [[0.0] * len(self.earlier) for _ in self.earlier]
        for k, p in enumerate(self.earlier):
            if k != central:
                counts[central][k] = counts[k][central] = more * p
                back -= more * p
        counts[central][central] = max(0.0, back)
        after = [central, *(k for k, p in enumerate(self.last) if p and k != central)]
        for one, other in pairwise(after):
            counts[one][other] = 1.0
        return tuple(tuple(row) for row in counts)


def _first(chance: Sequence[float]) -> list[float]:
    """Probability that each station is the first of a pass."""
    left, first = 1.0, []
    for p in chance:
        first.append(left * p)
        left *= 1.0 - p
    return first


def places_of(network: Network, c: int) -> tuple[list[int], list[list[Way]]]:
    """Stations of the places of a class's route, and the transitions from them and from outside.

    A place stands at a station; one station may stand at several places of a route. The last place
    is outside: thinking, or before a customer arrives and after it left.
    """
    route = dict(network.routes).get(network.class_names[c])
    if route is None:
        return list(range(len(network.stations))), transitions(network, c)
    size = len(route) + 1
    there = [network.station_names.index(name) for name in route]
    return there, [[((i + 1) % size, 1.0)] for i in range(size)]


def transitions(network: Network, c: int) -> list[list[Way]]:
    """The transitions of a class from each station, and at last from outside."""
    visits = [network.visits_at(c, k) for k in range(len(network.stations))]
    entry, between = ImpliedRouting.of(visits).transitions()
    outside = len(visits)
    ways = [
        _with_rest([(j, n / v) for j, n in enumerate(row)], outside) if v else [(outside, 1.0)]
        for v, row in zip(visits, between, strict=True)
    ]
    return [*ways, _with_rest(list(enumerate(entry)), outside)]


def _with_rest(ways: list[Way], outside: int) -> list[Way]:
    """Transitions that are likely at all, and outside with the rest of the probability."""
    kept = [way for way in ways if way[1] > NEVER]
    rest = 1.0 - sum(p for _, p in kept)
    return [*kept, (outside, rest)] if rest > 1e-12 or not kept else kept
