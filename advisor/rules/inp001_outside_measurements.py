"""The check of INP001, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.predicting.workload import load_of_one, measured_loads
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
    workload = case.settings.workload
    users, key, what = workload.users * 1.0, "users", "users at work"
    if workload.arrival_rate is not None:
        users, key, what = workload.arrival_rate, "arrival_rate", "requests"
    load, unit = load_of_one(case.configuration)
    outside = [
        (ends, name) for ends, name in ranges if not ends[0] / FACTOR <= load <= ends[1] * FACTOR
    ]
    if not outside:
        return
    (low, high), name = outside[0]
    limit = (high * FACTOR if load > high else low / FACTOR) * case.settings.standing
    yield CARD.finding(
        "far_outside", Evidence(what, users, unit.split()[0], "given", f"workload.{key}", limit),
        key=("workload", key), users=load, unit=unit,
        fitted=f"{low:.6g}" if low == high else f"{low:.6g} to {high:.6g}", name=name,
    )  # fmt: skip
