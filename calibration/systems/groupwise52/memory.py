"""Memory of the GroupWise agents: the rule of thumb, and the rule calibrated; see THEORY.md."""

from calibration.agreements.fitted_formula import UNKNOWN_NOISE, FittedLaw, Law, Point, fit_law
from calibration.agreements.published import published
from calibration.agreements.system import Model
from calibration.printed_tables.table import load_table
from qmodel.devices.memory_need import MemoryRule

#: Rows by active users; the rule is calibrated on the first two.
FITTED, EXTRAPOLATED, CONTRADICTORY = ("250", "500"), "1000", "100"

_NAME = {"base": "server", "thread": "thread", "connection": "connection"}


def rule_of_thumb() -> MemoryRule:
    """The paper's rule, from its table."""
    table = load_table("groupwise52/memory_rule")
    return MemoryRule(
        "GroupWise 5.2 post office agent",
        tuple((_NAME[row], table.value(row, "size")) for row in table.rows), source=table.cite(),
        errata=tuple(each.finding for each in table.errata),
    )  # fmt: skip


def threads() -> int:
    """Threads of the post office agent in the tests."""
    table = load_table("groupwise52/test_settings")
    return sum(int(table.value(row)) for row in ("tcp_threads", "mf_threads"))


def calibrated() -> FittedLaw[int]:
    """The rule with the memory of a connection fitted to the rows of 250 and 500 users."""
    rule, count = rule_of_thumb(), threads()
    rest = rule.need({"thread": count, "connection": 0}) / 1e6
    law: Law[int] = Law(
        "memory, connection fitted",
        f"{rest:g} MB for the agent and {count} threads, by the rule of thumb, plus the memory per "
        "connection that was measured",
        lambda values, users: rest + values[0] * users,
        (("memory of a connection", "MB", 0.05),),
    )
    return fit_law(law, [_point(users) for users in FITTED])


def models() -> tuple[Model, ...]:
    """The rule of thumb, which fits nothing, and its rival."""
    return (
        Model("memory, rule of thumb", "the paper's rule with the threads of its tests"),
        calibrated().model(),
    )


def _point(users: str) -> Point[int]:
    return Point(published("groupwise52/table_1", users, "memory"), int(users), UNKNOWN_NOISE)
