"""The share of requests that are late, by variant, and without waiting at one resource."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from math import exp, inf
from typing import NamedTuple

from advisor.configuration.configuration import Configuration
from advisor.predicting.prediction import predict, predict_with
from advisor.predicting.solving import solve_network
from advisor.predicting.tails import centre_of, plain_refusal, shapes_of
from advisor.predicting.workload import network_of, network_of_one, peak_sets, ways_of
from calibration.agreements.ensemble import Variant
from calibration.estimation.tail_shape import late, shapes_of_class
from calibration.hardware.in_order import in_order
from calibration.hardware.server import ServerNetwork
from qmodel import DelayStation, Network, QueueingStation, Solution, Unstable


class LateShares(NamedTuple):
    """Of one class, by variant."""

    ways: tuple[Variant, ...]
    #: Its requests. [1/s]
    rates: tuple[float, ...]
    #: The share of them that takes longer. [1]
    shares: tuple[float, ...]
    #: That of the first variant if all times are shorter than computed, and longer. [1]
    ends: tuple[float, float]


def late_shares(
    configuration: Configuration, name: str, limit: float, off: float = 0.0, *, middle: bool = False
) -> LateShares | None:
    """The share of a class that takes longer, where one set of tasks runs; None without users.

    As for percentiles, times over the mean are those of each model's middle; with ``middle`` they
    are all that is asked for. ``off`` is the logarithm of how far times may be off.
    """
    (running,) = peak_sets(configuration)
    found = (
        predict_with(configuration, solve_network, middle=True, shares=None)
        if middle
        else predict(configuration, shares=None)
    )
    if found.outlook.class_of(name) is None:
        return None
    centres = [centre_of(found.ways, way) for way in found.ways]
    shares, ends = [1.0] * len(centres), (1.0, 1.0)
    for centre, times in zip(found.ways, found.times, strict=True):
        mine = [
            i
            for i, each in enumerate(centres)
            if each is centre and times[name] < inf and 0.0 < found.times[i][name] < inf
        ]
        if mine:
            server = network_of_one(configuration, centre, running)
            solution = in_order(solve_network(server.network), server.operations, name)
            own = _mean(solution, name)
            limits = {i: limit * own / found.times[i][name] for i in mine}
            far = [limits[0] * exp(way) for way in (off, -off)] if 0 in limits else []
            with plain_refusal():
                beyond = _late(configuration, solution, name, [*limits.values(), *far])
            for i, time in limits.items():
                shares[i] = beyond[time]
            if far:
                ends = beyond[far[0]], beyond[far[1]]
    rates = [each[name] for each in found.throughputs]
    workload = configuration.settings.workload
    if workload.arrival_rate is not None:  # who is not served in time is late too
        part = sum(each.share for each in workload.classes if each.name == name)
        rates = [workload.arrival_rate * part] * len(rates)
    return LateShares(found.ways, tuple(rates), tuple(shares), ends)


def late_without_queue(configuration: Configuration, name: str, limit: float) -> dict[str, float]:
    """The share of a class that takes longer without queueing at a resource, one after the other.

    By the likeliest model. [1]
    """
    (running,) = peak_sets(configuration)
    way = max((w for w in ways_of(configuration) if w.axis == 0), key=lambda w: w.weight or 0.0)
    one = network_of_one(configuration, way, running)
    every = network_of(configuration, way, running)
    found = {}
    for resource, _ in one.resources:
        free = _without_queue(one, resource)
        if resource == "admission" or free.stations != one.network.stations:
            found[resource] = 1.0  # if another is overloaded
            with plain_refusal(), suppress(Unstable):
                solution = in_order(solve_network(free), one.operations, name)
                seen = _mean(solve_network(_without_queue(every, resource)), name)
                time = limit * _mean(solution, name) / seen if seen else limit
                found[resource] = _late(configuration, solution, name, [time])[time]
    return found


def _without_queue(server: ServerNetwork, resource: str) -> Network:
    """The network of a server without queueing at a resource, or for a place in a pool."""
    if resource == "admission":
        return replace(server.network, limits=())
    stations, members = list(server.network.stations), dict(server.resources)[resource]
    for k in members:
        if isinstance(stations[k], QueueingStation):
            stations[k] = DelayStation(stations[k].name)
    return replace(server.network, stations=tuple(stations))


def _mean(solution: Solution, name: str) -> float:
    """The response time of a class. [s]"""
    return solution.response_times[solution.network.class_names.index(name)]


def _late(
    configuration: Configuration, solution: Solution, name: str, limits: Sequence[float]
) -> Mapping[float, float]:
    """The share of a class beyond each limit, as measured percentiles correct the model's. [1]"""
    from qmodel import late_shares as shares_beyond
    from qmodel import percentiles

    own = shapes_of_class(shapes_of(configuration), name)
    if not own:
        return shares_beyond(solution, limits, classes=[name])[name]
    shares = sorted(each.share for each in own)
    said = percentiles(solution, shares, classes=[name], visits=False)[name]
    c = solution.network.class_names.index(name)
    mean, alone = solution.response_times[c], solution.network.demand[c]

    def model(time: float) -> float:
        return shares_beyond(solution, [time], classes=[name])[name][time]

    return {limit: late(own, mean, said, alone, limit, model) for limit in limits}
