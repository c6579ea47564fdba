"""The check of TEST001, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding, Level
from advisor.findings.words import seconds
from advisor.rule_support.card import card_of
from advisor.rule_support.rule import Case

CARD = card_of(__file__)


def check(case: Case) -> Iterator[Finding]:
    """A test whose clients wait, for a load that does not."""
    test, workload = case.settings.load_test, case.settings.workload
    if test is None or workload.arrival_rate is None or not test.closed:
        return
    time = case.outlook.response_time.mid
    found = [Evidence("response time of requests that arrive", time, "s", "computed", "the model")]
    level: Level = "warning"
    how = f"requests that arrive at {workload.arrival_rate:g}/s take {seconds(time)}"
    if test.clients is not None:
        # Little's law: clients that never pause, at this throughput.
        most = test.clients / workload.arrival_rate
        source = "Little's law, load_test.clients over the rate"
        found.append(
            Evidence("longest that a test of so many clients shows", most, "s", "computed", source)
        )
        how += f"; a test with {test.clients} clients cannot show more than {seconds(most)}"
        level = "note" if time < 0.5 * most else level
    yield CARD.finding("closed", *found, level=level, how=how)
