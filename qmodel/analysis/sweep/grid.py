"""A network and the parameters that vary as a source of runs of points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from qmodel.analysis.sweep.batch import batch_of
from qmodel.analysis.sweep.design import Design, design_of
from qmodel.analysis.sweep.figures import Figures
from qmodel.analysis.sweep.kernels import solve_batch
from qmodel.analysis.sweep.tasks import Source, points_at_a_time
from qmodel.errors import InvalidInput
from qmodel.model.network import Network


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
    return GridSource(
        network.class_names, network.station_names, len(design), size, method, network, design
    )


def _spelt(values: Any) -> str:
    from hashlib import sha256

    return repr(values) if isinstance(values, range) else sha256(values.tobytes()).hexdigest()
