"""What a sweep consists of: points in an order, solved in chunks."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Self

from numpy.typing import NDArray

from qmodel.analysis.sweep.batch import batch_of
from qmodel.analysis.sweep.design import Design, design_of
from qmodel.analysis.sweep.figures import Figures
from qmodel.analysis.sweep.kernels import solve_batch
from qmodel.errors import InvalidInput
from qmodel.model.network import Network
from qmodel.model.solution import index_of
from qmodel.solvers import METHODS
from qmodel.solvers.amva.variants import VARIANTS
from qmodel.solvers.solve import current_name
from qmodel.version import __version__

#: Numbers of a chunk, points times classes times stations: some megabytes with all measures.
NUMBERS = 2**17


@dataclass(frozen=True, slots=True)
class Source(ABC):
    """Points that can be solved in chunks, here or elsewhere."""

    #: Of the classes and stations of every network.
    names: tuple[tuple[str, ...], tuple[str, ...]]
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

    def piece(self, start: int, stop: int) -> Self:
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
    if method not in {m.name for m in VARIANTS}:
        index_of(["auto", "exact", *(m.name for m in METHODS)], method, "method")
    return method


@dataclass(frozen=True, slots=True)
class GridSource(Source):
    """A network and a design."""

    network: Network
    design: Design

    def columns(self, start: int, stop: int) -> dict[str, NDArray[Any]]:
        """The parameters that vary, at some of the points."""
        return self.design.columns(start, stop)

    def solve(self, start: int, stop: int) -> Figures:
        """The figures of some of the points."""
        columns = self.columns(start, stop)
        return solve_batch(batch_of(self.network, self.design, columns), columns, self.method)

    def canonical(self) -> str:
        """A text that two requests share only if they ask for the same."""
        axes = [(axis.name, axis.target, _spelt(axis.values)) for axis in self.design.axes]
        return repr((self.network, axes, self.design.is_table, self.method, self.chunk))


def grid_source(
    network: Any, vary: Mapping[str, Iterable[float]] | None, rows: Any, method: str,
    chunk: int | None,
) -> GridSource:  # fmt: skip
    """One network and the parameters that vary as a source; see `qmodel.sweep`."""
    if not isinstance(network, Network):
        raise InvalidInput("sweep: vary and rows take one network")
    design = design_of(network, vary, rows)
    size = points_at_a_time(network, chunk)
    if chunk is None and not design.is_table and design.axes[-1].target.kind == "population":
        # Whole passes over the populations, where they fit.
        passes = len(design.axes[-1].values)
        size = max(size // passes, 1) * passes if passes <= 4 * size else size
    names = network.class_names, network.station_names
    return GridSource(names, len(design), size, method, network, design)


def _spelt(values: Any) -> str:
    return repr(values) if isinstance(values, range) else sha256(values.tobytes()).hexdigest()
