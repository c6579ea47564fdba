"""The check of TGT002, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.findings.targets import held_times
from advisor.predicting.outlook import Outlook
from advisor.rule_support.card import card_of
from advisor.rule_support.rule import Case, NothingToGoBy
from calibration.estimation.data import NOT_MEASURED

CARD = card_of(__file__)
#: Numbers of users this many times apart are worth a word. [1]
APART = 1.25


def check(case: Case) -> Iterator[Finding]:
    """A target of utilization and one of response time of which one never decides."""
    targets = case.settings.targets
    busiest = targets.utilization if targets else None
    if targets is None or busiest is None or not targets.has_times:
        raise NothingToGoBy("needs a target of response time and one of utilization")
    if case.settings.workload.arrival_rate is not None:
        raise NothingToGoBy("users arrive at a given rate; there is no number of them to compare")

    def time(outlook: Outlook) -> float:
        held = held_times(case.configuration, outlook)
        return max((users.within(share).mid / limit for users, share, limit in held), default=0.0)

    def busy(outlook: Outlook) -> float:
        seen = [r.utilization.mid for r in outlook.resources if r.name != NOT_MEASURED]
        return max(seen, default=0.0) / busiest

    fit = {"response time": case.most_users((), time), "utilization": case.most_users((), busy)}
    tight, loose = sorted(fit, key=lambda name: fit[name])
    if fit[tight] == 0 or fit[loose] < APART * fit[tight]:
        return
    found = [
        Evidence(
            f"users within the target of {name}", float(fit[name]), "users", "computed", "targets"
        )
        for name in (tight, loose)
    ]
    yield CARD.finding(
        "idle", *found, tight=tight, loose=loose,
        many=f"{fit[loose]} users or more", few=f"{fit[tight]}",
    )  # fmt: skip
