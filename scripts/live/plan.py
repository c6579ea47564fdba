"""What is measured: how many clients, how long, what they ask and how long they think."""

from __future__ import annotations

from dataclasses import dataclass, replace

#: Clients of the runs that are fitted, and of those that are predicted: up to four times as many.
FITTED, HELD_OUT = (4, 6, 8, 10), (20, 40)

#: How long a run is. [s]
SECONDS = 35

#: How often each number of clients is run. The machine itself is faster at one time than at
#: another; all numbers of clients in turn, and again, share its moods, and how much the runs of one
#: number differ says how far one of them can be trusted.
ROUNDS, ROUNDS_BESIDE = 3, 2

#: Rows that a query makes and sums: any number between these as likely as another. They vary
#: little, so that the mean time of some hundred queries is known to a percent, and they come from
#: no table. A query takes long enough that waking a processor for it counts little: short ones
#: cost less where processors never sleep, and so the less the more clients there are.
LEAST_ROWS, MOST_ROWS = 150_000, 250_000

#: Microseconds that a client thinks: any time between these as likely as another. Only their mean
#: matters to a closed network, and the less they vary the better a short run knows it.
LEAST_THINKING, MOST_THINKING = 625_000, 1_875_000
MEAN_THINKING = (LEAST_THINKING + MOST_THINKING) / 2

#: How often a run that something else disturbed is tried.
ATTEMPTS = 6


@dataclass(frozen=True, slots=True)
class Run:
    """One run of pgbench.

    Parameters
    ----------
    clients, number : int
        How many there are, and of which round of runs this is, from 1.
    """

    clients: int
    number: int

    @property
    def name(self) -> str:
        """As a row of a table is called."""
        return f"{self.clients} clients run {self.number}"


@dataclass(frozen=True, slots=True)
class Plan:
    """A recording.

    Parameters
    ----------
    fitted, held_out : tuple of int
        Clients of each run of a round.
    rounds : int
        How often they are all run.
    seconds : int
        Length of a run. [s]
    warm_up : int
        At the start of a run, when all clients think at once, that is not counted. [s]
    occupied : bool
        Whether another process holds one core all the time.
    """

    fitted: tuple[int, ...] = FITTED
    held_out: tuple[int, ...] = HELD_OUT
    rounds: int = ROUNDS
    seconds: int = SECONDS
    warm_up: int = 3
    occupied: bool = False

    @property
    def runs(self) -> tuple[Run, ...]:
        """In order: upwards, downwards, and so on, so that a trend of the machine cancels."""
        upwards = (*self.fitted, *self.held_out)
        return tuple(
            Run(clients, number)
            for number in range(1, self.rounds + 1)
            for clients in (upwards if number % 2 else reversed(upwards))
        )

    @property
    def longest(self) -> int:
        """No recording takes longer than this. [s]"""
        return ATTEMPTS * len(self.runs) * (self.seconds + 10) + 60

    def beside_a_hog(self) -> Plan:
        """The fitted runs again, while another process holds one core."""
        return replace(self, held_out=(), rounds=ROUNDS_BESIDE, occupied=True)


def script() -> str:
    """What a client of pgbench does over and over: think, then ask for a sum over some rows."""
    return (
        f"\\set think random({LEAST_THINKING}, {MOST_THINKING})\n"
        "\\sleep :think us\n"
        f"\\set rows random({LEAST_ROWS}, {MOST_ROWS})\n"
        "SELECT sum(sqrt(n)) FROM generate_series(1, :rows) n;\n"
    )
