"""The file of a calibration, table by table: strict, and consistent with itself."""

from collections.abc import Sequence
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from qmodel.documents.fields import KeyProblem, Many, Name, StrictModel

#: No number of a server in base units is as large.
_HUGE = 1e15
Positive = Annotated[float, Field(gt=0, lt=_HUGE)]
NotNegative = Annotated[float, Field(ge=0, lt=_HUGE)]
Count = Annotated[int, Field(ge=0)]

#: Fields of the service model that a parameter may set, and how many positions name a place.
_PLACES = {
    "demand": 2, "volume": 2, "think_time": 1, "hidden_delay": 1, "hidden_queue": 1, "scale": 1,
    "scv": 1, "waking": 1, "idling": 1, "coherency": 1, "second_thread": 1,
    "background": 1, "quota": 1, "parallel": 1, "merging": 1, "pool": 1,
}  # fmt: skip
_BY_CLASS = {"demand", "volume", "think_time", "hidden_delay", "hidden_queue"}


class NoiseTable(StrictModel):
    """Relative standard deviation of one run, by quantity."""

    response_time: NotNegative
    throughput: NotNegative
    utilization: NotNegative
    volume: NotNegative
    operations: NotNegative
    chatter: NotNegative = 0.0
    at: dict[str, NotNegative] = Field(default_factory=dict)


class SeriesTable(StrictModel):
    """A volume or operations at a station."""

    quantity: Literal["volume", "operations"]
    station: Name


class RunTable(StrictModel):
    """The conditions of a run; a class without a think time has one that was fitted."""

    name: str
    population: Many[Count] | None = None
    arrival_rate: Many[NotNegative] | None = None
    think_time: dict[str, NotNegative] = Field(default_factory=dict)
    servers: Many[Annotated[int, Field(ge=1)]]


class NumberTable(StrictModel):
    """A measured number."""

    run: Count
    quantity: Literal[
        "throughput", "response_time", "utilization", "volume", "operations", "pool_use"
    ]
    of: str = ""
    customer_class: Annotated[str, Field(alias="class")] = ""
    value: Positive
    standard_deviation: Positive
    unit: str = "1"
    scale: Positive = 1.0


class ParameterTable(StrictModel):
    """A fitted parameter; no standard error where the data do not see it."""

    name: Name
    unit: str
    value: Annotated[float, Field(gt=-_HUGE, lt=_HUGE)]
    standard_error: NotNegative | None = None
    field: Literal[tuple(_PLACES)]  # type: ignore[valid-type]
    place: Many[Count]
    ratio: bool = False
    low: float | None = None
    high: float | None = None
    neutral: float | None = None
    scale: NotNegative = 0.0
    expected: NotNegative = 0.0


class ModelTable(StrictModel):
    """A fitted model."""

    name: Name
    structure: Name
    admissible: bool
    weight: Annotated[float, Field(ge=0, le=1)]
    error: NotNegative
    reason: str = ""
    parameters: Annotated[Many[ParameterTable], Field(min_length=1)]
    covariance: Many[Many[float]]
    residuals: Many[float]

    @model_validator(mode="after")
    def _square(self) -> Self:
        n = len(self.parameters)
        if len(self.covariance) != n or any(len(row) != n for row in self.covariance):
            raise KeyProblem(f"must be {n} rows of {n} numbers, one a parameter", "covariance")
        for i, row in enumerate(self.covariance):
            if row[i] < 0.0 or any(abs(v - self.covariance[j][i]) > 1e-9 * abs(v)
                                   for j, v in enumerate(row)):  # fmt: skip
                raise KeyProblem("must be symmetric with nothing negative on its diagonal",
                                 "covariance")  # fmt: skip
        for i, each in enumerate(self.parameters):
            if len(each.place) != _PLACES[each.field]:
                problem = f"{each.field} needs {_PLACES[each.field]} position(s)"
                raise KeyProblem(problem, "parameters", i, "place")
            if each.ratio and each.value <= 0.0:
                raise KeyProblem(f"must be > 0, got {each.value:g}", "parameters", i, "value")
        return self


