"""Advice checked by simulation: the networks it came from, now and with all steps taken."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from advisor.configuration.configuration import Configuration
from advisor.predicting.prediction import peak_networks
from advisor.predicting.solving import solve_network

if TYPE_CHECKING:
    from qmodel import Agreement

#: Half width of response times to stop at [1], and events of each network at most.
PRECISION, EVENTS = 0.01, 400_000


class Check(NamedTuple):
    """One network, solved and simulated."""

    #: "now" or "after the plan", and the calibration whose network it is.
    when: str
    member: str
    #: None where it cannot be simulated, with the reason.
    found: "Agreement | None"
    refused: str = ""

    @property
    def half_widths(self) -> float:
        """The largest difference, in half-widths of its interval."""
        rows = self.found.comparisons if self.found else ()
        return max((abs(each.half_widths) for each in rows), default=0.0)


def checks_of(
    configurations: Sequence[tuple[str, Configuration]],
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Check, ...]:
    """Every calibration's network at each hour of the peak, simulated once.

    ``configurations`` have when they hold, "now" or "after the plan"; ``progress`` is called with
    how many networks are done, and with all.
    """
    from qmodel import compared, why_not_simulated  # a second to import, and seldom asked for

    asked = {
        network: (when, member)
        for when, configuration in configurations
        for member, network in peak_networks(configuration)
    }
    found = []
    for i, (network, names) in enumerate(asked.items(), 1):
        if refused := why_not_simulated(network):
            found.append(Check(*names, None, refused))
        else:
            how = {"precision": PRECISION, "events": EVENTS, "seconds": None}
            found.append(Check(*names, compared(solve_network(network), **how)))
        if progress is not None:
            progress(i, len(asked))
    return tuple(found)


def disagreement(checks: Sequence[Check]) -> str:
    """What the simulation says otherwise, the farthest apart; empty if it agrees."""
    differing = [each for each in checks if each.found and not each.found.agrees]
    worst = max(differing, key=lambda each: each.half_widths, default=None)
    if worst is None or worst.found is None:
        return ""
    return f"{worst.found.verdict} ({worst.when}, {worst.half_widths:.1f} half-widths)"


def check_line(checks: Sequence[Check]) -> str:
    """The verdict of all checks in one line; empty without any."""
    done = [each for each in checks if each.found]
    if not done:
        return f"not checked by simulation: {checks[0].refused}" if checks else ""
    if disagreement(checks):
        return "checked by simulation: it differs, see above"
    within = max(each.found.worst for each in done if each.found)
    return (
        f"checked by simulation: within {100.0 * within:.2g} %, at most "
        f"{max(each.half_widths for each in done):.1f} half-widths "
        f"({', '.join(dict.fromkeys(each.when for each in done))})"
    )
