"""Trades: options that bring something else than speed, and what they cost in response time.

Protection of data is worth something that no queueing model knows. An option that offers it and
makes users wait longer is therefore neither recommended nor called worse: its cost is predicted,
and whether the targets still hold, and whoever runs the server decides.
"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.configuration.configuration import Configuration
from advisor.findings.records import Effect, Option, Trade
from advisor.findings.targets import missed, promised
from advisor.planning.rejection import waits_longer
from advisor.predicting.outlook import Outlook


def trade(
    option: Option,
    found: Sequence[Effect],
    before: tuple[Configuration, Outlook],
    after: tuple[Configuration, Outlook],
) -> Trade | None:
    """What an option costs that is for something else than speed; None if it costs nothing.

    Parameters
    ----------
    option : Option
        Its benefit says what it is for; without one it is no trade.
    found : sequence of Effect
        What it does.
    before, after : (Configuration, Outlook)
        The server without and with it.

    Returns
    -------
    Trade or None
        None also where nobody waits longer by more than the model's own error.
    """
    cost = waits_longer(found)
    if cost is None or not option.benefit:
        return None
    today = {each.what for each in missed(*before)}
    then = missed(*after)
    return Trade(cost, promised(before[0]), then, tuple(m for m in then if m.what not in today))
