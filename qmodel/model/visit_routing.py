"""The route that goes with visit ratios, where no routing is given.

A customer goes round. With V the largest visit ratio, each round is the last with the probability
1 / V. The station with the ratio V is visited once in every round, another at most once, with the
probability V_k / (V - 1) in a round before the last. Two cases:

- The others have no more than V - 1 visits together: that is a central server. A round before the
  last visits it and then at most one of the others; the last round visits it alone. So it is left
  for good after any visit with the probability 1 / V, which is the usual random routing.
- Else the stations are passed in the order of the network, whether one is visited not depending
  on the others; where the rounds before the last are too few for a station, it is visited in the
  last as well. So a network whose visit ratios are 1 is passed once, each station in turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Row = tuple[float, ...]

#: Visits of the others to a central server that are too many by so little are not too many.
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Rounds:
    """Rounds through the stations.

    Parameters
    ----------
    mean : float
        Mean number of rounds, at least 1. [1]
    again, last : tuple of float, length K
        Probability of a visit to each station in a round before the last, and in the last. [1]
    centre : int or None
        The central server, if there is one.

    Examples
    --------
    >>> Rounds.of([4.0, 3.0])  # a processor, then the disk or out
    Rounds(mean=4.0, again=(1.0, 1.0), last=(1.0, 0.0), centre=0)
    """

    mean: float
    again: Row
    last: Row
    centre: int | None = None

    @classmethod
    def of(cls, visits: Sequence[float]) -> Rounds:
        """The rounds that have these visit ratios."""
        mean = max(1.0, *visits)
        more = mean - 1.0
        again = tuple(min(1.0, v / more) if more else 0.0 for v in visits)
        others = -mean
        for v in visits:
            others += v
        if more and others <= more * (1.0 + ROUNDING):
            centre = list(visits).index(mean)
            alone = tuple(float(k == centre) for k in range(len(again)))
            return cls(mean, again, alone, centre)
        return cls(mean, again, tuple(max(0.0, v - more) for v in visits))

    def transitions(self) -> tuple[Row, tuple[Row, ...]]:
        """Mean numbers of ways in to each station, and of ways from station to station.

        What is left of the visits to a station leaves the network from there.

        Examples
        --------
        >>> Rounds.of([4.0, 3.0]).transitions()
        ((1.0, 0.0), ((0.0, 3.0), (3.0, 0.0)))
        """
        more, size = self.mean - 1.0, len(self.again)
        if self.centre is not None:
            return self.last, self._central(self.centre)
        stays = more / self.mean  # that the round after one before the last is such a one
        starts = [_first(self.again), _first(self.last)]
        entry = tuple(
            stays * a + (1.0 - stays) * b for a, b in zip(starts[0], starts[1], strict=True)
        )
        ways = [[0.0] * size for _ in range(size)]
        for rounds, chance, follows in ((more, self.again, entry), (1.0, self.last, ())):
            for i, p in enumerate(chance):
                going = rounds * p
                for j in range(i + 1, size):
                    ways[i][j] += going * chance[j]
                    going *= 1.0 - chance[j]
                for j, start in enumerate(follows):
                    ways[i][j] += going * start
        return entry, tuple(tuple(row) for row in ways)

    def _central(self, centre: int) -> tuple[Row, ...]:
        """Ways about a central server."""
        more, back = self.mean - 1.0, self.mean - 1.0
        ways = [[0.0] * len(self.again) for _ in self.again]
        for k, p in enumerate(self.again):
            if k != centre:
                ways[centre][k] = ways[k][centre] = more * p
                back -= more * p
        ways[centre][centre] = max(0.0, back)
        return tuple(tuple(row) for row in ways)


def _first(chance: Sequence[float]) -> list[float]:
    """Probability that each station is the first of a round."""
    left, found = 1.0, []
    for p in chance:
        found.append(left * p)
        left *= 1.0 - p
    return found
