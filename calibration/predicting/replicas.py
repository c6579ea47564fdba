"""Equal servers behind a balancer that sends each request to any, busy or not; see THEORY.md."""

from dataclasses import replace
from typing import Any

from calibration.estimation.data import NOT_MEASURED
from calibration.hardware.server import ServerNetwork
from calibration.model_evaluation.network import BACKGROUND
from qmodel import ClosedClass, Network


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
    inside = {name for limit in network.limits for name in limit.stations}
    names = network.station_names
    held = {name for name, ks in server.resources if inside.intersection(names[k] for k in ks)}
    counted = any(isinstance(each, ClosedClass) for each in network.classes)
    own = bool(inside) and NOT_MEASURED not in held and not (counted and "client" in held)
    numbers = range(1, copies + 1)
    spots = [
        (name, k, c)
        for name, members in server.resources
        if name != "admission"  # the network's last station, added again below
        for c in (numbers if name != NOT_MEASURED and (own or name != "client") else (0,))
        for k in members
    ]
    if own:  # a request passes one copy after the other
        spots.sort(key=lambda spot: spot[2])
    places = [(k, c) for _, k, c in spots]
    resources = [
        (name, tuple(i for i, spot in enumerate(spots) if spot[0] == name))
        for name, _ in server.resources
        if name != "admission"
    ]
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

    limits = []  # pools around a station that all copies share count as one
    for limit in network.limits:
        kept = [(s.name, c) for s, (k, c) in zip(stations, places, strict=True)
                if network.stations[k].name in limit.stations]  # fmt: skip
        for at in numbers if own else ():
            those = tuple(name for name, c in kept if c == at)
            limits.append(replace(limit, name=f"{limit.name}, server {at}", stations=those))
        if not own:
            most, those = copies * limit.customers, tuple(name for name, _ in kept)
            limits.append(replace(limit, customers=most, stations=those))
    if limits:
        resources.append(("admission", tuple(range(len(places), len(places) + len(limits)))))
    once = [[float(demand > 0.0) for demand in row] for row in network.demand]
    scv = network.scv and [[row[k] for k, _ in places] for row in network.scv]
    shown = server.monitored
    return replace(
        server,
        network=Network(
            stations, network.classes, spread(network.demand), scv=scv, limits=limits,
            # Each request passes the stations inside a limit once, in one order.
            visit_ratio=None if limits and not scv else spread(network.visit_ratio or once),
        ),
        resources=tuple(resources),
        monitored=tuple(shown[k] if k < len(shown) else float for k, _ in places if shown),
        taken={i: server.taken[k] for i, (k, _) in enumerate(places) if k in server.taken},
        quotas={i: server.quotas[k] for i, (k, _) in enumerate(places) if k in server.quotas},
    )  # fmt: skip
