"""Searches that take their steps together, so that what they ask is solved at once."""

from collections.abc import Callable, Generator, Sequence
from typing import TypeVar

from advisor.predicting.outlook import VariantOutlook

T = TypeVar("T")
#: A search that asks about one load after the other, and is told what a variant does under each;
#: None where arrivals come faster than it can serve.
Search = Generator[int, VariantOutlook | None, T]
At = Callable[[int], Search[VariantOutlook | None]]


def remembered(known: dict[int, VariantOutlook | None]) -> At:
    """What is seen at a load, asked for once."""

    def at(load: int) -> Search[VariantOutlook | None]:
        if load not in known:
            known[load] = yield load
        return known[load]

    return at


def side_by_side(
    searches: Sequence[Search[T]],
    ask: Callable[[Sequence[tuple[int, int]]], Sequence[VariantOutlook | None]],
) -> list[T]:
    """The results of searches, which are told what is seen at the load each asks about."""
    found: dict[int, T] = {}
    told: dict[int, VariantOutlook | None] = dict.fromkeys(range(len(searches)))
    while told:
        waiting = []
        for j, seen in told.items():
            try:
                waiting.append((j, searches[j].send(seen)))
            except StopIteration as end:
                found[j] = end.value
        told = {
            j: seen for (j, _), seen in zip(waiting, ask(waiting) if waiting else (), strict=True)
        }
    return [found[j] for j in range(len(searches))]
