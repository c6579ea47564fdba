"""What a transaction asks of one server of the pair, as tasks of a configuration; see THEORY.md."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from calibration.agreements.ensemble import FittedTask, Member
from calibration.estimation.fit import fit
from calibration.hardware.server import DiskArray, Hardware, Lan, server_network
from calibration.hardware.task import Load, Task
from calibration.printed_tables.run import Measurement
from calibration.printed_tables.table import load_table
from calibration.systems.domino85.response_time import INPUTS, PROCESSORS
from calibration.systems.domino85.runs import METRICS, Run, Runs, deviation
from qmodel import solve
from qmodel.devices.disk import Disk
from qmodel.devices.raid import LEVELS

DRIVE = Disk(seek_time=0.0038, rotation_time=60.0 / 15000.0, transfer_rate=70e6)


def reference() -> Hardware:
    """One server of the pair."""
    drives = int(load_table("domino85/test_settings").value("drives"))
    array = DiskArray(LEVELS["raid0"], drives, DRIVE, block=8 * 1024.0)
    return Hardware(PROCESSORS, 1.0, array, Lan(rate=1e9, segments=1, usable_share=1.0))


def members(runs: Runs) -> tuple[Member, ...]:
    """The two readings of the printed rates."""
    return (
        _member(
            runs, "rates of one server", "the printed transactions and volumes are of one server", 1
        ),
        _member(runs, "rates of the pair", "each server has half of what is printed", 2),
    )


def _member(runs: Runs, name: str, description: str, servers: int) -> Member:
    fitted = _fitted(runs, servers)
    rest = fitted.task.client
    releases = (
        ("mail_release_80", runs.release_80, "mail on Domino 8.0"),
        ("mail_release_85_old_databases", runs.release_85, "mail on Domino 8.5, databases of 8.0"),
        (
            "mail_no_local_replicas", _with_network(runs.server_based, runs.daos),
            "mail on Domino 8.5 as measured without local replicas",
        ),
    )  # fmt: skip
    others = (_task(name, run, runs, title, servers, rest) for name, run, title in releases)
    return Member(name, description, (fitted,), (_local(fitted.task, runs, servers), *others))


def workload_cells(runs: Runs) -> tuple[str, ...]:
    """Cells behind the fitted task."""
    metrics = ("response_time", *INPUTS, "disk_volume", "disk_writes", "network")
    return tuple(cell for run in _runs(runs) for cell in run.cells(*metrics))


def _fitted(runs: Runs, servers: int) -> FittedTask:
    """Processor demand and the rest of a transaction, from the two runs with new databases.

    Transactions arrive at the measured rate: from thousands of users that is as good as a source
    outside, and needs no recursion over them.
    """
    rate = runs.daos.value("transactions") / 60.0 / servers
    title = "mail on Domino 8.5, databases on the server"
    measured = _task("mail", runs.daos, runs, title, servers, 0.0)
    sources = tuple(each.numbers["transactions"].source for each in _runs(runs))
    make = partial(replace, measured, sources=sources)
    hardware = reference()

    def predict(parameters: Sequence[float]) -> list[float]:
        cpu, rest = parameters
        task = make(cpu=cpu, client=rest)
        load = Load(task.name, task, 0, arrival_rate=rate)
        solution = solve(server_network(hardware, [load]).network)
        both = (solution.response_times[0] * 1000.0, solution.station_utilizations[0] * 100.0)
        return [*both, *both]

    numbers = []
    for each in _runs(runs):
        for metric in ("response_time", "processor"):
            number = each.numbers[metric]
            _, noise = METRICS[metric]
            numbers.append(
                Measurement(number.value, deviation(number, number.value, noise, runs=1))
            )
    return FittedTask(
        lambda p: make(cpu=p[0], client=p[1]), fit(predict, numbers, [0.004 * servers, 0.005]),
        ("processor demand [s]", "rest of a transaction [s]"),
        tuple(each.numbers["response_time"].source for each in _runs(runs)),
        (runs.users_per_server, runs.users_per_server),
    )  # fmt: skip


def _local(fitted: Task, runs: Runs, servers: int) -> Task:
    """A user on a local replica: the same transactions, but fewer."""
    run = runs.daos
    return replace(
        fitted,
        name="mail_local_replica",
        title="mail on Domino 8.5, on a local replica",
        think_time=_cycle(run, runs, servers) / runs.local_fraction
        - run.value("response_time") / 1000.0,
        sources=(*fitted.sources, load_table("domino85/claims").cite("local_replica_network")),
    )


def _task(name: str, run: Run, runs: Runs, title: str, servers: int, client: float) -> Task:
    """A transaction of one run: demands by the utilization and the forced flow law."""
    rate = run.value("transactions") / 60.0
    return Task(
        name=name, title=title, interaction="one transaction",
        cpu=PROCESSORS * run.value("processor") / 100.0 / (rate / servers),
        disk_volume=run.value("disk_volume") * 1e6 / rate,
        operation_size=run.value("disk_volume") * 1e6 / run.value("disk_ios"),
        write_share=run.value("disk_writes") / run.value("disk_ios"),
        lan_volume=run.value("network") * 1e3 / 8.0 / rate, client=client,
        think_time=_cycle(run, runs, servers) - run.value("response_time") / 1000.0,
        sources=(run.numbers["transactions"].source,),
    )  # fmt: skip


def _runs(runs: Runs) -> tuple[Run, ...]:
    """The runs that the task is fitted to."""
    return (runs.template, runs.daos)


def _with_network(run: Run, before: Run) -> Run:
    """The run with the network volume of a transaction of the one before; its own is missing."""
    number = before.numbers["network"]
    growth = run.value("transactions") / before.value("transactions")
    network = number.converted(number.unit, lambda value: value * growth)
    return replace(run, numbers=run.numbers | {"network": network})


def _cycle(run: Run, runs: Runs, servers: int) -> float:
    """Time between transactions of a user with databases on the server, N / X. [s]

    A user on a local replica counts as the share of one that it is.
    """
    users = runs.users_per_server * (1.0 - run.share_local * (1.0 - runs.local_fraction))
    return users / (run.value("transactions") / 60.0 / servers)
