"""Parallel service: several requests at once on a drive whose monitor shows any; see THEORY.md."""

from calibration.estimation.fit import Search
from calibration.structures.station_law import SAME_LOAD, at_stations, first_of, one_load
from calibration.structures.structure import Parameter, Structure, one_class

NAME = "parallel service at {}"
#: What is expected of a drive of which nothing is known, and its standard deviation: reads of the
#: catalogue's solid-state drives have 0.1 to 1, sustained writes 0. [1]
EXPECTED = (0.5, 0.4)


def expected(station: str, k: int) -> Parameter:
    """How far a drive, the k-th station, serves side by side, as is expected of all of them."""
    mean, deviation = EXPECTED
    search = Search(ratio=False, low=0.0, high=1.0)
    return Parameter(
        NAME.format(station), "1", "parallel", (k,), (mean,), search, mean, 0.2, deviation
    )


PARALLEL = Structure(
    "parallel service",
    "a drive works on several requests at once, from 0 (one) to 1 (all of them), and its monitor "
    "shows the time with at least one",
    at_stations(NAME, NAME, "parallel", (0.0, 1.0), lambda *_: ((0.3, 1.0), 0.2),
                single=True, of="disk"),
    first_of(one_class, one_load(SAME_LOAD + "another population")),
)  # fmt: skip
