"""Routing probabilities to visit ratios: printed examples, exact arithmetic, refusals."""

from __future__ import annotations

from fractions import Fraction
from math import nan  # noqa: F401, named in the table
from random import Random

import networkx as nx
import pytest

import qmodel as qm
from qmodel.model.routing import chains, open_visit_ratios, routing_graph, visit_ratios
from tests.tables import asked, rows

CENTRAL_SERVER = {
    "terminals": {"cpu": 1}, "cpu": {"disk": 0.7, "tape": 0.2, "terminals": 0.1},
    "disk": {"cpu": 1}, "tape": {"cpu": 1},
}  # fmt: skip

#: Schwetman, "Implementing the Mean Value Analysis Algorithm for the Solution of Queueing Network
#: Models," Purdue CSD-TR-355, 1982, figure 9; quoted in the test block of inst/qncmvisits.m in
#: mmarzolla/queueing, the page itself was not seen.
SCHWETMAN_9 = {
    (1, "cpu"): {(1, "disk 1"): 0.7, (1, "disk 2"): 0.2, (2, "cpu"): 0.1},
    (2, "cpu"): {(2, "disk 1"): 0.3, (2, "disk 2"): 0.5, (1, "cpu"): 0.2},
    (1, "disk 1"): {(1, "cpu"): 1}, (1, "disk 2"): {(1, "cpu"): 1}, (2, "disk 1"): {(2, "cpu"): 1},
    (2, "disk 2"): {(2, "cpu"): 1},
}  # fmt: skip

#: Bolch, Greiner, de Meer, Trivedi, 1998, example 7.7, p. 304, by the same road (qnomvisits.m).
BOLCH_7_7 = {
    "3.333 2.292 1.917": {"arrival": {"1": 1}, "1": {"2": 0.4, "3": 0.3, "exit": 0.3},
     "2": {"1": 0.6, "3": 0.4}, "3": {"1": 0.5, "2": 0.5}},
    "10 8.049 8.415": {"arrival": {"1": 1}, "1": {"2": 0.3, "3": 0.6, "exit": 0.1},
     "2": {"1": 0.7, "3": 0.3}, "3": {"1": 0.4, "2": 0.6}},
}  # fmt: skip


def test_central_server():
    assert visit_ratios(CENTRAL_SERVER, "terminals") == pytest.approx(
        {"terminals": 1, "cpu": 10, "disk": 7, "tape": 2}, rel=1e-15
    )
    assert visit_ratios(CENTRAL_SERVER, "cpu")["terminals"] == pytest.approx(0.1, rel=1e-15)


def test_schwetman_figure_9_printed_visits():
    printed = {
        (1, "cpu"): 10, (1, "disk 1"): 7, (1, "disk 2"): 2,
        (2, "cpu"): 5, (2, "disk 1"): 1.5, (2, "disk 2"): 2.5,
    }  # fmt: skip
    found = visit_ratios(SCHWETMAN_9, (1, "cpu"))
    assert {node: 10 * v for node, v in found.items()} == pytest.approx(printed, rel=1e-14)
    together = visit_ratios(SCHWETMAN_9, "cpu")
    assert {node: 15 * v for node, v in together.items()} == pytest.approx(printed, rel=1e-14)


@pytest.mark.parametrize("text", BOLCH_7_7)
def test_bolch_7_7_printed_visits(text):
    found = open_visit_ratios(BOLCH_7_7[text])
    for visits, printed in zip(found.values(), text.split(), strict=True):
        half_unit = 0.5 / 10 ** len(printed.partition(".")[2])
        assert abs(visits - float(printed)) <= half_unit


def traffic_equations(routing, reference):
    """The same visits by Gauss's elimination in rational arithmetic."""
    nodes = list(routing)
    rows = [
        [Fraction(routing[i].get(j, 0)) - (i == j) for i in nodes] + [Fraction(0)] for j in nodes
    ]
    at = nodes.index(reference)
    rows[at] = [Fraction(i == reference) for i in nodes] + [Fraction(1)]
    for p in range(len(nodes)):
        swap = next(r for r in range(p, len(nodes)) if rows[r][p])
        rows[p], rows[swap] = rows[swap], rows[p]
        rows[p] = [v / rows[p][p] for v in rows[p]]
        for r in range(len(nodes)):
            if r != p:
                rows[r] = [a - rows[r][p] * b for a, b in zip(rows[r], rows[p], strict=True)]
    return {node: float(row[-1]) for node, row in zip(nodes, rows, strict=True)}


def random_routing(seed, size):
    """A closed routing with dyadic probabilities, some very small, and loops of a station."""
    rng = Random(seed)
    names = [f"s{i}" for i in range(size)]
    routing = {}
    for i, name in enumerate(names):
        targets = rng.sample(names, min(size, 3))
        row = {names[(i + 1) % size]: 2.0 ** -rng.choice([1, 5, 40])}
        for target in targets[:-1]:
            row[target] = row.get(target, 0.0) + 2.0 ** -rng.choice([3, 4, 30])
        last = targets[-1]
        row[last] = row.get(last, 0.0) + 1.0 - sum(row.values())
        routing[name] = row
    return routing


