"""Response time of a transaction: each of four runs predicted from the others; see THEORY.md."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from calibration.agreements.system import Model, Parameter
from calibration.estimation.fit import fit
from calibration.printed_tables.run import Measurement
from calibration.systems.domino85.runs import Run, Runs
from qmodel.single_station import MMm

INPUTS = ("transactions", "processor", "disk_ios")

PROCESSORS = 2


@dataclass(frozen=True, slots=True)
class Structure:
    """What a transaction waits for."""

    #: In the report.
    name: str
    description: str
    #: Servers that the printed transactions are of.
    servers: int
    #: Whether the rest of the time goes with the disk operations.
    disk: bool

    def demand(self, run: Run) -> float:
        """Processor time of a transaction by the utilization law, D = m U / X. [s]"""
        return PROCESSORS * run.value("processor") / 100.0 / self.rate(run)

    def rate(self, run: Run) -> float:
        """Transactions of one server. [1/s]"""
        return run.value("transactions") / 60.0 / self.servers

    def processor_time(self, run: Run, load: float = 1.0) -> float:
        """Time of a transaction at the processors, waiting included, at a multiple of the load.

        [ms]
        """
        return 1000.0 * MMm(load * self.rate(run), self.demand(run), PROCESSORS).residence_time

    def weight(self, run: Run) -> float:
        """How many of the fitted time a transaction takes: disk operations, or one."""
        if not self.disk:
            return 1.0
        return run.value("disk_ios") / (run.value("transactions") / 60.0)


STRUCTURES = (
    Structure("disk operations, one server", "the rest is disk operations, one server", 1, True),
    Structure("disk operations, pair", "the rest is disk operations, rates of the pair", 2, True),
    Structure("constant, one server", "the rest is a constant, rates of one server", 1, False),
    Structure("constant, pair", "the rest is a constant, rates of the pair", 2, False),
)


@dataclass(frozen=True, slots=True)
class Rest:
    """The fitted time, its standard error, and how the runs scatter about the model."""

    #: Of a disk operation, or of the rest of a transaction. [ms]
    time: float
    standard_error: float
    #: Relative standard deviation of a run. [1]
    scatter: float
    #: Runs less the one parameter.
    degrees_of_freedom: int


def fit_rest(structure: Structure, runs: Sequence[Run]) -> Rest:
    """Fit the one parameter of a structure; what is left of the runs is their scatter."""
    numbers = [run.value("response_time") for run in runs]
    processor = [structure.processor_time(run) for run in runs]
    weights = [structure.weight(run) for run in runs]

    def predict(parameters: Sequence[float]) -> list[float]:
        (time,) = parameters
        return [busy + time * weight for busy, weight in zip(processor, weights, strict=True)]

    # Errors as shares of the numbers; the residuals then tell how large a share it is.
    found = fit(predict, [Measurement(n, n) for n in numbers], [20.0 / weights[0]])
    scatter = sqrt(found.chi_square / found.degrees_of_freedom)
    return Rest(
        found.values[0], found.standard_errors[0] * scatter, scatter, found.degrees_of_freedom
    )


def response_models(runs: Runs) -> tuple[Model, ...]:
    """The structures fitted to the four runs."""
    cells = tuple(cell for run in runs.fitted for cell in run.cells("response_time", *INPUTS))
    found = []
    for structure in STRUCTURES:
        fitted = fit_rest(structure, runs.fitted)
        what = "time of a disk operation" if structure.disk else "rest of a transaction"
        found.append(
            Model(
                name=f"response time, {structure.name}",
                description=f"two processors, and {structure.description}",
                parameters=(Parameter(what, fitted.time, "ms", fitted.standard_error),),
                fitted_on=cells, degrees_of_freedom=fitted.degrees_of_freedom,
            )
        )  # fmt: skip
    return tuple(found)
