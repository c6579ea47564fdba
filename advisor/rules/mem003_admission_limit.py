"""The check of MEM003, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Finding
from advisor.findings.targets import FULL_POOL, full_at
from advisor.findings.words import percent
from advisor.predicting.calibrated import places_of
from advisor.rule_support.card import card_of
from advisor.rule_support.evidence import percentage
from advisor.rule_support.rule import Case, NothingToGoBy
from calibration.hardware.server import INSIDE

CARD = card_of(__file__)
THRESHOLD = 0.80
ERROR = 0.95


def check(case: Case) -> Iterator[Finding]:
    """A limit that is reached most of the time."""
    places = places_of(case.configuration)
    if places is None:
        raise NothingToGoBy("neither server.most_active nor a pool of the calibration is known")
    inside = [r.queue_length.mid for r in case.outlook.resources if r.name in INSIDE]
    taken = sum(inside) / (places * case.settings.standing)
    full, what = full_at(case.configuration)
    load, given = case.settings.workload.load, case.settings.server.most_active is not None
    # Whatever else is done in a calibrated one, or waits for one that is overloaded.
    if full is not None and what == FULL_POOL and (load >= full.mid or not given):
        taken = load / full.mid
    if taken >= THRESHOLD:
        yield CARD.finding(
            "taken", percentage("places taken", min(taken, 1.0), THRESHOLD),
            level="error" if taken >= ERROR else "warning",
            options=[CARD.option("room", 2 * places, places=2 * places)],
            taken=percent(min(taken, 1.0)), places=places,
        )  # fmt: skip
