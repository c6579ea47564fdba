"""The solver of the dials against the library's, to the last bit, on random closed networks."""

from __future__ import annotations

import random
from typing import Any

import pytest
from conftest import Watched

import qmodel as qm

SOLVE = """async (models) => {
    const { solve } = await import(new URL("_static/solver.mjs", document.baseURI));
    return models.map(solve);
}"""


def drawn(chance: random.Random) -> tuple[qm.Network, dict[str, Any]]:
    """A network of one class, and how the page writes it."""
    stations: list[qm.Station] = []
    rates: list[list[float] | None] = []
    for k in range(chance.randint(1, 4)):
        kind = chance.choice(["one", "several", "speeds"])
        if kind == "one":
            stations.append(qm.QueueingStation(f"s{k}"))
            rates.append(None)
        elif kind == "several":
            servers = chance.randint(2, 16)
            stations.append(qm.QueueingStation(f"s{k}", servers=servers))
            rates.append([float(busy) for busy in range(1, servers + 1)])
        else:
            speeds = [chance.uniform(0.5, 3.0) for _ in range(chance.randint(2, 12))]
            speeds += [speeds[-1]] * chance.choice([0, 3])
            stations.append(qm.LoadDependentStation(f"s{k}", tuple(speeds)))
            rates.append(speeds)
    demands = [chance.choice([1e-4, 0.01, 0.1]) * chance.uniform(0.5, 2.0) for _ in stations]
    users = chance.choice([1, 2, 3, 5, 8, 20, 90])
    think_time = chance.choice([0.0, 0.5, 5.0, 30.0])
    network = qm.Network(stations, [qm.ClosedClass("users", users, think_time)], [demands])
    model = {"population": users, "delay": think_time, "demands": demands, "rates": rates}
    return network, model


@pytest.mark.parametrize("seed", range(4))
def test_same_answers_as_the_library(watched: Watched, seed: int) -> None:
    chance = random.Random(seed)
    drawn_ones = [drawn(chance) for _ in range(200)]
    page = watched.open("index.html")
    answers = page.evaluate(SOLVE, [model for _, model in drawn_ones])
    for (network, model), found in zip(drawn_ones, answers, strict=True):
        wanted = qm.solve(network)
        expected = [*wanted.throughputs, *wanted.residence_times[0]]  # sums round by their order
        assert found == pytest.approx(expected, rel=1e-13, abs=0.0), model
    assert not watched.faults
