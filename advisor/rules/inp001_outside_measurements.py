"""The check of INP001, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.predicting.workload import measured_loads
from advisor.rule_support.card import card_of
from advisor.rule_support.rule import Case, NothingToGoBy

CARD = card_of(__file__)
FACTOR = 2.0


def check(case: Case) -> Iterator[Finding]:
    """Users far outside the fitted range."""
    if case.system is None:
        raise NothingToGoBy("the configuration gives the demands itself; nothing was fitted")
    used = {each.task_name for each in case.settings.workload.classes}
    measured = measured_loads(case.configuration)
    ranges = [(each, name) for name in measured if name in used for each in measured[name]]
    if not ranges:
        raise NothingToGoBy("no task of the users was fitted to runs with several loads")
    rate = case.settings.workload.arrival_rate
    users, unit, key, what = case.settings.workload.users * 1.0, "users", "users", "users at work"
    if rate is not None:
        users, unit, key, what = rate, "requests/s", "arrival_rate", "requests"
    outside = [
        (ends, name) for ends, name in ranges if not ends[0] / FACTOR <= users <= ends[1] * FACTOR
    ]
    if not outside:
        return
    (low, high), name = outside[0]
    limit = high * FACTOR if users > high else low / FACTOR
    yield CARD.finding(
        "far_outside",
        Evidence(what, users, unit, "given", f"workload.{key}", limit),
        key=("workload", key),
        users=users,
        unit=unit,
        fitted=f"{low:.6g}" if low == high else f"{low:.6g} to {high:.6g}",
        name=name,
    )
