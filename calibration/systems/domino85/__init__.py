"""Domino 8.0 and 8.5, cluster mail of 6,000 users on two servers, July 2009; see THEORY.md."""

from functools import partial

from calibration.agreements.recorded import recorded
from calibration.agreements.run_comparison import models_of
from calibration.agreements.system import Figure, System, limits
from calibration.printed_tables.table import load_table
from calibration.systems.domino85.response_time import response_models
from calibration.systems.domino85.runs import load_runs
from calibration.systems.domino85.workload import members, reference, workload_cells


def system() -> System:
    """Fit the system."""
    runs = load_runs()
    calibrated = members(runs)
    settings = load_table("domino85/test_settings")
    return System(
        name="domino85", title="Lotus Domino 8.0 and 8.5, cluster mail of 6,000 users, 2009",
        source=settings.source.cite(),
        models=(*models_of(calibrated, {"mail": workload_cells(runs)}), *response_models(runs)),
        compare=partial(recorded, "domino85"), **limits("domino85"), reference=reference(),
        members=calibrated,
        processors={"Xeon 3.6 GHz": Figure(1.0, "1", settings.cite("processor_clock"))},
    )  # fmt: skip
