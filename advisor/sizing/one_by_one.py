"""Sizing over replicas or the size of a pool: each by itself, and the cheapest of them all."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from advisor.sizing.record import Candidate, Sizing, missed_by_all
from qmodel.errors import InvalidInput

REPLICAS, PLACES = "server.replicas", "server.most_active"
#: Sizes of a pool that are tried where it limits, over the present one.
TIMES = (1.0, 1.5, 2.0, 3.0)


def check(key: str, counts: Sequence[Any]) -> None:
    """Refuse what is no number of replicas or places."""
    if any(not isinstance(n, int) or isinstance(n, bool) or n < 1 for n in counts):
        raise InvalidInput(f"--vary {key}: expected whole numbers, as in {key}=2,3")


def best_of_all(key: str, found: Sequence[tuple[int, Sizing]]) -> Sizing:
    """The cheapest that meets the targets, and the front of all: each names its count."""
    if not found:
        raise InvalidInput(f"--vary {key}: no values; expected for example {key}=2:6")
    named = [(n, each, {id(c): _named(key, n, c) for c in each.front}) for n, each in found]
    best = [
        names.get(id(each.best), _named(key, n, each.best)) for n, each, names in named if each.best
    ]
    # What fits for certain before what is at risk, then by cost.
    chosen = min(best, key=lambda c: (not c.meets, c.cost), default=None)
    front: list[Candidate] = []
    every = [c for _, _, names in named for c in names.values()]
    for each in sorted(every, key=lambda c: (c.cost, c.response_time.mid)):
        if not front or each.response_time.mid < front[-1].response_time.mid or each is chosen:
            front.append(each)
    return replace(
        found[0][1], best=chosen, front=tuple(front),
        candidates=sum(each.candidates for _, each in found),
        solved=sum(each.solved for _, each in found),
        impossible=sum(each.impossible for _, each in found),
        without_price=tuple(dict.fromkeys(p for _, each in found for p in each.without_price)),
        missed=missed_by_all([each.missed for _, each in found]), not_varied=(),
        complete=all(each.complete for _, each in found),
    )  # fmt: skip


def _named(key: str, count: int, candidate: Candidate) -> Candidate:
    return replace(candidate, settings=((key, count), *candidate.settings))
