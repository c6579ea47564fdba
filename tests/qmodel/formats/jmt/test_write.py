"""Networks as JMVA files: they come back, and what JMVA cannot hold is named."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import qmodel as qm
from qmodel.errors import FileError, InvalidInput
from qmodel.formats.jmt.read import read_jmva
from qmodel.formats.jmt.stations import write_speeds
from qmodel.formats.jmt.write import jmva_text
from tests.strategies import networks

FILES = sorted((Path(__file__).parent / "jmva").glob("*.jmva"))


def back(model):
    text, warnings = jmva_text(model, "a.jmva")
    return read_jmva(text.encode(), "a.jmva"), warnings


def alike(network):
    """The same network written one way: speeds relative to one customer's, none beyond N."""
    most = sum(c.population for c in network.classes if isinstance(c, qm.ClosedClass))
    demand = [list(row) for row in network.demand]
    stations = []
    for k, station in enumerate(network.stations):
        if isinstance(station, qm.LoadDependentStation):
            visited = any(row[k] for row in demand)
            rates = [r / station.rates[0] for r in station.rates[:most]] if visited else [1.0]
            while len(rates) > 1 and rates[-1] == rates[-2]:
                rates.pop()
            for row in demand:
                row[k] /= station.rates[0]
            stations.append(("rates", station.name, pytest.approx(rates, rel=1e-15)))
        else:
            stations.append(station)
    return stations, network.classes, [pytest.approx(row, rel=1e-15) for row in demand]


def plain(network):
    stations = [
        ("rates", s.name, list(s.rates)) if isinstance(s, qm.LoadDependentStation) else s
        for s in network.stations
    ]
    return stations, network.classes, [list(row) for row in network.demand]


def queues_somewhere(network):
    """Whether each closed class without think time visits a station that is no delay."""
    return all(
        isinstance(c, qm.OpenClass)
        or c.think_time
        or any(
            d and not isinstance(s, qm.DelayStation)
            for s, d in zip(network.stations, row, strict=True)
        )
        for c, row in zip(network.classes, network.demand, strict=True)
    )


def comes_back(network):
    found, warnings = back(network)
    if queues_somewhere(network):
        assert plain(found.network) == alike(network)
        assert not found.warnings
        return
    assert any("which JMVA takes for its think time" in line for line in warnings)
    assert qm.solve(found.network).throughputs == pytest.approx(qm.solve(network).throughputs)


@given(network=networks(closed=(1, 3)))
def test_a_closed_network_comes_back(network):
    comes_back(network)


@given(network=networks(closed=(1, 2), opened=(1, 2), kinds="sdm"))
def test_a_mixed_network_comes_back(network):
    comes_back(network)


@given(network=networks(closed=(0, 0), opened=(1, 3), kinds="sdm"))
def test_an_open_network_comes_back(network):
    comes_back(network)


@given(network=networks(closed=(1, 3)))
def test_a_file_written_twice_is_the_same_file(network):
    found, _ = back(network)
    once, _ = jmva_text(found)
    assert jmva_text(read_jmva(once.encode(), "a.jmva"))[0] == once


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_a_file_of_others_is_kept_whole(path):
    model = qm.load_jmva(path)
    found, warnings = back(model)
    assert not warnings
    assert not found.warnings
    assert found == replace(model, warnings=(), algorithm=found.algorithm)
    assert found.algorithm == (model.algorithm or found.algorithm)


printed = st.decimals(min_value="0.000001", max_value="99999", places=6).map(float)


@given(times=st.lists(printed.filter(bool), min_size=1, max_size=8))
def test_times_of_a_load_dependent_station_come_back_to_their_printed_digits(times):
    text = write_speeds([times[0] / time for time in times], times[0], customers=len(times))
    assert text == ";".join(map(repr, times))


def test_speeds_beyond_the_population_are_named():
    network = qm.Network(
        [qm.LoadDependentStation("array", [1.0, 1.5, 1.9, 2.2])], [qm.ClosedClass("a", 2)], [0.3]
    )
    found, warnings = back(network)
    assert warnings == (
        'a.jmva: station "array" has speeds for 4 customers, JMVA holds those for the 2 there '
        "are; 2 left out",
    )
    assert qm.solve(found.network).throughputs == pytest.approx(qm.solve(network).throughputs)


