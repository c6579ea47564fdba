"""A server that works on so many at a time only, for classes too many to tell apart."""

import copy

import pytest

from advisor.engine import review
from advisor.predicting import solving
from advisor.predicting.load_curve import alone_and_at_peak
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
