"""Structures of one number a station, and why some cannot be fitted."""

from collections.abc import Callable, Iterator

from calibration.estimation.data import CalibrationData
from calibration.estimation.fit import Search
from calibration.hardware.hardware import station_kind
from calibration.model_evaluation.model import ServiceModel, load_of
from calibration.structures.product_form import saturation_load
from calibration.structures.structure import Extension, Parameter, several_loads

Extensions = Callable[[CalibrationData, ServiceModel], Iterator[Extension]]
Reason = Callable[[CalibrationData], str | None]

#: Up to this part of the saturation load no limit is met [1]; response times that differ by more
#: than this factor show a queue, wherever it is. [1]
HALF, QUEUEING = 0.5, 1.6

SAME_LOAD = "the load is the same in all runs; measure "


def at_stations(
    name: str, parameter: str, sets: str, limits: tuple[float, float],
    shape: Callable[[CalibrationData, str], tuple[tuple[float, float], float]],
    neutral: float = 0.0, *, single: bool = False, even: bool = False, counted: bool = False,
    of: str = "",
) -> Extensions:  # fmt: skip
    """One number of a station, with its starts and its scale.

    ``single`` servers that work, or an ``even`` number of them; ``counted`` where their number is
    known, without which a factor is no capacity; ``of`` one kind of device.
    """

    def extensions(data: CalibrationData, model: ServiceModel) -> Iterator[Extension]:
        for k, station in enumerate(model.stations):
            alone = model.demand[0][k] and all(run.servers[k] == 1 for run in data.runs)
            halves = all(run.servers[k] % 2 == 0 for run in data.runs)
            kind = not of or station_kind(station) == of
            known = not counted or station not in data.assumed
            if kind and known and (alone or not single) and (halves or not even):
                starts, scale = shape(data, station)
                low, high = limits
                search = Search(ratio=False, low=low, high=high)
                found = Parameter(
                    parameter.format(station), "1", sets, (k,), starts, search, neutral, scale
                )
                yield Extension(name.format(station), (found,))

    return extensions


def first_of(*reasons: Reason) -> Reason:
    """The first reason that holds."""
    return lambda data: next((said for reason in reasons if (said := reason(data))), None)


def one_load(said: str) -> Reason:
    """What is said where all runs have one load."""
    return lambda data: None if several_loads(data) else said


def far_from_limits(data: CalibrationData) -> str | None:
    """Why limits of throughput are not looked for, if so."""
    most = max(load_of(run) for run in data.runs)
    times = [d.measurement.value for d in data.numbers if d.quantity == "response_time"]
    queueing = bool(times) and max(times) > QUEUEING * min(times)
    if most < HALF * saturation_load(data) and not queueing:
        return "no run reaches half of saturation; limits do not show before they are reached"
    return None
