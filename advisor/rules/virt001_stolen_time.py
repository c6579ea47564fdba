"""The check of VIRT001, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Finding
from advisor.rule_support.card import Card, card_of
from advisor.rule_support.rule import Case
from advisor.rule_support.signal import check_of

CARD = card_of(__file__)


def check(case: Case) -> Iterator[Finding]:
    """Stolen time, which is a share of all time: demands contain it as a share of the busy time."""
    busy = max(case.outlook.resource("cpu").utilization.mid, 1e-9)
    own = {**CARD.data["option"]["own"], "gives_back": 1.0 / busy}
    yield from check_of(Card({**CARD.data, "option": {"own": own}}))(case)
