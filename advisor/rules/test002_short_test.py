"""The check of TEST002, whose words are the card beside it."""

from collections.abc import Iterator
from math import inf

from advisor.findings.records import Evidence, Finding
from advisor.findings.words import percent
from advisor.rule_support.card import card_of
from advisor.rule_support.rule import Case, known

CARD = card_of(__file__)
#: Half-width wanted of the mean, relative, and the quantile of 95 %.
WANTED, NORMAL = 0.05, 1.96


def needed(busy: float) -> float:
    """Interactions that tell the mean number at a station this busy to 5 %, of M/M/1.

    With mean service 1 its variance over a long time t is ``2 r (1 + r) / (1 - r)^4 / t``.
    """
    return (NORMAL / WANTED) ** 2 * 2.0 * (1.0 + busy) / (1.0 - busy) ** 2 if busy < 1.0 else inf


def check(case: Case) -> Iterator[Finding]:
    """A test in which too few interactions were done to tell a mean."""
    test = case.settings.load_test
    assert test
    busy = max(r.utilization.mid for r in case.outlook.resources)
    done, wanted = known(test.duration) * case.outlook.throughput.mid, needed(busy)
    if done >= wanted or wanted == inf:
        return
    source = "M/M/1 as busy as the bottleneck, W. Whitt, Management Science 35(11), 1989"
    yield CARD.finding(
        "short", Evidence("interactions in the test", done, "1", "computed", source, wanted),
        level="note" if test.closed else "warning", done=f"{done:,.0f}", needed=f"{wanted:,.0f}",
        busy=percent(busy),
    )  # fmt: skip
