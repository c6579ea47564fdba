"""What is measured: how many clients, how long, what they ask and how long they think."""

from __future__ import annotations

from dataclasses import dataclass, replace

#: Clients of the runs that are fitted, and of those that are predicted: up to four times as many.
FITTED, HELD_OUT = (4, 6, 8, 10), (20, 40)

#: How long a run is that is fitted: a trend over low loads is extrapolated to four times the load,
#: and what is random in a short run would be taken for a trend. [s]
FITTED_SECONDS = 100

#: Rows that a query reads: as many one way as the other. They vary little, so that the mean time
#: of some thousand queries is known to a fraction of a percent.
LEAST_ROWS, MOST_ROWS = 10_000, 40_000

#: Microseconds that a client thinks: exponential, cut off at most of them, which is so many means
#: away that it hardly ever happens.
MOST_THINKING, MEAN_THINKING = 2_000_000, 125_000

#: How often a run that something else disturbed is tried.
ATTEMPTS = 3

#: Rows of the table in one unit of pgbench's scale.
ROWS_OF_SCALE = 100_000


@dataclass(frozen=True, slots=True)
class Plan:
    """A recording.

    Parameters
    ----------
    fitted, held_out : tuple of int
        Clients of each run.
    fitted_seconds, held_out_seconds : int
        Length of each run of either kind. [s]
    warm_up : int
        At the start of a run, when all clients think at once, that is not counted. [s]
    occupied : bool
        Whether another process holds one core all the time.
    """

    fitted: tuple[int, ...] = FITTED
    held_out: tuple[int, ...] = HELD_OUT
    fitted_seconds: int = FITTED_SECONDS
    held_out_seconds: int = 75
    warm_up: int = 3
    occupied: bool = False

    @property
    def runs(self) -> tuple[tuple[int, int], ...]:
        """Clients and seconds of each run, in order."""
        return (
            *((clients, self.fitted_seconds) for clients in self.fitted),
            *((clients, self.held_out_seconds) for clients in self.held_out),
        )

    @property
    def longest(self) -> int:
        """No recording takes longer than this. [s]"""
        return ATTEMPTS * sum(seconds + 15 for _, seconds in self.runs) + 60

    def beside_a_hog(self) -> Plan:
        """The fitted runs again, while another process holds one core."""
        return replace(
            self, held_out=(), fitted_seconds=min(self.fitted_seconds, 40), occupied=True
        )


def script() -> str:
    """What a client of pgbench does over and over: think, then ask for a sum over some rows."""
    return (
        f"\\set think random_exponential(1, {MOST_THINKING}, {MOST_THINKING / MEAN_THINKING:g})\n"
        "\\sleep :think us\n"
        f"\\set rows random({LEAST_ROWS}, {MOST_ROWS})\n"
        "SELECT sum(abalance) FROM pgbench_accounts WHERE aid <= :rows;\n"
    )
