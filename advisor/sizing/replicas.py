"""Sizing over numbers of replicas: each number by itself, and the cheapest of them all."""

from collections.abc import Sequence
from dataclasses import replace

from advisor.sizing.record import Candidate, Sizing, missed_by_all
from qmodel.errors import InvalidInput

REPLICAS = "server.replicas"


def of_replicas(found: Sequence[tuple[int, Sizing]]) -> Sizing:
    """The cheapest that meets the targets, and the front of all: each names its replicas."""
    if not found:
        raise InvalidInput(f"--vary {REPLICAS}: no values; expected for example {REPLICAS}=2:6")
    named = [(n, each, {id(c): _named(n, c) for c in each.front}) for n, each in found]
    best = [names.get(id(each.best), _named(n, each.best)) for n, each, names in named if each.best]
    # What fits for certain before what is at risk, then by cost.
    chosen = min(best, key=lambda c: (not c.meets, c.cost), default=None)
    front: list[Candidate] = []
    every = [c for _, _, names in named for c in names.values()]
    for each in sorted(every, key=lambda c: (c.cost, c.response_time.mid)):
        if not front or each.response_time.mid < front[-1].response_time.mid or each is chosen:
            front.append(each)
    return replace(
        found[0][1],
        best=chosen,
        front=tuple(front),
        candidates=sum(each.candidates for _, each in found),
        solved=sum(each.solved for _, each in found),
        impossible=sum(each.impossible for _, each in found),
        without_price=tuple(dict.fromkeys(p for _, each in found for p in each.without_price)),
        missed=missed_by_all([each.missed for _, each in found]),
        not_varied=(),
        complete=all(each.complete for _, each in found),
    )


def _named(count: int, candidate: Candidate) -> Candidate:
    return replace(candidate, settings=((REPLICAS, count), *candidate.settings))
