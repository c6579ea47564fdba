"""Small tools of the property tests: all exact solutions of a network, and comparison."""

from collections.abc import Iterator, Sequence

import pytest

import qmodel as qm
from tests.truth.methods import exact_methods


def exact(network: qm.Network) -> Iterator[qm.Solution]:
    """The solution of every exact method that applies; there must be one."""
    methods = exact_methods(network)
    assert methods, f"no exact method for {network}"
    for method in methods:
        yield qm.solve(network, method.name)


def pairs(one: qm.Network, other: qm.Network) -> Iterator[tuple[qm.Solution, qm.Solution]]:
    """Solutions of two networks by every exact method, each of one with each of the other."""
    others = list(exact(other))
    for solution in exact(one):
        for counterpart in others:
            yield solution, counterpart


def close(value: float, *, relative: float = 1e-9, absolute: float = 1e-12) -> object:
    """Approximately, to the tolerance of this package's exact methods and a margin."""
    return pytest.approx(value, rel=relative, abs=absolute)


def same(left: Sequence[float], right: Sequence[float], **tolerance: float) -> None:
    """Assert that two rows agree."""
    assert len(left) == len(right)
    for a, b in zip(left, right, strict=True):
        assert a == close(b, **tolerance)


def changed(
    network: qm.Network, *, stations: Sequence[qm.Station] | None = None,
    classes: Sequence[qm.CustomerClass] | None = None,
    demand: Sequence[Sequence[float]] | None = None,
) -> qm.Network:  # fmt: skip
    """The network with some of its parts replaced."""
    return qm.Network(
        stations or network.stations, classes or network.classes, demand or network.demand
    )


def one_more(network: qm.Network) -> qm.Network:
    """The network with one more customer in its first class."""
    sizes = [c.population for c in network.classes if isinstance(c, qm.ClosedClass)]
    return network.with_population(sizes[0] + 1, *sizes[1:])
