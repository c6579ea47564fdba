"""Every published number of a system that its models can speak to, and what they say of it."""

from collections.abc import Callable, Iterator

from calibration.agreements.comparison import Comparison
from calibration.systems.domino85.runs import load_runs
from calibration.systems.notes31 import cells_of, system
from calibration.systems.notes31.disk_volumes import fit_disk_volumes
from calibration.systems.notes31.laboratory import editing, processors, searching
from calibration.systems.postgresql_live import calibrated
from calibration.systems.postgresql_live.measured import tables
from scripts.paper_agreement import (
    domino5_raid_arrays,
    domino5_raid_drives,
    domino5_raid_growth,
    domino5_raid_users,
    domino46_encryption,
    domino46_view_rebuild,
    groupwise52_disk,
    groupwise52_ethernet,
    groupwise52_memory,
    groupwise52_sizing,
)
from scripts.paper_agreement.domino85_local_replicas import compare_local_replicas
from scripts.paper_agreement.domino85_response_time import compare_response_times
from scripts.paper_agreement.domino85_unchanged import compare_attachments, compare_releases
from scripts.paper_agreement.notes31_laboratory import held_out
from scripts.paper_agreement.notes31_processor_upgrade import compare_upgrades
from scripts.paper_agreement.notes31_single_workstation import compare_alone
from scripts.paper_agreement.postgresql_live_measured import compare_levels
from scripts.paper_agreement.run_comparison import compare_runs

PARTS = {
    "domino46": (domino46_encryption, domino46_view_rebuild),
    "domino5_raid": (
        domino5_raid_drives, domino5_raid_arrays, domino5_raid_growth, domino5_raid_users,
    ),
    "groupwise52": (groupwise52_memory, groupwise52_ethernet, groupwise52_disk, groupwise52_sizing),
}  # fmt: skip


def compared(name: str) -> tuple[Comparison, ...]:
    """The comparisons of a measured system, computed."""
    if name in PARTS:
        return tuple(each for part in PARTS[name] for each in part.compare())
    return tuple(_OTHERS[name]())


def _domino85() -> Iterator[Comparison]:
    runs = load_runs()
    yield from compare_response_times(runs)
    yield from compare_local_replicas(runs)
    yield from compare_attachments(runs)
    yield from compare_releases(runs)


def _notes31() -> Iterator[Comparison]:
    edits, searches = editing(), searching()
    members, fitted, cells = system().members, (*edits, *searches), cells_of(edits, searches)
    scatter = fit_disk_volumes(fitted).scatter
    speeds = {name: figure.value for name, figure in processors().items()}
    yield from compare_runs(members, fitted, held_out(), cells, scatter)
    yield from compare_upgrades(members, speeds, cells["edit"])
    yield from compare_alone(members, fitted, cells, scatter)


def _postgresql() -> Iterator[Comparison]:
    for table, subject in zip(tables(), ("alone", "beside another process"), strict=True):
        yield from compare_levels(table, calibrated(table.name), subject)


_OTHERS: dict[str, Callable[[], Iterator[Comparison]]] = {
    "domino85": _domino85,
    "notes31": _notes31,
    "postgresql_live": _postgresql,
}
