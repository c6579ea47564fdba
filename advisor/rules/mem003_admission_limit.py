"""The check of MEM003, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Finding
from advisor.findings.words import percent
from advisor.rule_support.card import card_of
from advisor.rule_support.evidence import percentage
from advisor.rule_support.rule import Case, known
from calibration.hardware.server import INSIDE

CARD = card_of(__file__)
THRESHOLD = 0.80
ERROR = 0.95


def check(case: Case) -> Iterator[Finding]:
    """A limit that is reached most of the time."""
    places = round(known(case.settings.server.most_active))
    inside = [r.queue_length.mid for r in case.outlook.resources if r.name in INSIDE]
    taken = sum(inside) / places
    if taken >= THRESHOLD:
        yield CARD.finding(
            "taken",
            percentage("places taken", taken, THRESHOLD),
            level="error" if taken >= ERROR else "warning",
            options=[CARD.option("room", 2 * places, places=2 * places)],
            taken=percent(min(taken, 1.0)),
            places=places,
        )
