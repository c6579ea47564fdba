"""What the method of layers finds: users, services and processors, and where the queue stands.

Original.
"""

from dataclasses import asdict, dataclass, field
from typing import Any

from qmodel.errors import InvalidInput
from qmodel.solvers.layered.seen_network import SeenNetwork
from qmodel.tabular import Tabular, text_table


@dataclass(frozen=True, slots=True)
class UsersResult:
    """Interactions of some users: [1/s], and their time without thinking. [s]"""

    throughput: float
    response_time: float


@dataclass(frozen=True, slots=True)
class ServiceResult:
    """Calls of a service: [1/s]; the wait of a call for a thread, and how long it is held. [s]"""

    throughput: float
    thread_wait: float
    holding_time: float
    #: Threads in use in the mean, and of the pool; 0 where any number may be. [threads], [1]
    busy_threads: float
    utilization: float


@dataclass(frozen=True, slots=True)
class LayeredSolution(Tabular):
    """A layered model in steady state. As a table: a row per user group, service and processor.

    Parameters
    ----------
    users, services, processors : dict
        Results by name; of a processor the utilization of one core, the cores in use where there
        is any number. [1]
    busy_cores : dict
        By processor, all replicas together: in use in the mean. [cores]
    entries : dict
        By name the throughput [1/s] and the time from acceptance to answer. [s]
    bottleneck : str or None
        The pool or processor that is full first: of several full ones the lowest.
    notes : tuple of str
        What of the model is solved as something else.
    iterations : int
        Rounds over all layers.
    residual : float
        Largest relative change of a throughput or a residence time in the last one. [1]
    seen : SeenNetwork
        What the users see of the model, for `qmodel.percentiles`.

    Examples
    --------
    >>> from qmodel import Entry, Layered, Processor, Service, Users, solve_layers
    >>> model = Layered([Users("clients", 3, 1.0, {"page": 1})],
    ...                 [Service("web", [Entry("page", 0.2)], 1, "cpu")], [Processor("cpu")])
    >>> found = solve_layers(model)
    >>> round(found["clients"].throughput, 4), found.bottleneck
    (2.3517, 'web')
    """

    users: dict[str, UsersResult]
    services: dict[str, ServiceResult]
    processors: dict[str, float]
    busy_cores: dict[str, float]
    entries: dict[str, tuple[float, float]]
    bottleneck: str | None
    notes: tuple[str, ...]
    iterations: int
    residual: float
    seen: SeenNetwork = field(repr=False, compare=False)

    def __getitem__(self, name: str) -> UsersResult | ServiceResult:
        """The result of some users or of a service."""
        found = self.users.get(name) or self.services.get(name)
        if found is None:
            known = ", ".join([*self.users, *self.services])
            raise InvalidInput(f"no users or service {name!r}; there is {known}")
        return found

    def __str__(self) -> str:
        return "\n".join([self._caption(), "", text_table(self._columns()), *self.notes])

    def _caption(self) -> str:
        return f"bottleneck: {self.bottleneck}; layered model, solved by layers"

    def _columns(self) -> dict[str, list[Any]]:
        rows: list[tuple[str, str, float | None, float | None, float | None]] = [
            *((name, "users", u.throughput, u.response_time, None)
              for name, u in self.users.items()),
            *((name, "service", s.throughput, s.thread_wait + s.holding_time, s.utilization)
              for name, s in self.services.items()),
            *((name, "processor", None, None, u) for name, u in self.processors.items()),
        ]  # fmt: skip
        heads = ("name", "kind", "throughput", "response_time", "utilization")
        return {head: [row[i] for row in rows] for i, head in enumerate(heads)}

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers in base units, services as ``tasks``."""
        return {
            "users": {name: asdict(each) for name, each in self.users.items()},
            "tasks": {name: asdict(each) for name, each in self.services.items()},
            "entries": {
                name: {"throughput": x, "response_time": r} for name, (x, r) in self.entries.items()
            },
            "processors": {
                name: {"utilization": u, "busy_cores": self.busy_cores[name]}
                for name, u in self.processors.items()
            },
            "bottleneck": self.bottleneck,
            "notes": list(self.notes),
        }
