"""Hardware threads: what a core does for one slows down while the other works; see THEORY.md."""

from calibration.estimation.data import CalibrationData
from calibration.structures.station_law import SAME_LOAD, at_stations, first_of, one_load
from calibration.structures.structure import Structure


def _odd(data: CalibrationData) -> str | None:
    if all(any(run.servers[k] % 2 for run in data.runs) for k in range(len(data.stations))):
        return "no measured station has an even number of servers, which could be threads"
    return None


SECOND_THREAD = Structure(
    "second thread",
    "the servers of a station are threads, two per core, which slow each other down",
    at_stations(
        "threads of {}", "slowing of threads of {}", "second_thread", (0.0, 1.0),
        lambda *_: ((0.1, 0.5), 0.5), even=True,
    ),
    first_of(_odd, one_load(SAME_LOAD + "another population")),
)  # fmt: skip
