"""Very many networks from one call, as arrays, on any executor, to disk if need be.

design     which parameters vary, over which values, in which order
batch      a run of points as arrays: populations, think times, demands, servers
kernels    how a batch is solved: arrays at once where it can be, one by one otherwise
one_class  the kernels for one closed class
several_classes  those for several: approximate mean value analysis
networks   a list of networks as a source of batches
figures    what is computed of a batch, and the record of a whole sweep
chunks     batches on an executor, in order; what fails is solved again
store      to disk, a part at a time; csv_store is the format
"""

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from os import PathLike
from typing import Any, overload

from qmodel.analysis.sweep.chunks import solved_in_order
from qmodel.analysis.sweep.figures import Sweep, joined
from qmodel.analysis.sweep.networks import networks_source
from qmodel.analysis.sweep.store import StoredSweep, stored
from qmodel.analysis.sweep.tasks import Source, checked_method, grid_source
from qmodel.model.network import Network

__all__ = ["sweep"]

Progress = Callable[[int, int], None]


@overload
def sweep(
    networks: Network | Iterable[Network],
    vary: Mapping[str, Iterable[float]] | None = ...,
    *,
    rows: Any = ...,
    method: str = ...,
    executor: Executor | None = ...,
    progress: Progress | None = ...,
    to: None = ...,
    force: bool = ...,
    chunk: int | None = ...,
) -> Sweep: ...
@overload
def sweep(
    networks: Network | Iterable[Network],
    vary: Mapping[str, Iterable[float]] | None = ...,
    *,
    rows: Any = ...,
    method: str = ...,
    executor: Executor | None = ...,
    progress: Progress | None = ...,
    to: str | PathLike[str],
    force: bool = ...,
    chunk: int | None = ...,
) -> StoredSweep: ...
def sweep(
    networks: Network | Iterable[Network], vary: Mapping[str, Iterable[float]] | None = None, *,
    rows: Any = None, method: str = "auto", executor: Executor | None = None,
    progress: Progress | None = None, to: str | PathLike[str] | None = None, force: bool = False,
    chunk: int | None = None,
) -> Sweep | StoredSweep:  # fmt: skip
    """Solve many networks, or one network over a grid of its parameters.

    Parameters
    ----------
    networks : Network, or iterable of Network
        One network together with ``vary`` or ``rows``; otherwise any number of networks with
        the same names of stations and classes.
    vary : mapping of str to iterable of float, optional
        Parameters and their values, every one with every other: ``"population"`` or ``"users"``,
        ``"think_time"``, ``"arrival_rate"``, ``"demand.cpu"``, ``"servers.cpu"``; in a network of
        several classes with the class's name, ``"population.edit"``, ``"demand.edit.cpu"``.
        The last one changes fastest, but populations change faster still, since all populations
        of a network are solved in one pass.
    rows : mapping of str to sequence, sequence of mapping, or DataFrame, optional
        A table of such parameters instead, a point in each row.
    method : str
        As for `solve`.
    executor : concurrent.futures.Executor, optional
        Where to solve: threads, processes, a Dask cluster (``Client.get_executor()``). A chunk
        whose worker dies is solved again; the order of points is kept.
    progress : callable, optional
        Called with the points that are done and all there are, at the start (where a sweep that
        goes on begins behind what is done) and after each chunk.
    to : path-like, optional
        A ``.csv`` file where results go as they come, in bounded memory. The same call continues
        a sweep that was stopped.
    force : bool
        Whether what is there already is replaced.
    chunk : int, optional
        Points solved at a time; by default what takes some megabytes.

    Returns
    -------
    Sweep or StoredSweep
        Arrays with a leading axis of points; or, with ``to``, where they are. A point that has
        no answer (unstable, not converged) is nan, and its reason is in ``problems``.

    Raises
    ------
    InvalidInput
        If a parameter is not there, a value is none of its kind, or shapes do not fit.
    FileError
        If ``to`` cannot be written, or holds another sweep.

    Examples
    --------
    >>> from qmodel import ClosedClass, Network, QueueingStation, sweep
    >>> network = Network([QueueingStation("cpu"), QueueingStation("disk")],
    ...                   [ClosedClass("users", 1, think_time=5.0)], [[0.40, 0.25]])
    >>> found = sweep(network, {"demand.cpu": [0.4, 0.2], "population": range(1, 201)})
    >>> found.throughput.shape, round(float(found.throughput[199, 0]), 3)
    ((400, 1), 2.5)
    >>> found.columns()["demand.cpu"][199:201].tolist()
    [0.4, 0.2]
    """
    method = checked_method(method)
    source: Source
    if vary is None and rows is None:
        source = networks_source(networks, method, chunk)
    else:
        source = grid_source(networks, vary, rows, method, chunk)
    if to is not None:
        return stored(source, to, executor, progress, force=force)
    runs = solved_in_order(source, 0, executor, progress)
    return joined(figures for _, figures in runs).named(source.names)
