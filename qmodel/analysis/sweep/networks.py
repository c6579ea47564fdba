"""A list of networks as a source of runs of points."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qmodel.analysis.sweep.batch import Batch, servers_of
from qmodel.analysis.sweep.figures import Figures
from qmodel.analysis.sweep.kernels import solve_batch
from qmodel.analysis.sweep.tasks import Source, points_at_a_time
from qmodel.errors import InvalidInput
from qmodel.model.customer_classes import ClosedClass
from qmodel.model.network import Network
from qmodel.model.stations import LoadDependentStation, QueueingStation


@dataclass(frozen=True, slots=True)
class NetworksSource(Source):
    """Networks whose stations and classes have the same names; ``first`` is the first's number."""

    networks: tuple[Network, ...]
    #: Whether all have the stations of the first, and classes of the same kinds.
    alike: bool
    first: int = 0

    def columns(self, start: int, stop: int) -> dict[str, NDArray[Any]]:
        """The networks' numbers."""
        return {"network": np.arange(start, stop)}

    def solve(self, start: int, stop: int) -> Figures:
        """The figures of some of the networks."""
        return _solved(
            self.networks[start - self.first : stop - self.first], self.columns(start, stop),
            self.method, alike=self.alike,
        )  # fmt: skip

    def piece(self, start: int, stop: int) -> "NetworksSource":
        """Those networks only: they may travel far."""
        networks = self.networks[start - self.first : stop - self.first]
        return replace(self, networks=networks, first=start)

    def canonical(self) -> str:
        """A text that two requests share only if they ask for the same."""
        digest = sha256()
        for network in self.networks:
            digest.update(repr(network).encode())
        return repr((digest.hexdigest(), self.method, self.chunk))


def networks_source(networks: Any, method: str, chunk: int | None) -> NetworksSource:
    """Networks as a source; see `qmodel.sweep`."""
    if isinstance(networks, Network) or not isinstance(networks, Iterable):
        raise InvalidInput("sweep: one network needs vary or rows; or give several networks")
    listed = tuple(networks)
    if not listed:
        raise InvalidInput("sweep: there is no network, expected one or more")
    strange = next((other for other in listed if type(other) is not Network), None)
    if strange is not None:
        raise InvalidInput(f"sweep: {strange!r} is no network, expected a qmodel.Network")
    first = listed[0]
    names, kind = (first.class_names, first.station_names), _kind(first)
    alike = True
    for i, network in enumerate(listed):
        # Networks made of the same records are told alike at a glance.
        same = network.stations == first.stations and network.classes == first.classes
        if not (same and network.has_product_form_kinds and first.has_product_form_kinds):
            alike &= network.stations == first.stations and _kind(network) == kind
            if (network.class_names, network.station_names) != names:
                raise InvalidInput(
                    f"sweep: network {i} has other names of stations or classes than the first"
                )
    size = points_at_a_time(first, chunk)
    return NetworksSource(names, len(listed), size, method, listed, alike)


def _solved(
    networks: Sequence[Network], columns: dict[str, NDArray[Any]], method: str, *, alike: bool
) -> Figures:
    """The figures of networks, those of one kind together."""
    if alike:
        return solve_batch(_batch(networks, alike=True), columns, method)
    groups: dict[Any, list[int]] = {}
    for i, network in enumerate(networks):
        groups.setdefault(_kind(network), []).append(i)
    shape = (len(networks), len(networks[0].classes), len(networks[0].stations))
    throughput, residence, utilization = np.zeros(shape[:2]), np.zeros(shape), np.zeros(shape)
    rates, lossless = np.zeros(shape), True
    problems: dict[int, str] = {}
    methods: dict[str, None] = {}
    for members in groups.values():
        figures = solve_batch(_batch([networks[i] for i in members], alike=False), {}, method)
        throughput[members], residence[members] = figures.throughput, figures.residence_time
        utilization[members], rates[members] = figures.utilization, figures.rates
        lossless &= figures.reached is None
        problems |= {members[i]: problem for i, problem in figures.problems.items()}
        methods |= dict.fromkeys(figures.methods)
    reached = None if lossless else rates
    return Figures(columns, throughput, residence, utilization, problems, tuple(methods), reached)


def _kind(network: Network) -> tuple[Any, ...]:
    """What networks that differ in numbers only have in common."""
    stations = [s if isinstance(s, LoadDependentStation) else type(s) for s in network.stations]
    if network.has_product_form_kinds:
        return (*stations, *map(type, network.classes))
    # What a batch takes from the first network alone.
    return (
        network.stations,
        tuple([(type(c), c.priority, getattr(c, "arrival_scv", 1.0)) for c in network.classes]),
        network.visit_ratio, network.scv, network.limits, network.distributions, network.routes,
    )  # fmt: skip


def _batch(networks: Sequence[Network], *, alike: bool) -> Batch:
    """Networks of one kind as arrays."""
    first = networks[0]
    demand = np.array([network.demand for network in networks])
    population = np.zeros(demand.shape[:2], np.int64)
    think_time, arrival_rate = np.zeros((2, *demand.shape[:2]))
    for c, customers in enumerate(first.classes):
        mine: list[Any] = [network.classes[c] for network in networks]
        if isinstance(customers, ClosedClass):
            population[:, c] = [one.population for one in mine]
            think_time[:, c] = [one.think_time for one in mine]
        else:
            arrival_rate[:, c] = [one.arrival_rate for one in mine]
    servers = np.tile(np.array(servers_of(first), np.int64), (len(networks), 1))
    if not alike:
        for k, station in enumerate(first.stations):
            if isinstance(station, QueueingStation):
                there: list[Any] = [network.stations[k] for network in networks]
                servers[:, k] = [one.servers for one in there]
    return Batch(first, population, think_time, arrival_rate, demand, servers)
