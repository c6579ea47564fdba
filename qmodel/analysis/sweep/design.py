"""Which parameters of a network vary, over which values, and in which order."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qmodel.documents.wording import did_you_mean, show_text
from qmodel.errors import InvalidInput
from qmodel.model.customer_classes import ClosedClass, OpenClass
from qmodel.model.network import Network
from qmodel.model.stations import QueueingStation

#: Points of a sweep at most.
MOST = 10**9
#: Kinds of parameter that come in whole numbers, and the least of each.
LEAST = {"population": 0, "servers": 1}


class Target(NamedTuple):
    """What varies: the kind of parameter, the class and the station, -1 where there is none."""

    kind: str
    c: int = -1
    k: int = -1


@dataclass(frozen=True, slots=True)
class Axis:
    """A parameter and its values."""

    #: As the caller calls it.
    name: str
    target: Target
    #: In base units.
    values: Any


@dataclass(frozen=True, slots=True)
class Design:
    """Points: every value of each axis with every other, or the axes row by row."""

    #: The last changes fastest.
    axes: tuple[Axis, ...]
    #: Whether the axes go together, a point in each row.
    is_table: bool = False

    def __len__(self) -> int:
        lengths = [len(axis.values) for axis in self.axes]
        return lengths[0] if self.is_table else prod(lengths)

    def columns(self, start: int, stop: int) -> dict[str, NDArray[Any]]:
        """The values of each axis at some of the points, by name."""
        points = np.arange(start, stop)
        columns_by_name: dict[str, NDArray[Any]] = {}
        stride = 1
        for axis in reversed(self.axes):
            at = points if self.is_table else points // stride % len(axis.values)
            stride *= len(axis.values)
            whole = isinstance(axis.values, range)
            columns_by_name[axis.name] = (
                axis.values.start + axis.values.step * at if whole else axis.values[at]
            )
        return {axis.name: columns_by_name[axis.name] for axis in self.axes}


def design_of(network: Network, vary: Mapping[str, Iterable[float]] | None, rows: Any) -> Design:
    """The design that a caller describes; see `qmodel.sweep`.

    Raises `InvalidInput` if a parameter is not there, a value is none of its kind, or there are too
    many points.
    """
    if vary is not None and rows is not None:
        raise InvalidInput("sweep takes vary or rows, not both")
    table = dict(vary) if vary is not None else _columns(rows)
    if not table:
        raise InvalidInput("sweep: no parameter varies, expected one in vary or rows")
    known = dict(targets(network))
    axes = []
    for name, values in table.items():
        axes.append(Axis(name, _target(known, name), _values(known, name, values)))
        for other in axes[:-1]:
            if other.target == axes[-1].target:
                raise InvalidInput(f"sweep: {other.name} and {name} are the same parameter")
    lengths = [len(axis.values) for axis in axes]
    if vary is None and len({*lengths}) > 1:
        raise InvalidInput(f"sweep: columns of {sorted({*lengths})} rows, expected one number")
    if (lengths[0] if vary is None else prod(lengths)) > MOST:
        raise InvalidInput(f"sweep: more than {MOST:.0e} points; take fewer")
    # All populations of a network are one pass: they change fastest.
    last = [axis for axis in axes if axis.target.kind == "population" and vary is not None]
    return Design((*[axis for axis in axes if axis not in last], *last), is_table=vary is None)


def targets(network: Network) -> Iterator[tuple[str, Target | None]]:
    """All names of parameters; None for one that could mean several."""
    closed = [(c, x) for c, x in enumerate(network.classes) if isinstance(x, ClosedClass)]
    opened = [(c, x) for c, x in enumerate(network.classes) if isinstance(x, OpenClass)]
    for kind, classes in (
        ("population", closed), ("think_time", closed), ("arrival_rate", opened)
    ):  # fmt: skip
        for c, customers in classes:
            yield f"{kind}.{customers.name}", Target(kind, c)
        if classes:
            only = Target(kind, classes[0][0]) if len(classes) == 1 else None
            yield kind, only
            if kind == "population":
                yield "users", only
    for k, station in enumerate(network.stations[: len(network.stations) - len(network.limits)]):
        for c, customers in enumerate(network.classes):
            yield f"demand.{customers.name}.{station.name}", Target("demand", c, k)
        only = Target("demand", 0, k) if len(network.classes) == 1 else None
        yield f"demand.{station.name}", only
        if isinstance(station, QueueingStation):
            yield f"servers.{station.name}", Target("servers", -1, k)
    for k, limit in enumerate(network.limits, len(network.stations) - len(network.limits)):
        yield f"customers.{limit.name}", Target("servers", -1, k)


def _target(known: Mapping[str, Target | None], name: Any) -> Target:
    if name not in known:
        meant = did_you_mean(str(name), known)
        raise InvalidInput(f"sweep: no parameter {show_text(str(name))}; {meant}")
    if (target := known[name]) is None:
        kind = name.split(".")[0]
        rest = [n for n in known if n.startswith(f"{kind}.") and n.count(".") > name.count(".")]
        raise InvalidInput(f"sweep: {name} of which class? There is {', '.join(rest[:12])}")
    return target


def _values(known: Mapping[str, Target | None], name: str, values: Any) -> Any:
    """Values as a range or an array, each of its kind."""
    target = _target(known, name)
    least = LEAST.get(target.kind, 0)
    if isinstance(values, range) and target.kind in LEAST:
        if len(values) and min(values[0], values[-1]) < least:
            low = min(values[0], values[-1])
            raise InvalidInput(f"sweep: {name} holds {low}, expected whole numbers >= {least}")
        design: Any = values
    else:
        if isinstance(values, str | bytes) or not isinstance(values, Iterable):
            raise InvalidInput(f"sweep: {name} is {values!r}, expected several numbers")
        try:
            design = np.array(list(values), dtype=float)
        except (TypeError, ValueError):
            raise InvalidInput(f"sweep: {name} holds something that is no number") from None
        wrong = ~np.isfinite(design) | (design < least)
        if target.kind in LEAST:
            wrong |= design != np.floor(design)
        if design.ndim != 1 or wrong.any():
            bad = repr(float(design[wrong][0])) if wrong.any() else "nested"
            kind = "whole numbers" if target.kind in LEAST else "finite numbers"
            raise InvalidInput(f"sweep: {name} holds {bad}, expected {kind} >= {least}")
        if target.kind in LEAST:
            design = design.astype(np.int64)
    if not len(design):
        raise InvalidInput(f"sweep: {name} has no values, expected one or more")
    return design


def _columns(rows: Any) -> dict[str, Sequence[Any]]:
    """A table's columns by name: of a mapping, a DataFrame, or a sequence of mappings."""
    if isinstance(rows, Mapping):
        return dict(rows)
    if hasattr(rows, "columns") and hasattr(rows, "to_numpy"):
        return {str(name): rows[name].to_numpy() for name in rows.columns}
    try:
        table = [dict(row) for row in rows]
    except (TypeError, ValueError):
        raise InvalidInput("sweep: rows is no table, expected mappings") from None
    names = list(table[0]) if table else []
    for i, row in enumerate(table):
        if set(row) != set(names):
            raise InvalidInput(f"sweep: row {i} has {', '.join(row)}, expected {', '.join(names)}")
    return {name: [row[name] for row in table] for name in names}
