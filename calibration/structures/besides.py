"""Work of a server besides the requests counted: other work and overhead; see THEORY.md."""

from collections.abc import Iterator
from dataclasses import replace
from math import hypot

from calibration.estimation.data import CalibrationData
from calibration.estimation.fit import Search
from calibration.hardware.hardware import station_kind
from calibration.model_evaluation.model import ServiceModel
from calibration.structures.idling import MOST, POWER, felt
from calibration.structures.structure import Extension, Parameter, Structure, several_loads, timed

#: Expected part of a station's capacity that other work takes [1], and expected overhead of a
#: request over its demands [1].
OTHER_WORK, OVERHEAD = 0.03, 0.5


def _extensions(data: CalibrationData, model: ServiceModel) -> Iterator[Extension]:
    if any(run.population is not None for run in data.runs) or not several_loads(data):
        return  # the times of users that were counted tell
    search = Search(ratio=False, low=0.0, high=0.99)
    found = [
        Parameter(
            f"background load of {station}", "1", "background", (k,), (0.3 * OTHER_WORK,), search,
            0.0, OTHER_WORK, OTHER_WORK,
        )
        for k, station in enumerate(model.stations)
        if any(row[k] for row in model.demand)
    ]  # fmt: skip
    for k, station in enumerate(model.stations):
        demands = [row[k] for row in model.demand if row[k]]
        if demands and station_kind(station) == "cpu":
            power = hypot(*POWER) * felt(min(demands))
            found.append(
                Parameter(
                    f"power of idling of {station}", "1", "idling", (k,), (0.5 * power,),
                    replace(search, high=MOST), 0.0, power, power,
                )
            )  # fmt: skip
    for c, who in enumerate(data.classes) if timed(data) else ():
        of = f" ({who})" if len(data.classes) > 1 else ""
        if size := OVERHEAD * sum(model.demand[c]):
            found.append(
                Parameter(
                    f"hidden delay{of}", "s", "hidden_delay", (c,), (0.3 * size,),
                    Search(ratio=False, low=0.0), 0.0, size, size,
                )
            )  # fmt: skip
    yield Extension("other work and overhead", tuple(found))


BESIDES = Structure(
    "other work and overhead",
    "each station does a little other work, and each request has a little fixed delay", _extensions,
    lambda _: None,
)  # fmt: skip
