"""Which stations saturate under heavy load, for which mixes of classes; see THEORY.md."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from qmodel.analysis.heavy_traffic import FULL, Row, fair_throughputs, sectors, two_class_sectors
from qmodel.errors import InvalidInput, NotApplicable
from qmodel.model.customer_classes import ClosedClass
from qmodel.model.network import Network, expect_network
from qmodel.model.solution import total
from qmodel.model.stations import DelayStation
from qmodel.model.validation import finite, sequence
from qmodel.solvers.open_load import open_loads
from qmodel.tabular import Tabular


@dataclass(frozen=True, slots=True)
class Sector:
    """Mixes at which the same stations saturate together."""

    #: The stations.
    stations: tuple[str, ...]
    #: One such mix, not at the edge: the share of each closed class.
    mix: Row
    #: Of two classes, the shares of the first between which this holds; None for more.
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class HeavyLoad:
    """The limit of ever more customers of one mix."""

    #: Share of each closed class. [1]
    mix: Row
    #: Those that saturate.
    stations: tuple[str, ...]
    #: [1/s]
    throughputs: Row
    #: By closed and open classes together; 0 at delay stations. [1]
    utilizations: Row


@dataclass(frozen=True, slots=True)
class Bottlenecks(Tabular):
    """Which stations saturate under heavy load, for which mixes of the closed classes.
    As a table: a row per sector.

    Parameters
    ----------
    network : Network
        The network; populations and think times do not matter.
    sectors : tuple of Sector
        All sets of stations that saturate together at some mix of all classes; of two classes
        in the order of the first one's share.
    loads : tuple of tuple of float, shape (C, K)
        Demand of each closed class per unit of capacity, 0 at delay stations. [s]

    Examples
    --------
    >>> from qmodel import ClosedClass, Network, QueueingStation, bottlenecks
    >>> network = Network([QueueingStation("cpu"), QueueingStation("disk")],
    ...                   [ClosedClass("edit", 20), ClosedClass("report", 2)],
    ...                   [[0.4, 0.1], [0.2, 0.5]])
    >>> found = bottlenecks(network)
    >>> [(s.stations, round(s.low, 4), round(s.high, 4)) for s in found.sectors]
    [(('disk',), 0.0, 0.1667), (('cpu', 'disk'), 0.1667, 0.6667), (('cpu',), 0.6667, 1.0)]
    >>> found.at({"edit": 0.9, "report": 0.1}).stations
    ('cpu',)
    """

    network: Network
    sectors: tuple[Sector, ...]
    loads: tuple[Row, ...]

    @property
    def class_names(self) -> tuple[str, ...]:
        """The closed classes, in order."""
        return tuple(c.name for c in self.network.classes if isinstance(c, ClosedClass))

    @property
    def possible(self) -> tuple[str, ...]:
        """Stations that saturate at some mix, alone or with others."""
        seen = {name for sector in self.sectors for name in sector.stations}
        return tuple(name for name in self.network.station_names if name in seen)

    @property
    def switch_points(self) -> Row:
        """Of two classes, the shares of the first at which other stations saturate."""
        return tuple(s.low for s in self.sectors[1:] if s.low is not None)

    def _caption(self) -> str:
        return f"stations that saturate, by the mix of {', '.join(self.class_names)}"

    def _columns(self) -> dict[str, list[Any]]:
        shares = {
            f"share of {name}": [s.mix[c] for s in self.sectors]
            for c, name in enumerate(self.class_names)
        }
        ends = {end: [getattr(s, end) for s in self.sectors] for end in ("low", "high")}
        return {"stations": [", ".join(s.stations) for s in self.sectors], **shares, **ends}

    def at(self, mix: Any = None) -> HeavyLoad:
        """The limit at one mix; by default that of the network's populations.

        Raises `InvalidInput` if a class is missing or not there, or the numbers make no mix.

        Parameters
        ----------
        mix : mapping or sequence, optional
            Customers or shares of each closed class, by name or in order, at least one above 0;
            only their proportions matter.
        """
        shares = self._shares(mix)
        throughputs, used = fair_throughputs(self.loads, shares)
        names = self.network.station_names
        full = tuple(name for name, u in zip(names, used, strict=True) if u >= 1.0 - FULL)
        utilizations = []
        loads = open_loads(self.network)
        for station, entry, share in zip(self.network.stations, loads, used, strict=True):
            whole = entry.load + entry.spare
            delay = isinstance(station, DelayStation)
            utilizations.append(0.0 if delay else (entry.load + share * entry.spare) / whole)
        return HeavyLoad(shares, full, throughputs, tuple(utilizations))

    def _shares(self, mix: Any) -> Row:
        names = self.class_names
        if mix is None:
            mix = [c.population for c in self.network.classes if isinstance(c, ClosedClass)]
        if isinstance(mix, Mapping):
            if set(mix) != set(names):
                given = ", ".join(map(str, mix)) or "none"
                raise InvalidInput(f"mix names {given}; expected {', '.join(names)}")
            mix = [mix[name] for name in names]
        numbers = [finite(n, "share of a class") for n in sequence(mix, "mix")]
        whole = total(numbers)
        if len(numbers) != len(names) or min(numbers) < 0.0 or whole <= 0.0:
            raise InvalidInput(f"mix is {numbers}, expected {len(names)} numbers >= 0, not all 0")
        return tuple(number / whole for number in numbers)


def bottlenecks(network: Network) -> Bottlenecks:
    """Which stations saturate under heavy load, for which mixes of the closed classes.
    As a table: a row per sector.

    Parameters
    ----------
    network : Network
        At least one closed class; open classes take their part of each station first.

    Returns
    -------
    Bottlenecks
        Its ``sectors`` are the sets of stations with their mixes, ``at(mix)`` the limit at one.

    Raises
    ------
    NotApplicable
        If no class is closed, one queues nowhere, so that nothing limits its throughput, or the
        network has no product form.
    Unstable
        If the open classes alone are too much for a station.

    Examples
    --------
    >>> from qmodel import ClosedClass, Network, QueueingStation, bottlenecks
    >>> network = Network([QueueingStation("cpu", 4), QueueingStation("disk")],
    ...                   [ClosedClass("users", 20, think_time=5.0)], [[0.6, 0.2]])
    >>> found = bottlenecks(network)
    >>> found.possible, found.at().throughputs
    (('disk',), (5.0,))
    """
    expect_network(network)
    if (broken := network.product_form_violation()) is not None:
        raise NotApplicable(f"bottlenecks take product form: {broken}")
    loads = open_loads(network)
    rows = []
    for c, row in zip(network.classes, network.demand, strict=True):
        if isinstance(c, ClosedClass):
            rows.append(
                tuple(
                    0.0 if isinstance(station, DelayStation) else demand / entry.spare
                    for station, entry, demand in zip(network.stations, loads, row, strict=True)
                )
            )
            if not any(rows[-1]):
                raise NotApplicable(f"class {c.name!r} queues nowhere, expected a station")
    if not rows:
        raise NotApplicable("no class is closed, expected one or more")
    found: list[tuple[Any, ...]]
    if len(rows) == 1:
        most = max(rows[0])
        found = [([k for k, d in enumerate(rows[0]) if d == most], (1.0,))]
    elif len(rows) == 2:
        found = [
            (full, ((low + high) / 2, 1 - (low + high) / 2), low, high)
            for full, low, high in two_class_sectors(rows)
        ]
    else:
        found = list(sectors(rows))
    names = network.station_names
    saturating = [Sector(tuple(names[k] for k in full), *rest) for full, *rest in found]
    return Bottlenecks(network, tuple(saturating), tuple(rows))
