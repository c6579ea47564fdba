"""An option that several rules share: fewer users on this server."""

from __future__ import annotations

from collections.abc import Callable

from advisor.configuration.changes import Change
from advisor.findings.records import Option
from advisor.findings.words import counted
from advisor.predicting.outlook import Outlook
from advisor.rule_support.case import Case
from advisor.rule_support.night import night_moves


def fewer_users(case: Case, excess: Callable[[Outlook], float], source: str) -> tuple[Option, ...]:
    """The most users that keep within a limit, with batch tasks moved out of the peak.

    Parameters
    ----------
    case : Case
        What the model says.
    excess : callable
        An outlook to how much of the limit it takes, within it up to 1.
    source : str
        Where the limit is from.
    """
    users = case.settings.workload.users
    if case.settings.workload.arrival_rate is not None:
        return ()
    moves = night_moves(case)
    fit = case.most_users(moves, excess)
    if not 0 < fit < users:
        return ()
    title = f"serve at most {counted(fit, 'user')} here, the others elsewhere"
    return (
        Option(
            Change(
                title + (", batch tasks off-peak" if moves else ""),
                ((("workload", "users"), fit), *moves),
            ),
            sources=(source,),
            effort="server",
            side_effects=("another server for the other users",),
            valid="the same mix of tasks",
        ),
    )