class UnknownTable(StrictModel):
    """What the data do not fix."""

    what: Many[str]
    reason: str
    measure: str


class RefusedTable(StrictModel):
    """A structure that could not be fitted."""

    name: str
    reason: str


class ShapeTable(StrictModel):
    """How response times of a class spread about their mean, by one measured percentile."""

    customer_class: Annotated[str, Field(alias="class")]
    share: Annotated[float, Field(ge=0.75, lt=1)]
    alone: Positive
    waiting: Positive
    scatter: NotNegative


class CalibrationFile(StrictModel):
    """A whole calibration."""

    schema_version: Annotated[Literal[1], Field(alias="schema")]
    source: str
    classes: Annotated[Many[Name], Field(min_length=1)]
    stations: Many[Name]
    series: Many[SeriesTable] = ()
    reference: Positive
    widening: Positive = 1.0
    pool: Annotated[float, Field(ge=1)] | None = None
    whole_cycle: bool = False
    noise: NoiseTable
    runs: Annotated[Many[RunTable], Field(min_length=1)]
    numbers: Annotated[Many[NumberTable], Field(min_length=1)]
    models: Annotated[Many[ModelTable], Field(min_length=1)]
    shapes: Many[ShapeTable] = ()
    refused: Many[RefusedTable] = ()
    unknown: Many[UnknownTable] = ()
    contradictions: Many[str] = ()
    notes: Many[str] = ()
    servers_assumed: Many[Name] = ()

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        classes, stations = len(self.classes), len(self.stations)
        if not self.models[0].admissible or abs(sum(m.weight for m in self.models) - 1.0) > 1e-6:
            raise KeyProblem("the first must be admissible, and the weights add up to 1", "models")
        if len({m.name for m in self.models}) < len(self.models):
            raise KeyProblem("each needs a name of its own", "models")
        if others := set(self.servers_assumed).difference(self.stations):
            raise KeyProblem(f"no station {min(others)!r}", "servers_assumed")
        if others := {shape.customer_class for shape in self.shapes}.difference(self.classes):
            raise KeyProblem(f"no class {min(others)!r}", "shapes")
        for i, run in enumerate(self.runs):
            if others := set(run.think_time).difference(self.classes):
                raise KeyProblem(f"no class {min(others)!r}", "runs", i, "think_time")
            rates = run.arrival_rate if run.population is None else run.population
            if rates is None or len(rates) != classes:
                raise KeyProblem(
                    f"needs a population, or an arrival_rate, of each class: {classes}", "runs", i
                )
            if len(run.servers) != stations:
                raise KeyProblem(f"must be one for each station: {stations}", "runs", i, "servers")
        for i, number in enumerate(self.numbers):
            if number.run >= len(self.runs):
                problem = f"no run {number.run}, the last is {len(self.runs) - 1}"
                raise KeyProblem(problem, "numbers", i, "run")
            known: Sequence[str] = self.stations if number.quantity == "utilization" else [""]
            if number.quantity == "pool_use" and self.pool is not None:
                known = [number.of]
            if number.quantity in {"volume", "operations"}:
                known = [s.station for s in self.series if s.quantity == number.quantity]
            if number.of not in known:
                raise KeyProblem(f"no {number.quantity} of {number.of!r}", "numbers", i, "of")
            if number.customer_class and number.customer_class not in self.classes:
                problem = f"no class {number.customer_class!r}"
                raise KeyProblem(problem, "numbers", i, "class")
        for m, model in enumerate(self.models):
            if len(model.residuals) != len(self.numbers):
                problem = f"must be one for each number: {len(self.numbers)}"
                raise KeyProblem(problem, "models", m, "residuals")
            for i, each in enumerate(model.parameters):
                first, series = stations, len(self.series)
                if each.field in {*_BY_CLASS, "pool"}:
                    first = classes
                elif each.field == "merging":
                    first = series
                sizes = (first, series if each.field == "volume" else stations)
                if any(p >= s for p, s in zip(each.place, sizes, strict=False)):
                    problem = f"{list(each.place)} is no place of {each.field}; calibrate again"
                    raise KeyProblem(problem, "models", m, "parameters", i, "place")
        return self
