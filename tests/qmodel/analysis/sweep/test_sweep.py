"""Many networks from one call: each as if solved alone, in the order asked for."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qmodel as qm
from qmodel.errors import InvalidInput
from qmodel.kernels import convolution_columns
from tests.strategies import networks
from tests.tables import asked, rows

SERVERS = [qm.QueueingStation("cpu"), qm.QueueingStation("disk"), qm.DelayStation("lan")]
ONE = qm.Network(SERVERS, [qm.ClosedClass("people", 20, think_time=5.0)], [[0.4, 0.25, 0.1]])
TWO = qm.Network(
    [qm.QueueingStation("cpu", 2), qm.LoadDependentStation("array", [1.0, 1.6])],
    [qm.ClosedClass("edit", 4, 2.0), qm.OpenClass("mail", 0.5)],
    [[0.4, 0.2], [0.3, 0.1]],
)


def as_if_alone(found, i, network, rel=1e-12):
    """Whether a point has the figures of its network solved by itself."""
    alone = qm.solve(network)
    assert found.throughput[i] == pytest.approx(alone.throughputs, rel=rel, abs=0)
    for mine, expected in (
        (found.residence_time[i], alone.residence_times),
        (found.queue_length[i], alone.queue_lengths),
        (found.utilization[i], alone.utilizations),
    ):
        for row, numbers in zip(mine, expected):
            assert row == pytest.approx(numbers, rel=rel, abs=1e-300)


def one(population=20, think_time=5.0, cpu=0.4, disk=0.25, servers=1):
    stations = [qm.QueueingStation("cpu", servers), *SERVERS[1:]]
    return qm.Network(
        stations, [qm.ClosedClass("people", population, think_time)], [[cpu, disk, 0.1]]
    )


@pytest.mark.parametrize("columns", [1, 3, 12])
def test_a_grid_over_populations_and_demands(columns):
    demands = np.linspace(0.1, 0.5, columns)
    populations = [0, 1, 5, 5, 2, 300]
    found = qm.sweep(ONE, {"population": populations, "demand.cpu": demands})
    assert found.parameters["population"].tolist() == populations * columns  # the fastest
    assert len(found) == 6 * columns
    for i, (cpu, n) in enumerate(product(demands, populations)):
        as_if_alone(found, i, one(n, cpu=float(cpu)), rel=1e-10)
    assert found.methods == ("mva",)


def test_a_table_is_a_point_in_each_row():
    table = {"users": [1, 40, 7], "demand.cpu": [0.1, 0.2, 0.3]}
    records = [dict(zip(table, row)) for row in zip(*table.values())]
    for source in (table, records, pd.DataFrame(table)):
        found = qm.sweep(ONE, rows=source)
        assert found.parameters["users"].tolist() == table["users"]
        for i, (n, cpu) in enumerate(zip(*table.values())):
            as_if_alone(found, i, one(n, cpu=cpu))


def test_classes_of_both_kinds():
    rates, demands, populations = [0.0, 1.0], [0.1, 0.4], [1, 6]
    found = qm.sweep(
        TWO, {"population.edit": populations, "arrival_rate": rates, "demand.mail.array": demands}
    )
    for i, (rate, demand, n) in enumerate(product(rates, demands, populations)):
        classes = [qm.ClosedClass("edit", n, 2.0), qm.OpenClass("mail", rate)]
        as_if_alone(found, i, qm.Network(TWO.stations, classes, [[0.4, 0.2], [0.3, demand]]))
    assert found.class_names == ("edit", "mail")
    assert "utilization.mail.array" in found.columns()


def test_points_without_an_answer_are_named_and_nan():
    found = qm.sweep(TWO, {"arrival_rate.mail": [1.0, 9.0, 2.0]})
    assert np.isnan(found.throughput[1]).all()
    assert np.isnan(found.utilization[1]).all()
    assert not np.isnan(found.throughput[[0, 2]]).any()
    assert list(found.problems) == [1]
    assert "class 'mail' at station 'cpu': utilization would be 135 %" in found.problems[1]


def test_a_point_that_is_no_network_is_named():
    network = qm.Network([qm.QueueingStation("cpu")], [qm.ClosedClass("a", 2)], [0.3])
    found = qm.sweep(network, {"demand.cpu": [0.1, 0.0, 0.2]})
    assert "throughput is unbounded" in found.problems[1]
    assert found.throughput[2, 0] == pytest.approx(5.0)


@given(
    network=networks(closed=(1, 2), opened=(0, 1), population=(0, 6)),
    scale=st.lists(st.floats(0.1, 2.0), min_size=1, max_size=3),
    populations=st.lists(st.integers(0, 8), min_size=1, max_size=4),
)
def test_any_network_is_solved_as_if_alone(network, scale, populations):
    name = network.class_names[0]
    station = network.station_names[0]
    demands = [(network.demand[0][0] or 0.1) * s for s in scale]
    found = qm.sweep(
        network, {f"population.{name}": populations, f"demand.{name}.{station}": demands}
    )
    for i, (demand, n) in enumerate(product(demands, populations)):
        classes = [qm.ClosedClass(name, n, network.think_time[0]), *network.classes[1:]]
        rows = [[demand, *network.demand[0][1:]], *network.demand[1:]]
        if i in found.problems:
            continue
        as_if_alone(found, i, qm.Network(network.stations, classes, rows), rel=1e-9)
    assert not found.problems


def test_networks_of_different_kinds_keep_their_order():
    array = qm.LoadDependentStation("cpu", [1.0, 1.5])
    mixed = [
        one(3), one(40, servers=3), one(0), one(7, cpu=0.1), one(500),
        qm.Network([array, *SERVERS[1:]], ONE.classes, ONE.demand),
        qm.Network([qm.DelayStation("cpu"), *SERVERS[1:]], ONE.classes, ONE.demand),
        qm.Network(SERVERS, [qm.OpenClass("people", 1.5)], ONE.demand),
        qm.Network(SERVERS, [qm.OpenClass("people", 99.0)], ONE.demand),
    ]  # fmt: skip
    found = qm.sweep(mixed)
    assert found.parameters["network"].tolist() == list(range(9))
    assert list(found.problems) == [8]
    for i, network in enumerate(mixed[:8]):
        as_if_alone(found, i, network, rel=1e-11)


@pytest.mark.parametrize("chunk", [1, 5, 7, 1000])
def test_chunks_do_not_show(chunk):
    vary = {"demand.cpu": [0.1, 0.2, 0.3, 0.4, 0.5], "population": range(1, 8)}
    whole = qm.sweep(ONE, vary)
    seen = []
    found = qm.sweep(
        ONE, vary, chunk=chunk, progress=lambda done, points: seen.append((done, points))
    )
    for name, values in whole.columns().items():
        assert found.columns()[name] == pytest.approx(values, rel=1e-13)
    assert seen == [(min(i * chunk, 35), 35) for i in range(1 - (-35 // chunk))]


@pytest.mark.parametrize(
    ("arguments", "said"), rows(__file__, "a_request_that_means_nothing_is_one_line")
)
def test_a_request_that_means_nothing_is_one_line(arguments, said):
    with pytest.raises(InvalidInput, match=said):
        qm.sweep(*asked(arguments, globals()))


@pytest.mark.parametrize(
    ("keywords", "said"), rows(__file__, "keywords_that_mean_nothing_are_one_line")
)
def test_keywords_that_mean_nothing_are_one_line(keywords, said):
    with pytest.raises(InvalidInput, match=said):
        qm.sweep(ONE, **keywords)


def some_of_several_speeds(count, seed):
    """Networks with several servers and load dependence, the numbers of servers differing."""
    rng = np.random.default_rng(seed)
    speeds = [1.0, 1.7, 2.2, 1.4]
    for _ in range(count):
        stations = [
            qm.QueueingStation("cpu", int(rng.integers(1, 7))),
            qm.LoadDependentStation("array", speeds), qm.QueueingStation("disk"),
            qm.DelayStation("lan"), qm.QueueingStation("tape", int(rng.integers(1, 3))),
        ]  # fmt: skip
        demand = rng.choice([0.0, 0.1, 0.4, 0.41, 1.0], 5) * rng.uniform(0.5, 1.5, 5)
        demand[0] += 0.05
        think_time = float(rng.choice([0.0, 3.0, 200.0]))
        people = qm.ClosedClass("people", int(rng.integers(0, 80)), think_time)
        yield qm.Network(stations, [people], [demand])


@pytest.mark.parametrize("seed", range(3))
def test_several_servers_and_load_dependence_by_arrays(seed):
    many = list(some_of_several_speeds(60, seed))
    found = qm.sweep(many)
    assert found.methods == ("convolution",)
    for i, network in enumerate(many):
        as_if_alone(found, i, network, rel=1e-11)


def test_a_grid_over_servers_by_arrays(monkeypatch):
    demands = np.linspace(0.3, 1.5, 11).tolist()
    vary = {"servers.cpu": [1, 2, 5], "demand.cpu": demands, "users": [0, 1, 4, 30]}
    found = qm.sweep(ONE, vary)
    assert found.methods == ("mva", "convolution")
    for i, (m, cpu, n) in enumerate(product([1, 2, 5], demands, [0, 1, 4, 30])):
        as_if_alone(found, i, one(n, cpu=cpu, servers=m), rel=1e-11)
    # Where floats are too narrow, the point is solved by itself.
    monkeypatch.setattr(convolution_columns, "HIGHEST", 0.0)
    alone = qm.sweep(ONE, vary)
    for name, values in found.columns().items():
        assert alone.columns()[name] == pytest.approx(values, rel=1e-11)
