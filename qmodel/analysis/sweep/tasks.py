"""What a sweep consists of: points in an order, solved in chunks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from numpy.typing import NDArray

from qmodel.analysis.sweep.figures import Figures
from qmodel.errors import InvalidInput
from qmodel.model.network import Network
from qmodel.solvers import METHODS
from qmodel.solvers.amva.variants import VARIANTS
from qmodel.solvers.solve import current_name
from qmodel.version import __version__

#: Numbers of a chunk, points times classes times stations: some megabytes with all measures.
NUMBERS = 2**17


@dataclass(frozen=True, slots=True)
class Source(ABC):
    """Points that can be solved in chunks, here or elsewhere."""

    #: Those of every network.
    class_names: tuple[str, ...]
    station_names: tuple[str, ...]
    #: Networks in all.
    points: int
    #: Points to solve at a time.
    chunk: int
    #: As for `solve`.
    method: str

    @abstractmethod
    def columns(self, start: int, stop: int) -> dict[str, NDArray[Any]]:
        """What varies, at some of the points."""

    @abstractmethod
    def solve(self, start: int, stop: int) -> Figures:
        """The figures of some of the points."""

    def piece(self, start: int, stop: int) -> Source:
        """What is needed to solve these points elsewhere."""
        _ = start, stop
        return self

    @abstractmethod
    def canonical(self) -> str:
        """A text that two requests share only if they ask for the same."""

    def digest(self) -> str:
        """The request in 64 characters, the version of qmodel included."""
        return sha256(f"{__version__} {self.canonical()}".encode()).hexdigest()


def points_at_a_time(network: Network, asked: int | None) -> int:
    """The size of a chunk, asked for or a good one."""
    if asked is None:
        return max(1, NUMBERS // (len(network.classes) * len(network.stations)))
    if isinstance(asked, bool) or not isinstance(asked, int) or asked < 1:
        raise InvalidInput(f"sweep: chunk is {asked!r}, expected a whole number >= 1")
    return asked


def checked_method(method: str) -> str:
    """The name of a method that exists."""
    method = current_name(method, 5)
    names = ["auto", "exact", *(m.name for m in METHODS)]
    if method in names:
        return method
    if method not in {m.name for m in VARIANTS}:
        raise InvalidInput(f"no method {method!r}; there is {', '.join(names)}")
    return method
