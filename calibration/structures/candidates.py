"""The structures that are fitted side by side: what each adds to product form, and where it cannot.

A structure has its parameters at one station at a time, or for every class at once.
"""

from collections.abc import Callable, Iterator, Sequence

from calibration.estimation.data import CalibrationData
from calibration.estimation.fit import Search
from calibration.model_evaluation.model import ServiceModel
from calibration.structures import station_law as laws
from calibration.structures import structure as st
from calibration.structures.besides import BESIDES
from calibration.structures.coherency import COHERENCY
from calibration.structures.idling import IDLING
from calibration.structures.merging import MERGING
from calibration.structures.parallel_service import PARALLEL
from calibration.structures.pool import POOL
from calibration.structures.product_form import saturation_load
from calibration.structures.quota import QUOTA
from calibration.structures.second_thread import SECOND_THREAD
from calibration.structures.waking import WAKING
from qmodel.kernels import LEAST_SCV

#: Monitors are not off by more than this factor without anybody noticing. [1]
MOST_SCALE = 5.0
#: Largest SCV searched; heavier tails are no matter of an SCV. [1]
MOST_SCV = 50.0
#: Largest population that is solved for a varying service. [customers]
LARGEST_VARIED = 2_000


def _for_classes(
    name: str, parameter: str, sets: str, size_of: Callable[[Sequence[float]], float],
    starts_of: Callable[[CalibrationData, str, float], tuple[float, ...]],
) -> laws.Extensions:  # fmt: skip
    """A time of every class, from its size and where to start. [s]"""

    def extensions(data: CalibrationData, model: ServiceModel) -> Iterator[st.Extension]:
        parameters = []
        for c, who in enumerate(data.classes):
            of = f" ({who})" if len(data.classes) > 1 else ""
            size = size_of([0.0, *model.demand[c]]) or 1.0 / saturation_load(data)
            search, starts = Search(ratio=False, low=0.0), starts_of(data, who, size)
            parameters.append(
                st.Parameter(f"{parameter}{of}", "s", sets, (c,), starts, search, 0.0, size)
            )
        yield st.Extension(name, tuple(parameters))

    return extensions


def _delay_starts(data: CalibrationData, who: str, size: float) -> tuple[float, ...]:
    times = data.response_times(who)
    return tuple({0.3 * size: 0, max(0.1 * size, min(times, default=size) - size): 0})


def _background(data: CalibrationData, station: str) -> tuple[tuple[float, float], float]:
    """More than the least utilization cannot be background, but for the noise in it."""
    least = min((busy for _, busy in data.utilizations(station)), default=0.0)
    return (0.1 * least, 0.7 * least), max(0.1, least)


def _untimed(data: CalibrationData) -> str | None:
    return None if st.timed(data) else "no number depends on how long an interaction takes"


def _no_single_server(data: CalibrationData) -> str | None:
    if all(any(run.servers[k] > 1 for run in data.runs) for k in range(len(data.stations))):
        return "every measured station has several servers"
    return None


def _at_most(largest: int) -> laws.Reason:
    def reason(data: CalibrationData) -> str | None:
        most = max(sum(run.population or ()) for run in data.runs)
        said = f"{most} customers are more than the {largest} it is solved for"
        return said if most > largest else None

    return reason


STRUCTURES: tuple[st.Structure, ...] = (
    st.Structure(
        "product form",
        "requests queue only at the measured stations",
        lambda _, __: iter([st.Extension("product form", ())]),
        lambda _: None,
    ),
    BESIDES,
    st.Structure(
        "hidden delay",
        "part of the response time is a fixed delay, which was not measured",
        _for_classes("hidden delay", "hidden delay", "hidden_delay", sum, _delay_starts),
        _untimed,
    ),
    st.Structure(
        "hidden queue",
        "requests wait for something that was not measured, such as a lock or another device",
        _for_classes(
            "hidden queue",
            "demand of hidden queue",
            "hidden_queue",
            max,
            lambda _, __, size: (0.2 * size, 0.9 * size),
        ),
        laws.first_of(
            _untimed,
            laws.one_load(
                "at one load a hidden queue is a hidden delay; measure another population"
            ),
        ),
    ),
    st.Structure(
        "variable service",
        "service at a single server varies more, or less, than exponentially",
        laws.at_stations(
            "variable service at {}", "SCV of {}", "scv", (LEAST_SCV, MOST_SCV),
            lambda *_: ((0.7, 4.0), 1.0), neutral=1.0, single=True,
        ),
        laws.first_of(
            st.one_class_of_known_population, _no_single_server, _at_most(LARGEST_VARIED)
        ),
    ),
    st.Structure(
        "scale factor",
        "the monitor of a station counts a constant share of the work done there, or a hypervisor "
        "takes one",
        laws.at_stations(
            "scale factor of {}", "scale factor of {}", "scale", (1.0 / MOST_SCALE, MOST_SCALE),
            lambda *_: ((0.8, 1.25), 1.0), neutral=1.0, counted=True,
        ),
        _untimed,
    ),
    WAKING,
    IDLING,
    COHERENCY,
    SECOND_THREAD,
    QUOTA,
    PARALLEL,
    MERGING,
    POOL,
    st.Structure(
        "background load",
        "part of a utilization is background work that goes on without users",
        laws.at_stations(
            "background load at {}", "background load of {}", "background", (0.0, 0.99),
            _background
        ),
        laws.one_load(laws.SAME_LOAD + "the system without users"),
    ),
)  # fmt: skip
