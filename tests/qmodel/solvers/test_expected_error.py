"""The expected error that a solution names: of the family it is most like, as recorded."""

import json
import re
from pathlib import Path

import pytest

import qmodel as qm
from qmodel.solvers.recorded_accuracy import recorded
from qmodel.solvers.solve import METHODS
from tests.tables import asked, rows

SOLVERS = Path(qm.__file__).parent / "solvers"
RECORD = json.loads((SOLVERS / "accuracy.json").read_text(encoding="utf-8"))["errors"]
QUEUE, FORK, RATES = qm.QueueingStation, qm.ForkJoinStation, qm.LoadDependentStation


def network(*stations, populations=(2, 2), **more):
    classes = [qm.ClosedClass(f"c{c}", n, 1.0, c) for c, n in enumerate(populations)]
    demand = [[0.1 * (1 + c + k) for k in range(len(stations))] for c in range(len(classes))]
    return qm.Network(stations, classes, demand, **more)


def fcfs(servers=1):
    return QUEUE("disk", servers, "fcfs")


def open_network(times, visits=None, delay=False, last="fcfs", **more):
    classes = [qm.OpenClass(f"c{c}", 0.2, arrival_scv=4.0) for c in range(len(times))]
    stations = [QUEUE(f"s{k}", 1, "fcfs") for k in range(len(times[0]))]
    stations[-1] = QUEUE("last", 1, last)
    if delay:
        stations[0] = qm.DelayStation("delay")
    return qm.Network(stations, classes, times, visit_ratio=visits, **more)


LIMIT = qm.PopulationLimit("memory", 2, stations=["a"])
LIMIT_CPU = qm.PopulationLimit("memory", 2, stations=["cpu"])
EQUAL = qm.Network(
    [FORK("a", 2)], [qm.ClosedClass("x", 2, 1.0), qm.ClosedClass("y", 2, 3.0)], [[0.1], [0.1]]
)
FAMILIES = [(asked(given, globals()), *said) for given, *said in rows(__file__, "families")]


@pytest.mark.parametrize(("given", "method", "family"), FAMILIES, ids=lambda v: str(v)[-20:])
def test_the_family_and_its_numbers_are_those_on_record(given, method, family):
    found = recorded(given, method)
    assert (found.family, found.beyond) == (family, ())
    printed = [float(each) for each in re.findall(r"(\S+) %", str(found))]
    assert printed == [float(f"{100 * each:.2g}") for each in RECORD[f"{family} {method}"]]


def test_a_method_without_a_record_says_nothing():
    assert recorded(network(QUEUE("a"), limits=[LIMIT]), "mva") is None


BEYOND = [
    ({}, ""), ({"scv": [[0.21, 1.0]]}, "SCV of services 0.21 where "),
    ({"scv": [[1.0, 9.0]]}, "SCV of services 9 where "),
    ({"rate": 0.95}, "utilization 0.95 where "), ({"rate": 0.01}, ""),
    ({"arrival_scv": 0.1}, "SCV of arrivals 0.1 where "), ({"servers": 6}, "servers 6 where "),
    ({"count": 4}, "classes 4 where "),
]  # fmt: skip


@pytest.mark.parametrize(("given", "beyond"), BEYOND, ids=lambda v: str(v)[:20])
def test_what_is_beyond_the_recorded_range_is_said(given, beyond):
    count = given.get("count", 1)
    classes = [
        qm.OpenClass(
            f"c{c}", given.get("rate", 0.6) / count, arrival_scv=given.get("arrival_scv", 2.0)
        )
        for c in range(count)
    ]
    stations = [QUEUE("a", 1, "fcfs"), QUEUE("b", given.get("servers", 1), "fcfs")]
    model = qm.Network(stations, classes, [[1.0, 0.5]] * count, scv=given.get("scv"))
    said = recorded(model, "mmap").beyond
    assert [each.startswith(beyond) for each in said] == [True] * bool(beyond)


