"""What no run shows of a change: expected from what other servers had; see THEORY.md."""

from collections.abc import Iterator
from dataclasses import replace

from calibration.hardware.hardware import device_kind, is_pool
from calibration.model_evaluation.model import ServiceModel

#: Power of the number of processors by which a request takes longer, and its standard deviation:
#: two do 1.8 times the work of one. [1]
MULTIPROCESSING = (0.15, 0.15)
#: Part of a response time for which a place of a pool is taken, and its standard deviation. [1]
HOLDING = (0.94, 0.04)
#: How much more than its mean requests lose to other work at two thirds of saturation, over that
#: mean, and where nine of ten lie: it may be even, or come in bursts in which they wait. [1]
BURSTS = (0.3, 0.0, 0.9)


def as_elsewhere(service: ServiceModel, *, far: bool) -> ServiceModel:
    """A fitted model with what is expected of more processors.

    And of pools and other work, if its runs end ``far`` from saturation.
    """
    return replace(
        service,
        multiprocessing=MULTIPROCESSING[0] if any(map(of_processors, service.stations)) else 0.0,
        holding=HOLDING[0] if far else service.holding, bursts=BURSTS[0] if far else service.bursts,
    )  # fmt: skip


def moved(
    service: ServiceModel, deviations: float, *, far: bool
) -> Iterator[tuple[ServiceModel, ServiceModel]]:
    """The model with each expectation moved both ways by so many standard deviations."""
    if any(map(of_processors, service.stations)):
        mean, error = MULTIPROCESSING
        low, high = (
            replace(service, multiprocessing=mean + sign * deviations * error) for sign in (-1, 1)
        )
        yield low, high
    if far and any(service.background):
        low, high = (replace(service, bursts=end) for end in BURSTS[1:])
        yield low, high
    if far:
        mean, error = HOLDING
        low, high = (
            replace(service, holding=min(1.0, mean + sign * deviations * error)) for sign in (-1, 1)
        )
        yield low, high


def of_processors(station: str) -> bool:
    """Whether a station may be the processors of a machine, whose number can change."""
    return device_kind(station) in {"", "cpu"} and not is_pool(station)


def on_processors(service: ServiceModel, k: int, ratio: float) -> tuple[ServiceModel, float]:
    """The model with so many times the processors at a station, and the work of a request there.

    The work is a factor. [1]
    """
    if ratio == 1.0 or not of_processors(service.stations[k]):
        return service, 1.0
    more = ratio**service.multiprocessing
    rows = tuple(
        tuple(d * more if j == k else d for j, d in enumerate(row)) for row in service.demand
    )
    return replace(service, demand=rows), more
