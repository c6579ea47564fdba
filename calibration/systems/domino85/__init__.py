"""Domino 8.0 and 8.5, cluster mail of 6,000 users on two servers, July 2009.

Fitted
    The time of a transaction beyond its processor, to the response times of the first four runs.
Left out of its own prediction
    Each of those response times; the run with attachments stored once (Table 6), from the run
    before; network and memory of the new release, from the old one (Tables 4 and 5).
Held out
    The run without local replicas (Table 7).
Not identifiable
    Whether the printed rates are of one server or of the pair (erratum E-D09-06); both are kept.
"""

from calibration.agreements.comparison import Comparison
from calibration.agreements.run_comparison import models_of
from calibration.agreements.system import Figure, System, limits
from calibration.printed_tables.table import load_table
from calibration.systems.domino85.local_replicas import compare_local_replicas
from calibration.systems.domino85.response_time import (
    compare_response_times,
    response_models,
    response_range,
)
from calibration.systems.domino85.runs import Runs, load_runs
from calibration.systems.domino85.unchanged import compare_attachments, compare_releases
from calibration.systems.domino85.workload import members, reference, workload_cells


def system() -> System:
    """Fit the system."""
    runs = load_runs()
    calibrated = members(runs)
    settings = load_table("domino85/test_settings")
    return System(
        name="domino85",
        title="Lotus Domino 8.0 and 8.5, cluster mail of 6,000 users, 2009",
        source=settings.source.cite(),
        models=(*models_of(calibrated, {"mail": workload_cells(runs)}), *response_models(runs)),
        compare=_compare,
        **limits("domino85"),
        checks=(*_demands(runs), _last_response(runs)),
        reference=reference(),
        members=calibrated,
        processors={"Xeon 3.6 GHz": Figure(1.0, "1", settings.cite("processor_clock"))},
    )


def _compare() -> tuple[Comparison, ...]:
    runs = load_runs()
    return (
        *compare_response_times(runs),
        *compare_local_replicas(runs),
        *compare_attachments(runs),
        *compare_releases(runs),
    )


def _demands(runs: Runs) -> tuple[str, ...]:
    """What a transaction takes in each run, if the rates are of one server."""
    found = []
    for run in runs.every:
        rate = run.value("transactions") / 60.0
        found.append(
            f"{run.title}: a transaction takes {20.0 * run.value('processor') / rate:.3g} ms of "
            f"processor, {run.value('disk_ios') / rate:.3g} disk operations of "
            f"{1e3 * run.value('disk_volume') / run.value('disk_ios'):.3g} KB; the processor "
            "twice as much if rates are of the pair"
        )
    return tuple(found)


def _last_response(runs: Runs) -> str:
    """What the models say of the held-out run when its own demands are put in."""
    found, _ = response_range(runs.fitted, runs.server_based)
    measured = runs.server_based.value("response_time")
    return (
        f"with its own processor time and disk operations the run without local replicas would "
        f"respond in {found.mid:.3g} ms ({100 * (found.mid / measured - 1.0):+.0f} %): the rest of "
        "what its prediction misses is the processor's rise"
    )
