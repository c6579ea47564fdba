"""Advice checked by simulation: the networks it came from, now and with all steps taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from advisor.configuration.configuration import Configuration
from advisor.predicting.prediction import peak_networks
from advisor.predicting.solving import solve_network
from qmodel import Agreement, compared, why_not_simulated

#: Half width of response times to stop at, and events of each network at most. [1]
PRECISION, EVENTS = 0.01, 400_000


@dataclass(frozen=True, slots=True)
class Check:
    """One network, solved and simulated; or why it cannot be simulated.

    Parameters
    ----------
    when : str
        "now", or "after the plan".
    member : str
        The calibration whose network it is.
    found : Agreement, optional
        None where the network cannot be simulated.
    refused : str
        Why not.
    """

    when: str
    member: str
    found: Agreement | None
    refused: str = ""

    @property
    def half_widths(self) -> float:
        """The largest difference, in half-widths of its interval."""
        rows = self.found.comparisons if self.found else ()
        return max((abs(each.half_widths) for each in rows), default=0.0)


def checks_of(
    configurations: Sequence[tuple[str, Configuration]],
    progress: Callable[[int, int], None] | None = None,
    events: int = EVENTS,
) -> tuple[Check, ...]:
    """Every calibration's network at each hour of the peak, simulated once.

    Parameters
    ----------
    configurations : sequence of (str, Configuration)
        When each holds, and the configuration.
    progress : callable, optional
        Called after each network with how many are done, and with all.
    events : int
        Of each network at most.
    """
    asked = {
        network: (when, member)
        for when, configuration in configurations
        for member, network in peak_networks(configuration)
    }
    found = []
    for i, (network, (when, member)) in enumerate(asked.items(), 1):
        refused = why_not_simulated(network) or ""
        solution = solve_network(network)
        done = None
        if not refused:
            done = compared(solution, precision=PRECISION, events=events, seconds=None)
        found.append(Check(when, member, done, refused))
        if progress is not None:
            progress(i, len(asked))
    return tuple(found)


def disagreement(checks: Sequence[Check]) -> str:
    """What the simulation says otherwise, the farthest apart; empty if it agrees."""
    differing = [each for each in checks if each.found and not each.found.agrees]
    if not differing:
        return ""
    worst = max(differing, key=lambda each: each.half_widths)
    assert worst.found is not None
    return f"{worst.found.verdict} ({worst.when}, {worst.half_widths:.1f} half-widths)"


def check_line(checks: Sequence[Check]) -> str:
    """The verdict of all checks in one line; empty without any."""
    done = [each for each in checks if each.found]
    if not done:
        return f"not checked by simulation: {checks[0].refused}" if checks else ""
    if disagreement(checks):
        return "checked by simulation: it differs, see above"
    times = ", ".join(dict.fromkeys(each.when for each in done))
    within = max(each.found.worst for each in done if each.found)
    left = f"; not {len(checks) - len(done)} of {len(checks)} models" * (len(done) < len(checks))
    return (
        f"checked by simulation: within {100.0 * within:.2g} %, at most "
        f"{max(each.half_widths for each in done):.1f} half-widths ({times}){left}"
    )
