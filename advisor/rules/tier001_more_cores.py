"""The check of TIER001, whose words are the card beside it."""

from collections.abc import Iterator
from math import ceil

from advisor.findings.records import Finding
from advisor.findings.words import counted, percent, tier_unit
from advisor.rule_support.card import card_of
from advisor.rule_support.evidence import percentage
from advisor.rule_support.rule import Case, NothingToGoBy
from advisor.rule_support.smallest_step import smallest_step

CARD = card_of(__file__)
THRESHOLD = 0.60
#: Sizes of processors on sale [cores], largest multiple of the present number that is tried [1],
#: and largest number a configuration takes [cores].
COUNTS, MOST, LARGEST = (1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128), 8, 1024


def _more(cores: int) -> list[int]:
    """Numbers of cores to try."""
    steps_up = {*COUNTS, *(ceil(cores * more) for more in (1.25, 1.5, 2.0))}
    return sorted(n for n in steps_up if 1 < n / cores <= MOST and n <= LARGEST)


def check(case: Case) -> Iterator[Finding]:
    """Each tier whose processors are busy."""
    tiers = case.settings.tiers
    if not tiers:
        raise NothingToGoBy("no [[tier]] is given")
    tried = [_more(tier.cores) for tier in tiers]
    for i, (tier, counts) in enumerate(zip(tiers, tried, strict=True)):
        busy = case.outlook.resource(tier.name).utilization.mid
        if busy < THRESHOLD or not counts:
            continue
        steps = [((("tier", i, "cores"), n),) for n in counts]
        # What another tier is relieved of comes to this one.
        others = ((("tier", j, "cores"), n[-1]) for j, n in enumerate(tried) if n and j != i)
        found = smallest_step(case, steps, tier.name, THRESHOLD, tuple(others))
        beside = ", given enough cores at the other tiers" * (len(tiers) > 1)
        unit = tier_unit(tier.name)
        title = f"use {counts[found.place]} {unit}s at {tier.name} instead of {tier.cores}"
        yield CARD.finding(
            "busy",
            percentage(f"utilization of {tier.name}", busy, THRESHOLD),
            options=[CARD.option(unit, settings=steps[found.place], title=title)],
            tier=tier.name,
            cores=counted(tier.cores, unit),
            busy=percent(busy),
            enough=f"offered: the smallest step {found.enough}{beside}"
            if found.enough
            else "no number of cores tried is enough",
        )
