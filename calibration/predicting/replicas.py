"""Equal servers behind a balancer that sends each request to any, busy or not; see THEORY.md."""

from dataclasses import replace
from typing import Any

from calibration.estimation.data import NOT_MEASURED
from calibration.hardware.server import ServerNetwork
from calibration.model_evaluation.network import BACKGROUND
from qmodel import ClosedClass, Network

SHARED = ("client", NOT_MEASURED)


def one_of(server: ServerNetwork, copies: int) -> ServerNetwork:
    """One copy with its part of the customers and of the arrivals, work of its own as it is."""
    if copies == 1:
        return server
    classes = tuple(
        replace(each, population=max(1, round(each.population / copies)))
        if isinstance(each, ClosedClass)
        else each
        if each.name == BACKGROUND
        else replace(each, arrival_rate=each.arrival_rate / copies)
        for each in server.network.classes
    )
    return replace(server, network=replace(server.network, classes=classes))


def replicated(server: ServerNetwork, copies: int) -> ServerNetwork:
    """The network of a server in so many copies, each with its own work already there."""
    if copies == 1:
        return server
    network = server.network
    places: list[tuple[int, int]] = []
    resources = []
    for name, members in server.resources:
        if name == "admission":  # the network's last station, added again below
            continue
        times = 1 if name in SHARED else copies
        first = len(places)
        places += [(k, c if times > 1 else 0) for c in range(1, times + 1) for k in members]
        resources.append((name, tuple(range(first, len(places)))))
    stations = [
        replace(network.stations[k], name=f"{network.stations[k].name}, server {c}")
        if c
        else network.stations[k]
        for k, c in places
    ]

    def spread(rows: Any) -> list[list[float]]:
        """Once for each copy, of customers who choose one of them a part each."""
        return [
            [row[k] / (copies if c and each.name != BACKGROUND else 1) for k, c in places]
            for each, row in zip(network.classes, rows, strict=True)
        ]

    limits = [  # copies of a pool as one: a balancer sends requests to those that are let in
        replace(
            limit,
            customers=copies * limit.customers,
            stations=tuple(
                station.name
                for station, (k, _) in zip(stations, places, strict=True)
                if network.stations[k].name in limit.stations
            ),
        )
        for limit in network.limits
    ]
    resources += [("admission", (len(places) + i,)) for i in range(len(limits))]
    once = [[float(demand > 0.0) for demand in row] for row in network.demand]
    scv = network.scv and [[row[k] for k, _ in places] for row in network.scv]
    shown = server.monitored
    return replace(
        server,
        network=Network(
            stations,
            network.classes,
            spread(network.demand),
            visit_ratio=spread(network.visit_ratio or once),
            scv=scv,
            limits=limits,
        ),
        resources=tuple(resources),
        monitored=tuple(shown[k] for k, _ in places if k < len(shown)) if shown else (),
        taken={i: server.taken[k] for i, (k, _) in enumerate(places) if k in server.taken},
        quotas={i: server.quotas[k] for i, (k, _) in enumerate(places) if k in server.quotas},
    )