@pytest.mark.parametrize("seed", range(12))
def test_every_digit_of_every_visit(seed):
    routing = random_routing(seed, 2 + seed)
    exact = traffic_equations(routing, "s1")
    found = visit_ratios(routing, "s1")
    assert found == pytest.approx(exact, rel=1e-13)


def test_places_that_are_rarely_left():
    # Each half is left once in 10^12 steps; differences would keep four digits.
    routing = {
        "a": {"b": 1.0}, "b": {"a": 1.0 - 2.0**-40, "c": 2.0**-40}, "c": {"d": 0.7, "c": 1.0 - 0.7},
        "d": {"c": 1.0 - 3 * 2.0**-41, "a": 3 * 2.0**-41},
    }  # fmt: skip
    assert visit_ratios(routing, "a") == pytest.approx(traffic_equations(routing, "a"), rel=1e-15)


def test_open_visits_are_those_of_customers_who_come_back_at_once():
    opened = {
        "arrival": {"cpu": 0.25, "disk": 0.75},
        "cpu": {"disk": 0.5, "cpu": 0.125, "exit": 0.375},
        "disk": {"cpu": 0.5, "exit": 0.5},
    }
    found = open_visit_ratios(opened)
    expected = traffic_equations({**opened, "exit": {"arrival": 1.0}}, "arrival")
    assert found == pytest.approx({k: expected[k] for k in ("disk", "cpu")}, rel=1e-15)


def test_open_routing_with_class_switching():
    found = open_visit_ratios(
        {
            "arrival": {("new", "cpu"): 1},
            ("new", "cpu"): {("old", "disk"): 1},
            ("old", "disk"): {("old", "cpu"): 0.5, "exit": 0.5},
            ("old", "cpu"): {("old", "disk"): 1},
        }
    )
    assert found == {("new", "cpu"): 1.0, ("old", "disk"): 2.0, ("old", "cpu"): 1.0}


def test_chains_keep_their_routing():
    both = {("x", a): {("x", b): p for b, p in row.items()} for a, row in CENTRAL_SERVER.items()}
    both |= SCHWETMAN_9
    first, second = chains(both)
    assert visit_ratios(first, "terminals")["x", "disk"] == pytest.approx(7, rel=1e-15)
    assert visit_ratios(second, (1, "cpu"))[2, "disk 2"] == pytest.approx(0.25, rel=1e-15)
    with pytest.raises(qm.InvalidNetwork, match=r"cannot be reached .* see chains\(\)"):
        visit_ratios(both, "terminals")


def test_networkx_graph_in_and_out():
    graph = routing_graph(CENTRAL_SERVER)
    assert isinstance(graph, nx.DiGraph)
    assert visit_ratios(graph, "terminals") == visit_ratios(CENTRAL_SERVER, "terminals")
    opened = routing_graph(BOLCH_7_7["10 8.049 8.415"])
    assert open_visit_ratios(opened) == open_visit_ratios(BOLCH_7_7["10 8.049 8.415"])
    bare = nx.DiGraph([("cpu", "disk"), ("disk", "cpu")])
    with pytest.raises(qm.InvalidNetwork, match=r"station 'disk' after .* is None"):
        routing_graph(bare)


def test_probabilities_of_zero_are_no_way_to_get_there():
    routing = {"cpu": {"cpu": 1.0, "disk": 0.0}, "disk": {"cpu": 1}}
    with pytest.raises(qm.InvalidNetwork, match="station 'disk' cannot be reached from"):
        visit_ratios(routing, "cpu")


def test_thirds_are_rounded_and_accepted():
    third = {"a": 1 / 3, "b": 1 / 3, "c": 1 / 3}
    assert visit_ratios({"a": third, "b": third, "c": third}, "a") == pytest.approx(
        {"a": 1, "b": 1, "c": 1}, rel=1e-15
    )


@pytest.mark.parametrize(("routing", "text"), rows(__file__, "closed_routings_that_mean_nothing"))
def test_closed_routings_that_mean_nothing(routing, text):
    with pytest.raises(qm.InvalidNetwork) as refused:
        visit_ratios(asked(routing, globals()), "cpu")
    assert text in str(refused.value)


@pytest.mark.parametrize(("routing", "text"), rows(__file__, "open_routings_that_mean_nothing"))
def test_open_routings_that_mean_nothing(routing, text):
    with pytest.raises(qm.InvalidNetwork) as refused:
        open_visit_ratios(routing)
    assert text in str(refused.value)


def test_visits_beyond_the_range_of_numbers_are_refused():
    routing = {"a": {"b": 1.0}, "b": {"b": 1.0, "c": 1e-320}, "c": {"a": 1.0}}
    with pytest.raises(qm.InvalidNetwork, match="visits to station 'b' are beyond the range"):
        visit_ratios(routing, "a")
