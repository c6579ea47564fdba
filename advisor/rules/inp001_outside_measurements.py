"""The check of INP001, whose manual is the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.predicting.workload import measured_loads
from advisor.rule_support.rule import Case, NothingToGoBy

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
    users, unit, key = float(case.settings.workload.users), "users", "users"
    if rate is not None:
        users, unit, key = rate, "requests/s", "arrival_rate"
    outside = [
        (ends, name) for ends, name in ranges if not ends[0] / FACTOR <= users <= ends[1] * FACTOR
    ]
    if not outside:
        return
    (low, high), name = outside[0]
    fitted_to = f"{low:.6g}" if low == high else f"{low:.6g} to {high:.6g}"
    yield Finding(
        level="note",
        state="no-evidence",
        message=f"{users:.6g} {unit} are far outside the {fitted_to} that {name} was fitted to: "
        "measure at this load, or trust the interval less",
        key=("workload", key),
        evidence=(
            Evidence(
                "users at work" if rate is None else "requests",
                users,
                unit,
                "given",
                f"workload.{key}",
                high * FACTOR if users > high else low / FACTOR,
            ),
        ),
    )