def test_kinds_that_no_family_has_together_are_not_recorded():
    """Each alone is: classes by priority, open ones, a limit."""
    cpu = QUEUE("cpu", 1, "priority")
    closed, opened = qm.ClosedClass("x", 3, 9.0), qm.OpenClass("y", 0.1, priority=1)
    given = qm.Network([cpu, fcfs()], [closed, opened], [[1.0, 0.2]] * 2, limits=[LIMIT_CPU])
    assert recorded(given, "marie").beyond[0] in {"a limit", "open classes", "priorities"}
    assert str(recorded(given, "marie")).startswith("error not recorded for networks like this (")


def test_a_rough_solution_says_so_first():
    rough = qm.solve(open_network([[1.0, 0.5]], scv=[[0.15, 1.0]])).reason
    assert rough.startswith("rough, error not recorded for networks like this (SCV of services")
    near = qm.solve(open_network([[1.0, 0.5]])).reason
    assert near.startswith("no product form: ")
    assert "; expected error in response time: median " in near


MAP = {"d0": [[-3.0, 1.0], [0.5, -0.7]], "d1": [[2.0, 0.0], [0.0, 0.2]]}


@pytest.mark.parametrize(("times", "laws", "said"), rows(__file__, "given_distributions"))
def test_what_is_given_beyond_two_moments_is_exact_or_not_recorded(times, laws, said):
    stations = [QUEUE(name, 1, "fcfs") for name in "ab"[: len(times)]]
    laws, scv = asked(laws, globals()), [[2.0] * len(times)] if "scv" in said else None
    given = qm.Network(stations, [qm.OpenClass("x", 0.5)], [times], scv=scv, distributions=laws)
    assert said.removeprefix("scv ") in qm.solve(given).reason


def test_auto_leaves_to_others_what_takes_long():
    """Three priority stations, each a chain of thousands of states, twenty times in turn."""
    stations = [QUEUE(name, 2, "priority") for name in "abc"]
    classes = [qm.ClosedClass(f"c{c}", 39 - c, 9.0, c) for c in range(2)]
    times = [[0.2, 0.3, 0.1], [0.1, 0.2, 0.3]]
    given = qm.Network(stations, classes, times, scv=[[4.0] * 3] * 2)
    assert qm.methods_for(given, "marie") == {"marie": None}
    (marie,) = (method for method in METHODS if method.name == "marie")
    assert marie.seconds(given) > 20.0
    assert qm.solve(given).method == "extended-amva"


def test_where_nothing_is_quick_it_is_said_how_long_it_takes():
    """Inside a limit each mix of classes is a network, with chains of three stations in order."""
    stations = [QUEUE("a", 1, "priority"), QUEUE("b", 1, "priority"), QUEUE("c", 4, "priority")]
    classes = [qm.ClosedClass(f"c{c}", n, 9.0, c) for c, n in enumerate((3, 6, 25))]
    limit = qm.PopulationLimit("threads", 12, ["a", "b", "c"])
    given = qm.Network(
        stations, classes, [[0.2, 0.3, 0.1]] * 3, scv=[[0.3] * 3] * 3, limits=[limit]
    )
    with pytest.raises(qm.NotApplicable) as refusal:
        qm.solve(given)
    assert re.fullmatch(
        r"marie: about \d+ s, ask for it by name; .*simulate\(\) .*", str(refusal.value)
    )


def test_closed_networks_are_compared_with_the_ranges_of_theirs():
    given = network(QUEUE("a"), QUEUE("b", 200))
    assert recorded(given, "linearizer").beyond[0].startswith("servers 200 where 1 to ")


@pytest.mark.parametrize("others", [[], [qm.ClosedClass("c", 8, 2.0, priority=1)]])
def test_all_of_a_class_at_one_station_with_priorities_is_not_recorded(others):
    classes = [qm.OpenClass("o", 1.2), *others, qm.OpenClass("p", 0.1, priority=2)]
    found = recorded(
        qm.Network([QUEUE("q", 3, "priority")], classes, [[0.6]] * len(classes)), "extended-amva"
    )
    assert "share of a class at a station with priorities" in str(found)
