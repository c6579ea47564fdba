"""The five runs: where each is printed, its numbers, and the noise that a number of it may have."""

from dataclasses import dataclass
from math import sqrt

from calibration.agreements.published import Published, published
from calibration.printed_tables.run import REPLICATE_NOISE
from calibration.printed_tables.table import load_table

#: Relative standard deviation of what one interaction asks for, between runs of one task: that of
#: disk volumes about their law on the system of 1995 (`notes31.disk_volumes`). No run of this
#: system was repeated.
DEMAND_NOISE = 0.03

#: The same for what crosses the network: the scatter of the four fitted runs of editing there.
NETWORK_NOISE = 0.013


@dataclass(frozen=True, slots=True)
class Run:
    """One run of 6,000 users on two servers."""

    title: str
    #: Its numbers by metric, from where it is printed first.
    numbers: dict[str, Published]
    #: Share of the users who work on a local replica. [1]
    share_local: float

    def value(self, metric: str) -> float:
        """One of its numbers, in the unit printed."""
        return self.numbers[metric].value

    def cells(self, *metrics: str) -> tuple[str, ...]:
        """Names of the cells of some of its numbers."""
        return tuple(self.numbers[metric].cell for metric in metrics)


@dataclass(frozen=True, slots=True)
class Runs:
    """The five runs."""

    #: The two releases on the databases of the older one.
    release_80: Run
    release_85: Run
    #: Domino 8.5 with its own template and on-disk structure.
    template: Run
    #: The same with attachments stored once.
    daos: Run
    #: The same without users on local replicas.
    server_based: Run
    #: Users of one server in all of them.
    users_per_server: int
    #: What a user on a local replica asks of the server, over what another does: what the source
    #: says of the network. [1]
    local_fraction: float

    @property
    def fitted(self) -> tuple[Run, ...]:
        """All but the last, which is held out."""
        return self.every[:-1]

    @property
    def every(self) -> tuple[Run, ...]:
        """All of them, in the order in which they are printed."""
        return (self.release_80, self.release_85, self.template, self.daos, self.server_based)


def load_runs() -> Runs:
    """Read the runs from Tables 4 to 7."""
    users = load_table("domino85/test_settings").value("users_per_server")
    return Runs(
        release_80=_run("Domino 8.0", "4", "baseline"),
        release_85=_run("Domino 8.5, old databases", "4", "variant"),
        template=_run("Domino 8.5, new databases", "5", "variant"),
        daos=_run("Domino 8.5, attachments once", "6", "variant"),
        server_based=_run("Domino 8.5, no local replicas", "7", "variant"),
        users_per_server=int(users), local_fraction=published(*LOCAL).value / 100.0,
    )  # fmt: skip


def _run(title: str, number: str, column: str) -> Run:
    table = load_table(f"domino85/table_{number}")
    return Run(
        title,
        {metric: published(table, metric, column) for metric in METRICS if metric in table.rows},
        published(table, "local_replicas", column).value / 100.0,
    )


#: Where the source compares users on local replicas with others.
LOCAL = ("domino85/claims", "local_replica_network", "value")

#: Metric of the tables: what it is called here, and the noise of one run. [1]
METRICS = {
    "response_time": ("response time", REPLICATE_NOISE["response_time"]),
    "transactions": ("transactions", REPLICATE_NOISE["response_time"]),
    "processor": ("utilization", DEMAND_NOISE), "disk_ios": ("disk operations", DEMAND_NOISE),
    "disk_reads": ("disk reads", DEMAND_NOISE), "disk_writes": ("disk writes", DEMAND_NOISE),
    "disk_volume": ("disk volume", DEMAND_NOISE),
    "disk_volume_read": ("disk volume read", DEMAND_NOISE),
    "disk_volume_written": ("disk volume written", DEMAND_NOISE),
    "network": ("LAN rate", NETWORK_NOISE),
    "virtual_memory": ("virtual memory", REPLICATE_NOISE["volume_rate"]),
}  # fmt: skip


def deviation(number: Published, predicted: float, noise: float, runs: int = 2) -> float:
    """Standard deviation of a number about its prediction: print rounding and noise between runs.

    The noise is relative, of one run [1]; two contribute where one is predicted from another.
    """
    return sqrt(number.half_unit**2 / 3.0 + runs * (noise * predicted) ** 2)
