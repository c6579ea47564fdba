"""What a structure is: the parameters it adds to demands, and where it has nothing to say."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from calibration.estimation.data import CalibrationData
from calibration.estimation.fit import RATIO, Search
from calibration.model_evaluation.model import ServiceModel, load_of


@dataclass(frozen=True, slots=True)
class Parameter:
    """One free number of a model."""

    #: As reports print them.
    name: str
    unit: str
    #: The field of `ServiceModel` it sets.
    sets: str
    #: Its position there: [class], [station] or [class, station].
    place: tuple[int, ...]
    #: Where searches start; the best of them counts.
    starts: tuple[float, ...] = field(compare=False)
    #: On which scale, and within which limits.
    search: Search = RATIO
    #: The value at which it does nothing.
    neutral: float | None = None
    #: A size that matters: what is known to a tenth of it is known well.
    scale: float = 0.0
    #: What is expected of it before anything is measured, as the standard deviation of a
    #: half-normal distribution from the neutral value on; 0 where nothing is.
    expected: float = 0.0

    def known_to(self, error: float) -> str:
        """How well it is known, as reports print it."""
        return f"± {error:.2g} {self.unit}".removesuffix(" 1")


@dataclass(frozen=True, slots=True)
class Extension:
    """Parameters added to demands, for one station or for the whole system."""

    name: str
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True, slots=True)
class Structure:
    """An assumption beside product form that measurements may call for."""

    #: As reports print it.
    name: str
    #: The assumption in a sentence.
    says: str
    #: Data and the model fitted without it to what it adds, station by station where there is a
    #: choice.
    extensions: Callable[[CalibrationData, ServiceModel], Iterator[Extension]]
    #: The reason it cannot be fitted to some data, or None.
    why_not: Callable[[CalibrationData], str | None]


def with_values(
    model: ServiceModel, parameters: Sequence[Parameter], values: Sequence[float]
) -> ServiceModel:
    """The model with values put in their places."""
    fields: dict[str, list[float] | list[list[float]]] = {}
    for parameter, value in zip(parameters, values, strict=True):
        if parameter.sets not in fields:
            now = getattr(model, parameter.sets)
            fields[parameter.sets] = (
                [list(row) for row in now] if len(parameter.place) > 1 else list(now)
            )
        target: list[float] | list[list[float]] = fields[parameter.sets]
        if len(parameter.place) > 1:
            row = target[parameter.place[0]]
            assert isinstance(row, list)
            row[parameter.place[1]] = value
        else:
            target[parameter.place[0]] = value  # type: ignore[call-overload]
    frozen = {
        name: tuple(tuple(each) if isinstance(each, list) else each for each in found)
        for name, found in fields.items()
    }
    return replace(model, **frozen)  # type: ignore[arg-type]


def several_loads(data: CalibrationData) -> bool:
    """Whether loads differ enough for an effect of load to be seen.

    By users where they were counted, else by throughput.
    """
    loads = sorted(load_of(run) for run in data.runs)
    return loads[-1] > 1.2 * loads[0]


def one_class(data: CalibrationData) -> str | None:
    """The reason why a structure for one class does not serve, or None."""
    if len(data.classes) > 1:
        return f"it holds for one class of customers, there are {len(data.classes)}"
    return None


def one_class_of_known_population(data: CalibrationData) -> str | None:
    """The reason why a structure for one closed class does not serve, or None."""
    if several := one_class(data):
        return several
    if any(run.population is None for run in data.runs):
        return "the population is not known"
    return None


def timed(data: CalibrationData) -> bool:
    """Whether some number depends on how long customers wait."""
    return any(
        each.quantity == "response_time" or data.runs[each.run].population is not None
        for each in data.numbers
        if each.quantity in {"response_time", "throughput", "utilization"}
    )
