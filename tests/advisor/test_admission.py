"""Several classes behind one admission limit, lumped where their vectors are too many."""

import copy

import pytest

from advisor.engine import review
from advisor.predicting import solving
from advisor.predicting.admission import lumps, solve_lumped, without_limit
from advisor.predicting.load_curve import alone_and_at_peak
from qmodel import ClosedClass, Network, NotApplicable, OpenClass, QueueingStation, solve
from qmodel.population_limits import PopulationLimit
from tests.advisor.configurations import QUIET, configured

#: Most that a response time was seen to differ from the Markov chain's below. [1]
APART = 0.15


def limited(users, most, think=(3.0, 2.0), servers=2):
    classes = [
        ClosedClass(name, n, z) for name, n, z in zip(("mail", "report"), users, think, strict=True)
    ]
    stations = [QueueingStation("cpu", servers=servers), QueueingStation("disk")]
    limit = PopulationLimit("admission", most, ("cpu", "disk"))
    return Network(stations, classes, [[0.1, 0.2], [0.5, 0.3]], limits=(limit,))


@pytest.mark.parametrize("users", [(5, 4), (8, 8), (3, 7)])
@pytest.mark.parametrize("most", [1, 3, 6])
@pytest.mark.parametrize("servers", [1, 2])
def test_lumped_classes_come_near_those_told_apart(users, most, servers):
    network = limited(users, most, servers=servers)
    exact = solve(network, method="isolation")
    lumped = solve_lumped(network, solving.solve_network)
    assert lumped.response_times == pytest.approx(exact.response_times, rel=APART)
    assert lumped.throughputs == pytest.approx(exact.throughputs, rel=APART)


@pytest.mark.parametrize("think", [(3.0, 2.0), (3.0, 0.0)])
def test_without_anybody_outside_it_is_the_network_without_the_limit(think):
    network = limited((6, 7), 13, think)
    free = solve(without_limit(network))
    lumped = solve_lumped(network, solving.solve_network)
    assert lumped.throughputs == pytest.approx(free.throughputs, rel=1e-9)
    assert all(row[-1] == 0.0 for row in lumped.residence_times)


@pytest.mark.parametrize("most", [1, 3, 40])
def test_no_more_are_inside_than_are_let_in_and_nothing_is_busier_than_it_can_be(most):
    network = limited((160, 41), most)
    solution = solving.solve_network(network)
    inside = sum(sum(row[:-1]) for row in solution.queue_lengths)
    assert inside <= most * (1.0 + 1e-9)
    assert max(solution.station_utilizations[:-1]) <= 1.0 + 1e-9
    everybody = sum(
        x * (r + c.think_time)
        for x, r, c in zip(
            solution.throughputs, solution.response_times, network.classes, strict=True
        )
    )
    assert everybody == pytest.approx(201)


def test_one_class_and_what_arrives_from_outside_are_not_lumped():
    network = limited((5, 4), 3)
    mixed = Network(
        network.stations[:-1],
        [network.classes[0], OpenClass("report", 0.1)],
        [row[:-1] for row in network.demand],
        limits=network.limits,
    )
    assert lumps(network)
    assert not lumps(mixed)
    assert not lumps(without_limit(network))


def test_a_server_nothing_solves_is_refused_in_the_words_of_who_runs_it():
    crowd = Network(
        [QueueingStation("cpu")],
        [ClosedClass("mail", 200_000, 60.0)],
        [[0.001]],
        limits=(PopulationLimit("admission", 3, ("cpu",)),),
    )
    with pytest.raises(NotApplicable, match=r"^no method solves .*server\.most_active lets 3 in"):
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
