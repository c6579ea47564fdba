"""The networks of `make stress`: of all kinds, each made from its number alone."""

from math import prod
from random import Random

import qmodel as qm
from tests.truth.random_networks import final_speed


def make(number: int) -> qm.Network:
    """The network of a number."""
    rng = Random(f"network {number}")
    family = rng.choices(
        [_one_class, _one_large_class, _several_classes, _open, _mixed, _unstable],
        weights=[6, 1, 5, 3, 4, 1],
    )[0]
    return family(rng)


def _one_class(rng: Random) -> qm.Network:
    return _network(rng, _stations(rng, rng.randint(1, 8)), [_size(rng, 200)], 0)


def _one_large_class(rng: Random) -> qm.Network:
    servers = rng.choice([1, 1, 8, 64])
    places = [*_stations(rng, rng.randint(1, 3), "sd"), qm.QueueingStation("large", servers)]
    return _network(rng, places, [_size(rng, 10**5)], 0)


def _several_classes(rng: Random) -> qm.Network:
    return _network(rng, _stations(rng, rng.randint(1, 4)), _sizes(rng), 0)


def _open(rng: Random) -> qm.Network:
    return _network(rng, _stations(rng, rng.randint(1, 6)), [], rng.randint(1, 4))


def _mixed(rng: Random) -> qm.Network:
    return _network(rng, _stations(rng, rng.randint(1, 4)), _sizes(rng), rng.randint(1, 2))


def _unstable(rng: Random) -> qm.Network:
    """A network with an open class that some station cannot serve."""
    places = [qm.QueueingStation("full", rng.randint(1, 3)), *_stations(rng, rng.randint(0, 3))]
    sizes = _sizes(rng) if rng.random() < 0.5 else []
    return _network(rng, places, sizes, rng.randint(1, 2), load=rng.choice([1.0, 1.001, 3.0]))


def _network(
    rng: Random, places: list[qm.Station], sizes: list[int], opened: int, load: float | None = None
) -> qm.Network:
    spread = rng.choice([0.0, 0.5, 1.0, 3.0, 6.0])  # decades on either side of one
    demand = [_demands(rng, len(places), spread) for _ in range(len(sizes) + opened)]
    classes: list[qm.CustomerClass] = []
    for c, size in enumerate(sizes):
        think = 0.0 if rng.random() < 0.4 else 10 ** rng.uniform(-2, 4)
        if not think and not any(demand[c]):
            demand[c][0] = 1.0
        classes.append(qm.ClosedClass(f"closed {c}", size, think))
    share = [rng.uniform(0.2, 1.0) for _ in range(opened)]
    if load is not None:
        for row in demand[len(sizes) :]:
            row[0] = row[0] or 1.0
    used = [
        sum(w * row[k] for w, row in zip(share, demand[len(sizes) :], strict=True))
        / final_speed(place)
        for k, place in enumerate(places)
    ]
    wanted = rng.choice([0.0, 0.1, 0.5, 0.9, 0.99, 0.999]) if load is None else load
    busiest = max(used, default=0.0) if load is None else used[0]
    scale = wanted / busiest if busiest else 1.0
    if load is not None:
        scale *= 1 + 1e-9  # beyond rounding: a load of 1 is really not less
    classes += [qm.OpenClass(f"open {c}", w * scale) for c, w in enumerate(share)]
    return qm.Network(places, classes, demand)


def _stations(rng: Random, count: int, kinds: str = "sssdml") -> list[qm.Station]:
    return [_station(rng, f"station {k}", rng.choice(kinds)) for k in range(count)]


def _station(rng: Random, name: str, kind: str) -> qm.Station:
    if kind == "d":
        return qm.DelayStation(name)
    if kind == "m":
        return qm.QueueingStation(name, rng.choice([2, 2, 3, 4, 8, 32]))
    if kind == "l":
        first = rng.choice([1.0, 1.0, 0.5, 3.0])
        rates = [first * rng.uniform(0.3, 3.0) for _ in range(rng.randint(1, 12))]
        return qm.LoadDependentStation(name, (first, *rates))
    return qm.QueueingStation(name)


def _demands(rng: Random, count: int, spread: float) -> list[float]:
    row = [10 ** rng.uniform(-spread, spread) for _ in range(count)]
    for k in range(count):
        kind = rng.random()
        if kind < 0.1:
            row[k] = 0.0
        elif kind < 0.25:
            row[k] = row[0]  # a tie
        elif kind < 0.3:
            row[k] = row[0] * (1 + rng.choice([-1, 1]) * 10 ** rng.uniform(-15, -6))
    return row


def _size(rng: Random, most: int) -> int:
    return rng.choice([0, 1, 2, 3]) if rng.random() < 0.15 else round(most ** rng.random())


def _sizes(rng: Random) -> list[int]:
    """Populations of one to four classes, the lattice not above 150 points."""
    sizes = [_size(rng, 12) for _ in range(rng.randint(1, 4))]
    while prod(n + 1 for n in sizes) > 150:
        sizes[sizes.index(max(sizes))] //= 2
    return sizes
