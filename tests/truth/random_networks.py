"""Random networks of every kind, from a seed: the same ones in every run."""

from random import Random

import qmodel as qm


def random_network(
    rng: Random, *, stations: int, closed: int, opened: int = 0, kinds: str = "sdml",
    population: int = 3, load: float = 0.6,
) -> qm.Network:  # fmt: skip
    """A network with the given numbers of stations and classes.

    Parameters
    ----------
    rng
        Where chance comes from.
    stations, closed, opened
        Numbers of stations, of closed and of open classes.
    kinds
        Letters of the kinds to draw from: single server, delay, multiple servers,
        load-dependent.
    population
        Largest population of a closed class.
    load
        Utilization by open classes of the station they load most.
    """
    chosen = [_station(rng, f"station {k}", rng.choice(kinds)) for k in range(stations)]
    demand = [
        [0.0 if rng.random() < 0.1 else _magnitude(rng) for _ in chosen]
        for _ in range(closed + opened)
    ]
    for row in demand:
        row[rng.randrange(stations)] = _magnitude(rng)  # at least one demand per class
    rates = [_magnitude(rng) for _ in range(opened)]
    busiest = max(
        (
            sum(rate * row[k] for rate, row in zip(rates, demand[closed:], strict=True))
            / final_speed(station)
            for k, station in enumerate(chosen)
        ),
        default=0.0,
    )
    scale = load / busiest if busiest else 1.0
    classes: list[qm.CustomerClass] = [
        qm.ClosedClass(
            f"closed {c}",
            population=rng.randint(1, population),
            think_time=0.0 if rng.random() < 0.4 else 10 * _magnitude(rng),
        )
        for c in range(closed)
    ]
    classes += [qm.OpenClass(f"open {c}", rate * scale) for c, rate in enumerate(rates)]
    return qm.Network(chosen, classes, demand)


def final_speed(station: qm.Station) -> float:
    """The speed with very many customers there, which decides about stability."""
    if isinstance(station, qm.LoadDependentStation):
        return station.rates[-1]
    return station.max_rate


def _station(rng: Random, name: str, kind: str) -> qm.Station:
    if kind == "d":
        return qm.DelayStation(name)
    if kind == "m":
        return qm.QueueingStation(name, servers=rng.randint(2, 4))
    if kind == "l":
        rates = [1.0]
        for _ in range(rng.randint(0, 4)):
            rates.append(rates[-1] * rng.uniform(0.7, 1.8))  # rising and falling speeds
        return qm.LoadDependentStation(name, tuple(rates))
    return qm.QueueingStation(name)


def _magnitude(rng: Random) -> float:
    """Somewhere between 0.03 and 3, small and large alike."""
    return 10 ** rng.uniform(-1.5, 0.5)
