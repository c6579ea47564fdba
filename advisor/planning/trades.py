"""Trades: options that bring something else than speed, and what they cost in response time.

Protection of data is worth something that no queueing model knows. An option that offers it and
makes users wait longer is therefore neither recommended nor called worse: its cost is predicted,
and whether the targets still hold, and whoever runs the server decides.
"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.findings.records import Effect, Missed, Option, Trade
from advisor.planning.rejection import waits_longer
from advisor.planning.served import Served


def trade(
    option: Option,
    found: Sequence[Effect],
    targets: Served,
    missed: tuple[Missed, ...],
    *,
    promised: bool,
) -> Trade | None:
    """What an option costs that is for something else than speed; None if it costs nothing.

    Parameters
    ----------
    option : Option
        Its benefit says what it is for; without one it is no trade.
    found : sequence of Effect
        What it does.
    targets : Served
        What it does to them.
    missed : tuple of Missed
        Those missed with it.
    promised : bool
        Whether there are targets at all.

    Returns
    -------
    Trade or None
        None also where no response time grows by more than the model's own error, and where it
        ends a missed target and causes no new one: that decides.
    """
    cost = waits_longer(found)
    if cost is None or not option.benefit or targets.serves:
        return None
    return Trade(cost, promised, missed, targets.caused)
