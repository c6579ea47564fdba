"""PostgreSQL under pgbench clients who think, a recording of 2026; see THEORY.md."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial

from calibration.agreements.recorded import recorded
from calibration.agreements.system import (
    Figure,
    Model,
    System,
    calibrated_system,
    fitted_parameters,
    limits,
)
from calibration.fitting.calibrate import calibrate_data
from calibration.fitting.fitted_model import Calibration
from calibration.hardware.hardware import DiskArray, Hardware, Lan
from calibration.printed_tables.table import MeasuredTable, load_table
from calibration.systems.postgresql_live.measured import ALONE, PROCESSORS, cells, data_of, tables
from qmodel.devices.disk import Disk
from qmodel.devices.raid import LEVELS


@cache
def calibrated(name: str) -> Calibration:
    """The models of one of the two recordings, fitted to its low loads."""
    return calibrate_data(data_of(load_table(name)))


def system() -> System:
    """Fit the system."""
    alone, beside = tables()
    found = calibrated(ALONE)
    return replace(
        calibrated_system(found), reference=reference(), name="postgresql_live",
        title="PostgreSQL 15 under pgbench, 2026", source=alone.source.cite(),
        models=(*_models(alone, ""), *_models(beside, "beside another process: ")),
        compare=partial(recorded, "postgresql_live"), **limits("postgresql_live"),
        processors={"x86-64 at 2.45 GHz": Figure(1.0, "1", alone.cite())},
    )  # fmt: skip


def reference() -> Hardware:
    """What was measured: two processors. The queries touched no drive and no network."""
    return Hardware(
        processors=PROCESSORS, speed=1.0,
        disk=DiskArray(LEVELS["raid0"], 1, Disk(0.004, 0.004, 200e6), block=8192.0),
        lan=Lan(rate=1e9, segments=1, usable_share=1.0),
    )  # fmt: skip


def _models(table: MeasuredTable, title: str) -> Iterator[Model]:
    found = calibrated(table.name)
    for model in found.admissible:
        yield Model(
            f"{title}{model.name}", f"{model.structure}, weight {model.weight:.0%}",
            fitted_parameters(model), cells(table), len(found.data.numbers) - len(model.values),
            model.chi_square,
        )  # fmt: skip
