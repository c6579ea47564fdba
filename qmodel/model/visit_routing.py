"""The routing implied by visit ratios, where no routing is given.

A customer passes through the stations an integer number of times. With V the largest visit ratio,
each pass is the last with probability 1 / V. The station with the ratio V is visited once in every
pass, another at most once, with probability V_k / (V - 1) in a pass before the last. Two cases:

- The others have no more than V - 1 visits together: a central server. A pass before the last
  visits it and then at most one of the others; the last pass visits it alone. So it is left for
  good after any visit with probability 1 / V, which is the usual random routing.
- Else the stations are passed in the order of the network, visits to different stations
  independent; where the passes before the last are too few for a station, it is visited in the
  last as well. So a network whose visit ratios are 1 is passed once, each station in turn.

Original: any routing with these visit ratios has the same product-form solution; this one is
chosen for what depends on more than the ratios.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

Row = tuple[float, ...]

#: Visits of the others to a central server that are too many by so little are not too many.
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class ImpliedRouting:
    """Passes through the stations, and the visit probabilities of each.

    Examples
    --------
    >>> ImpliedRouting.of([4.0, 3.0])  # a processor, then the disk or out
    ImpliedRouting(passes=4.0, earlier=(1.0, 1.0), last=(1.0, 0.0), central=0)
    """

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
        if more and others <= more * (1.0 + ROUNDING):
            central = list(visits).index(passes)
            alone = tuple(float(k == central) for k in range(len(earlier)))
            return cls(passes, earlier, alone, central)
        return cls(passes, earlier, tuple(max(0.0, v - more) for v in visits))

    def transitions(self) -> tuple[Row, tuple[Row, ...]]:
        """Mean numbers of entries at each station, and of transitions from station to station.

        The visits to a station that no transition follows leave the network from there.

        Examples
        --------
        >>> ImpliedRouting.of([4.0, 3.0]).transitions()
        ((1.0, 0.0), ((0.0, 3.0), (3.0, 0.0)))
        """
        more, size = self.passes - 1.0, len(self.earlier)
        if self.central is not None:
            return self.last, self._about_central_server(self.central)
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
        """Mean numbers of transitions to and from a central server."""
        more, back = self.passes - 1.0, self.passes - 1.0
        counts = [[0.0] * len(self.earlier) for _ in self.earlier]
        for k, p in enumerate(self.earlier):
            if k != central:
                counts[central][k] = counts[k][central] = more * p
                back -= more * p
        counts[central][central] = max(0.0, back)
        return tuple(tuple(row) for row in counts)


def _first(chance: Sequence[float]) -> list[float]:
    """Probability that each station is the first of a pass."""
    left, first = 1.0, []
    for p in chance:
        first.append(left * p)
        left *= 1.0 - p
    return first
