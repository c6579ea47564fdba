"""What an LQN model says, in XML or as text: processors, tasks, entries, activities."""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import Literal, TypeVar

from qmodel.errors import FileError, InvalidNetwork
from qmodel.model.layered_records import Discipline

T = TypeVar("T")


@dataclass(slots=True)
class Activity:
    """An activity, or a phase of an entry."""

    name: str
    line: int = 0
    demand: float = 0.0
    think: float = 0.0
    fixed: bool = False
    calls: dict[str, float] = field(default_factory=dict)
    sends: dict[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class LqnEntry:
    """An entry, by its phases or by the activity that it starts."""

    name: str
    line: int = 0
    phases: dict[int, Activity] = field(default_factory=dict)
    start: str | None = None
    forwards: dict[str, float] = field(default_factory=dict)
    arrivals: float = 0.0

    def phase(self, number: int) -> Activity:
        """A phase, made where it is not there yet."""
        return self.phases.setdefault(number, Activity(f"{self.name}_{number}", self.line))


@dataclass(slots=True)
class Precedence:
    """Activities that end, and those that then begin."""

    before: list[str]
    after: list[tuple[str, float]]
    joins: Literal["", "and", "or"] = ""
    forks: Literal["", "and", "or", "loop"] = ""
    line: int = 0


@dataclass(slots=True)
class Task:
    """A task; a reference task has the users."""

    name: str
    processor: str
    line: int = 0
    reference: bool = False
    entries: list[LqnEntry] = field(default_factory=list)
    #: Threads or users; infinite for any number.
    copies: float = 1.0
    replicas: int = 1
    think: float = 0.0
    priority: int = 0
    activities: dict[str, Activity] = field(default_factory=dict)
    precedences: list[Precedence] = field(default_factory=list)
    #: Activities after which an entry answers, by entry.
    replies: dict[str, list[str]] = field(default_factory=dict)
    #: How many replicas of another task each copy calls, by task.
    fan_out: dict[str, int] = field(default_factory=dict)

    def work(self) -> list[Activity]:
        """All phases and activities."""
        phases = [activity for entry in self.entries for activity in entry.phases.values()]
        return [*phases, *self.activities.values()]


@dataclass(slots=True)
class Host:
    """A processor."""

    name: str
    line: int = 0
    discipline: Discipline = "fcfs"
    copies: float = 1.0
    replicas: int = 1
    speed: float = 1.0


@dataclass(slots=True)
class Lqn:
    """A whole file."""

    path: str
    hosts: dict[str, Host] = field(default_factory=dict)
    tasks: dict[str, Task] = field(default_factory=dict)

    def error(self, line: int, problem: str) -> FileError:
        """An error on a line, to be raised."""
        return FileError(self.path, problem, line=line or None)

    def made(self, line: int, make: Callable[[], T]) -> T:
        """A part of a model, or why it is none as an error on a line."""
        try:
            return make()
        except InvalidNetwork as error:
            raise self.error(line, str(error)) from None


#: How processors serve: as the model has it, None where it does not; by word and by letter.
PROCESSORS: dict[str, Discipline | None] = {
    "fcfs": "fcfs", "f": "fcfs", "ps": "ps", "s": "ps", "pp": "priority", "p": "priority",
    "inf": "ps", "i": "ps", "hol": None, "h": None, "cfs": None, "c": None, "rand": None, "r": None,
}  # fmt: skip
#: Tasks that take calls in order, or any number at once.
TASKS = {"fcfs", "f", "n", "inf", "i", "ref", "r"}
ANY = inf
