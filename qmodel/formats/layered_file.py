"""Layered models as TOML or JSON files: ``[[users]]``, ``[[service]]``, ``[[entry]]``,
``[[processor]]``.
"""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal

from pydantic import Field

from qmodel.documents.document import Document
from qmodel.documents.fields import Many, Name, Population, Rate, StrictModel, Time
from qmodel.documents.toml_text import document_text
from qmodel.documents.validation import validate
from qmodel.documents.wording import KeyPath, did_you_mean, show_text
from qmodel.errors import FileError, InvalidNetwork
from qmodel.formats.model_file import given
from qmodel.model.layered_model import Layered
from qmodel.model.layered_records import Discipline, Entry, Processor, Service, Users
from qmodel.model.layered_steps import Answer, Choice, Repeat, Step, Steps, Together, Work

#: Calls by the name of the entry. [1]
CallsTable = dict[str, Annotated[float, Field(ge=0)]]
Share = Annotated[float, Field(ge=0, le=1)]
Number = Annotated[int, Field(ge=1)]


class UsersTable(StrictModel):
    """``[[users]]``."""

    name: Name
    population: Population | None = Field(None, ge=1)
    arrival_rate: Annotated[Rate, Field(gt=0)] | None = None
    think_time: Time = 0.0
    calls: CallsTable = Field(min_length=1)
    fixed: bool | None = None


class ServiceTable(StrictModel):
    """``[[service]]``."""

    name: Name
    threads: Number | Literal["any"] = "any"
    processor: Name | None = None
    replicas: Number = 1
    priority: int = 0


class WorkTable(StrictModel):
    """Work, as of an entry or one of its steps."""

    demand: Time = 0.0
    calls: CallsTable = Field({})
    sends: CallsTable = Field({})
    fixed: bool = False


class BranchTable(StrictModel):
    """A branch of a choice."""

    probability: Share
    steps: "Many[StepTable]" = ()


class StepTable(WorkTable):
    """One step: work, the answer, a choice, parallel branches or repetitions."""

    name: str = ""
    think: Time = 0.0
    answer: bool = False
    choice: Many[BranchTable] = ()
    together: "Many[Many[StepTable]]" = ()
    repeat: Annotated[float, Field(ge=0)] | None = None
    steps: "Many[StepTable]" = ()

    def step(self) -> Step:
        """As the model has it."""
        kinds = [self.answer, bool(self.choice), bool(self.together), self.repeat is not None]
        plain = bool(self.demand or self.calls or self.sends or self.think)
        if sum(kinds) + plain > 1 or bool(self.steps) != (self.repeat is not None):
            raise InvalidNetwork(
                "a step is work, answer = true, choice = [...], together = [...], or repeat = "
                "with steps = [...]; expected one of them"
            )
        if self.answer:
            return Answer()
        if self.choice:
            return Choice(tuple((b.probability, _steps(b.steps)) for b in self.choice))
        if self.together:
            return Together(tuple(_steps(each) for each in self.together))
        if self.repeat is not None:
            return Repeat(self.repeat, _steps(self.steps))
        return Work(self.demand, self.calls, self.sends, self.fixed, self.think, self.name)


class EntryTable(WorkTable):
    """``[[entry]]``."""

    name: Name
    service: Name
    forwards: dict[str, Share] = Field({})
    steps: Many[StepTable] = ()


class ProcessorTable(StrictModel):
    """``[[processor]]``."""

    name: Name
    cores: Number | Literal["any"] = 1
    speed: float = Field(1.0, gt=0)
    discipline: Discipline = "ps"


class LayeredFile(StrictModel):
    """A whole file."""

    users: Many[UsersTable] = Field(min_length=1)
    services: Many[ServiceTable] = Field(alias="service", min_length=1)
    entries: Many[EntryTable] = Field(alias="entry", min_length=1)
    processors: Many[ProcessorTable] = Field((), alias="processor")


def layered_of(document: Document) -> Layered:
    """The layered model that a document describes; see `load_model`."""
    file = validate(LayeredFile, document, what="model")
    if problems := list(_problems(file)):
        raise document.errors(problems)
    try:
        return Layered(
            [Users(u.name, u.population, u.think_time, u.calls, u.fixed,  # type: ignore[arg-type]
                   u.arrival_rate)
             for u in file.users],
            [
                Service(
                    s.name,
                    tuple(Entry(e.name, e.demand, e.calls, e.forwards, e.fixed, e.sends,
                                _steps(e.steps))
                          for e in file.entries if e.service == s.name),
                    None if s.threads == "any" else s.threads,
                    s.processor,
                    s.replicas,
                    s.priority,
                )
                for s in file.services
            ],
            [Processor(p.name, None if p.cores == "any" else p.cores, p.speed, p.discipline)
             for p in file.processors],
        )  # fmt: skip
    except InvalidNetwork as error:  # circles, and what is never called
        raise FileError(document.path, str(error)) from None


