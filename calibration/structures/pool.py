"""A pool: no more than so many requests are inside at once, the others wait; see THEORY.md."""

from collections.abc import Iterator
from math import inf

from calibration.estimation.data import CalibrationData
from calibration.estimation.fit import Search
from calibration.model_evaluation.model import ServiceModel
from calibration.structures import structure as st
from calibration.structures.product_form import inside
from calibration.structures.station_law import SAME_LOAD, far_from_limits, first_of, one_load

#: Largest pool that is searched; none of the measured systems' was larger. [customers]
MOST = 1_000.0


def _extensions(data: CalibrationData, _: ServiceModel) -> Iterator[st.Extension]:
    most = max([1.0, *(number for _, number in inside(data))])
    search = Search(ratio=False, low=1.0, high=MOST)
    starts = (max(1.0, 0.2 * most), max(1.5, 0.6 * most))
    yield st.Extension(
        "pool", (st.Parameter("size of pool", "1", "pool", (0,), starts, search, 0.0),)
    )


POOL = st.Structure(
    "pool",
    "a limited number of requests are inside at once: threads, connections, workers",
    _extensions,
    first_of(
        lambda data: "the table names one, with its size" if data.pool < inf else None,
        st.one_class_of_known_population,
        lambda data: None if st.timed(data) else "no number depends on how long requests wait",
        one_load(SAME_LOAD + "another population"), far_from_limits,
    ),
)  # fmt: skip