@pytest.mark.parametrize("law", ["lognormal", [0.1, 0.3]])
def test_a_distribution_is_named_whatever_its_moments(law):
    disk = qm.QueueingStation("disk", discipline="fcfs")
    laws = {("a", "disk"): law}
    _, warnings = back(qm.Network([disk], [qm.OpenClass("a", 0.5)], [0.1], distributions=laws))
    (said,) = warnings
    assert 'class "a" at station "disk" has a distribution of SCV' in said


@pytest.mark.parametrize(("order", "named"), [("fcfs", 1), ("lcfs-pr", 0), ("ps", 0)])
def test_unlike_service_times_in_order_of_arrival_are_named(order, named):
    classes = [qm.ClosedClass(name, 5, 1.0) for name in ("short", "long")]
    network = qm.Network([qm.QueueingStation("cpu", 1, order)], classes, [[0.01], [1.0]])
    _, warnings = back(network)
    said = 'station "cpu" serves classes of different service times by fcfs; JMVA shares'
    assert [said in line for line in warnings] == [True] * named


def test_speeds_where_nobody_is_are_named():
    stations = [qm.QueueingStation("cpu"), qm.LoadDependentStation("array", [1.0, 1.5])]
    _, warnings = back(qm.Network(stations, [qm.ClosedClass("a", 2)], [0.3, 0.0]))
    assert warnings[0].startswith(
        'a.jmva: station "array" is visited by no customer; its speeds are'
    )


def test_load_dependent_stations_with_open_classes():
    station = qm.LoadDependentStation("array", [1.0, 1.5])
    mail = qm.OpenClass("mail", 1.0)
    _, warnings = back(qm.Network([station], [mail, qm.ClosedClass("a", 2)], [[0.1], [0.2]]))
    assert warnings[0].endswith("JMVA solves load-dependent stations in closed models only")
    with pytest.raises(FileError, match="and there are none"):
        jmva_text(qm.Network([station], [mail], [[0.1]]))


def test_repeated_visits_of_the_reference_are_one_visit_of_all_their_time():
    model = qm.JmvaModel(
        (qm.QueueingStation("cpu"), qm.QueueingStation("disk")), (qm.ClosedClass("a", 3),),
        ((12.0, 11.0),), ((0.5, 0.25),), ("cpu",),
    )  # fmt: skip
    found, warnings = back(model)
    assert warnings[0].startswith('a.jmva: class "a" visits its reference station "cpu" 12 times')
    assert found.network.demand == model.network.demand


def test_a_think_time_needs_a_delay_station_of_its_own():
    with pytest.raises(InvalidInput, match="thinks 2 s, but its reference 'cpu' is a station"):
        qm.JmvaModel(
            (qm.QueueingStation("cpu"),), (qm.ClosedClass("a", 3, 2.0),), ((1.0,),), ((0.5,),),
            ("cpu",),
        )  # fmt: skip


def test_names_that_mean_something_in_xml():
    network = qm.Network(
        [qm.QueueingStation('a < b & "c"'), qm.QueueingStation("think time")],
        [qm.ClosedClass("Ü >", 3, think_time=1.0)],
        [0.5, 0.25],
    )
    found, _ = back(network)
    assert found.network == network
    assert found.reference == ("think time 2",)


def test_a_name_that_no_xml_file_can_hold_is_refused():
    network = qm.Network([qm.QueueingStation("beyond \uffff")], [qm.ClosedClass("a", 3)], [0.5])
    with pytest.raises(FileError, match="which no XML file can"):
        jmva_text(network)


def test_a_file_is_not_overwritten_unless_forced(tmp_path):
    network = qm.Network([qm.QueueingStation("cpu")], [qm.ClosedClass("a", 3)], [0.5])
    path = tmp_path / "a.jmva"
    assert qm.dump_jmva(network, path) == ()
    with pytest.raises(FileError, match="exists already"):
        qm.dump_jmva(network, path)
    qm.dump_jmva(network.with_population(4), path, force=True)
    assert qm.load_jmva(path).network == network.with_population(4)