def _steps(tables: Iterable[StepTable]) -> Steps:
    return tuple(table.step() for table in tables)


def _problems(file: LayeredFile) -> Iterator[tuple[KeyPath, str]]:
    """Names that are not there, and services without an entry."""
    known: dict[str, list[str]] = {
        "service": [s.name for s in file.services],
        "entry": [e.name for e in file.entries],
        "processor": [p.name for p in file.processors],
    }

    def missing(kind: str, name: str | None, *key: str | int) -> Iterator[tuple[KeyPath, str]]:
        if name is not None and name not in known[kind]:
            yield key, f"no {kind} {show_text(name)}; {did_you_mean(name, known[kind])}"

    for i, users in enumerate(file.users):
        for name in users.calls:
            yield from missing("entry", name, "users", i, "calls", name)
    for i, service in enumerate(file.services):
        yield from missing("processor", service.processor, "service", i, "processor")
        if all(e.service != service.name for e in file.entries):
            problem = "has no entry; give it one: [[entry]] with service = "
            yield ("service", i), f"{problem}{show_text(service.name)}"
    for i, entry in enumerate(file.entries):
        yield from missing("service", entry.service, "entry", i, "service")
        for key in ("calls", "sends", "forwards"):
            for name in getattr(entry, key):
                yield from missing("entry", name, "entry", i, key, name)


def layered_text(model: Layered, format: str = "toml") -> str:  # noqa: A002
    """A layered model as text that `load_model` reads back as an equal one.

    Examples
    --------
    >>> print(layered_text(Layered([Users("clients", 3, 1.0, {"page": 1})],
    ...                            [Service("web", [Entry("page", 0.2)], 1, "cpu")],
    ...                            [Processor("cpu")])).partition("[[entry]]")[0])
    [[users]]
    name = "clients"
    population = 3
    think_time = "1.0 s"
    calls = { page = 1.0 }
    fixed = true
    <BLANKLINE>
    [[service]]
    name = "web"
    threads = 1
    processor = "cpu"
    <BLANKLINE>
    <BLANKLINE>
    """
    data: dict[str, Any] = {
        "users": [
            {"name": u.name}
            | ({"population": u.population, "think_time": f"{u.think_time!r} s"} if u.population
               else {"arrival_rate": f"{u.arrival_rate!r} /s"})
            | {"calls": dict(u.calls), "fixed": bool(u.fixed)}
            for u in model.users
        ],
        "service": [
            {"name": s.name, "threads": s.threads or "any"}
            | _given(s, processor=None, replicas=1, priority=0)
            for s in model.services
        ],
        "entry": [
            {"name": e.name, "service": s.name}
            | (_step(e.plain) if e.plain else {"steps": [_step(step) for step in e.steps]})
            | _given(e, forwards=())
            for s in model.services for e in s.entries
        ],
        "processor": [
            {"name": p.name, "cores": p.cores or "any", "speed": p.speed}
            | _given(p, discipline="ps")
            for p in model.processors
        ],
    }  # fmt: skip
    if not data["processor"]:
        del data["processor"]
    return document_text(data, format)


def _given(record: object, **usual: object) -> dict[str, Any]:
    """As `given`, calls as tables."""
    values = given(record, **usual)
    return {k: dict(v) if isinstance(v, tuple) else v for k, v in values.items()}


def _step(step: Step) -> dict[str, Any]:
    """A step as a table."""
    if isinstance(step, Work):
        think = {"think": f"{step.think!r} s"} if step.think else {}
        others = _given(step, calls=(), sends=(), fixed=False, name="")
        return {"demand": f"{step.demand!r} s", **think, **others}
    if isinstance(step, Answer):
        return {"answer": True}
    if isinstance(step, Repeat):
        return {"repeat": step.times, "steps": [_step(x) for x in step.steps]}
    if isinstance(step, Together):
        return {"together": [[_step(x) for x in branch] for branch in step.branches]}
    return {"choice": [{"probability": p, "steps": [_step(x) for x in branch]}
                       for p, branch in step.branches]}  # fmt: skip
