"""What one user asks: script cycle, response knee, processor and memory; see THEORY.md."""

from calibration.agreements.system import Model
from calibration.printed_tables.table import load_table

_ONE, _TWO = "domino5_raid/study_one_claims", "domino5_raid/study_two_claims"
_EVERY_TIME = (
    "documents_read", "documents_updated", "documents_deleted", "views_scrolled",
    "databases_opened", "views_opened",
)  # fmt: skip

#: In every sixth iteration only.
_AT_TIMES = ("messages_sent", "lookups")
_PERIOD = 6.0


def actions() -> float:
    """Actions of one iteration of the script."""
    table = load_table("domino5_raid/workload")
    always = sum(table.value(row) for row in _EVERY_TIME)
    return always + sum(table.value(row) for row in _AT_TIMES) / _PERIOD


def think_time() -> float:
    """Time from the answer to one action until the next. [s]"""
    iterations = load_table("domino5_raid/workload").value("iterations")
    return 1.0 / (iterations * actions())


def criterion() -> float:
    """Mean response time up to which a number of users counts as supported. [s]"""
    return load_table(_ONE).value("response_criterion")


def models() -> tuple[Model, ...]:
    """Nothing is fitted."""
    return (
        Model(
            "users at a bottleneck",
            f"{actions():g} actions in each iteration of the script, {think_time():.0f} s apart; "
            "beyond the knee throughput is that of the bottleneck",
        ),
        Model("in proportion", "processor and memory in proportion to users, from Study One"),
    )
