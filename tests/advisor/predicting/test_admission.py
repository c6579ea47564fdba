"""A server that works on so many at a time only, for classes too many to tell apart."""

import copy
import math

import pytest

from advisor.engine import review
from advisor.findings.targets import bottleneck_of
from advisor.planning.alternatives import whatif
from advisor.predicting import solving
from advisor.predicting.load_curve import alone_and_at_peak
from advisor.predicting.prediction import outlook
from qmodel import ClosedClass, Network, NotApplicable, QueueingStation
from qmodel.model.population_limits import PopulationLimit
from tests.advisor.configurations import QUIET, configured


def test_many_are_lumped_and_few_are_not():
    stations = [QueueingStation("cpu"), QueueingStation("disk")]
    limit = PopulationLimit("admission", 3, ("cpu", "disk"))

    def method(*users):
        classes = [ClosedClass(f"c{n}", n, 3.0) for n in users]
        network = Network(stations, classes, [[0.1, 0.2], [0.5, 0.3]], limits=[limit])
        return solving.solve_network(network).method

    assert method(5, 4) == "marie"
    assert method(160, 41) == "aggregated-fes"


def test_a_server_nothing_solves_is_refused_in_the_words_of_who_runs_it():
    crowd = Network(
        [QueueingStation("cpu")], [ClosedClass("mail", 2_000_000, 60.0)], [[0.001]],
        limits=(PopulationLimit("admission", 3, ("cpu",)),),
    )  # fmt: skip
    with pytest.raises(NotApplicable, match=r"^no method solves .*server\.most_active = 3;"):
        solving.solve_network(crowd)


@pytest.mark.parametrize("most", [3, 300])
def test_a_review_of_two_classes_behind_a_limit_comes_to_its_end(most):
    data = copy.deepcopy(QUIET)
    data["server"]["most_active"] = most
    data["workload"] |= {"users": 100, "think_time": "60 s"}
    data["workload"]["class"] = [
        {"name": "mail", "share": 0.8, "cpu": "0.15 s", "disk_kb": 80, "lan_kb": 40},
        {"name": "report", "share": 0.2, "cpu": "0.9 s", "disk_kb": 900, "lan_kb": 200},
    ]
    data["targets"] = {"response_time": "2 s"}
    found = review(configured(data))
    free = copy.deepcopy(data)
    del free["server"]["most_active"]
    without = review(configured(free))
    mine, theirs = (each.outlook.classes[0].response_time.mid for each in (found, without))
    assert mine > 1.2 * theirs if most == 3 else mine == pytest.approx(theirs, rel=1e-3)
    assert len(alone_and_at_peak(configured(data), (1, 100, 200))) == 3


def api(rate, most=1, replicas=3, cores=2, **targets):
    return configured({
        "schema": 1,
        "server": {"cores": cores, "replicas": replicas, "most_active": most},
        "workload": {"arrival_rate": f"{rate} rps", "class": [{"name": "api", "cpu": "30 ms"}]},
        "targets": {"response_time": {"mean": "200 ms"}, **targets},
    })  # fmt: skip


def test_arrivals_at_replicas_with_a_pool_each():
    """A pool of one before two cores: an M/M/1 at each of three servers."""
    found = review(api(60.0, response_time={"mean": "200 ms", "p95": "1 s"}))
    (users,) = found.outlook.classes
    assert users.response_time.mid == pytest.approx(0.030 / (1.0 - 20.0 * 0.030), rel=1e-6)
    assert users.within(0.95).mid == pytest.approx(-math.log(0.05) * 0.075, rel=0.03)
    assert found.verdict.state == "FITS"
    full = review(api(120.0))
    assert (full.verdict.state, full.verdict.limited_by) == ("OVERLOADED", "response time of api")
    (step,) = full.plan.steps
    assert step.advice.option.change.title == "admit 2 interactions at a time"
    assert bottleneck_of(full.configuration, full.outlook)[0] == "pool of 1"


def test_places_are_held_for_as_long_as_operations_take():
    """By a simulator of its own 154.7 and 281 ms; with one visit to each drive 146 and 231."""
    data = {
        "schema": 1,
        "server": {"cores": 4, "most_active": 8},
        "disk": {"drives": 2, "raid": "raid0", "stripe": "8 KB", "block": "8 KB",
                 "read_latency": "5 ms", "write_latency": "5 ms", "parallelism": 1,
                 "transfer_rate": "1000 GB/s"},
        "workload": {"arrival_rate": "38.49 rps", "class": [
            {"name": "a", "cpu": "60 ms", "disk_kb": 49.152}]},
    }  # fmt: skip
    times = []
    for rate in ("38.49 rps", "45.7 rps"):
        data["workload"]["arrival_rate"] = rate
        times.append(outlook(configured(data)).classes[0].response_time.mid)
    assert times == pytest.approx([0.1547, 0.2815], rel=0.025)


@pytest.mark.parametrize("quota", [1.0, 1.1, 1.5, 2.0, 2.1, 2.5, 3.5])
def test_a_request_alone_has_a_whole_processor_of_a_quota(quota):
    times = []
    for each in (quota, quota + 0.3):
        data = copy.deepcopy(QUIET)
        data["server"] = {"cores": 8, "cpu_quota": each}
        data["workload"] = {
            "users": 4,
            "think_time": "1 s",
            "class": [{"name": "a", "cpu": "0.1 s"}],
        }
        times.append(outlook(configured(data)).classes[0].response_time.mid)
    assert 0.1 <= times[1] <= times[0]


def test_more_servers_are_a_step_where_no_part_of_those_there_is_enough():
    (step,) = review(api(1200.0, most=2, cores=2)).plan.steps
    assert step.advice.option.change.title == "run 20 servers"


def test_what_an_overloaded_server_holds_elsewhere_is_not_said():
    data = copy.deepcopy(QUIET)
    asks = {"name": "a", "cpu": "0.1 s", "disk_kb": 10, "lan_kb": 10}
    data["workload"] = {"arrival_rate": "1 rps", "class": [asks]}
    (found,) = whatif(configured(data), {"": ["workload.arrival_rate=30 rps"]}).alternatives
    held = [d for d in found.differences if d.quantity == "queue length"]
    assert [(each.of, each.after.mid) for each in held] == [("cpu", math.inf)]
