"""A population and its neighbours: what is done where differences allow of no solution."""

import numpy as np
import pytest

import qmodel as qm
from qmodel.solvers.amva import linearizer_core as neighbours
from qmodel.solvers.amva.population_batch import Found, Problems, State


@pytest.mark.parametrize(
    ("enough", "tried", "kept"),
    [
        (2.0, [[1.0, 2.0]], [1.0, 2.0]),
        (1.0, [[1.0, 2.0], [1.0, 2.0], [1.0, 1.0]], [1.0, 1.0]),
        (0.3, [[1.0, 2.0], [1.0, 2.0], [0.5, 1.0], [0.125, 0.25]], [0.125, 0.25]),
        (0.2, [[1.0, 2.0], [1.0, 2.0], [0.5, 1.0], [0.125, 0.25], [0.125, 0.0]], [0.125, 0.0]),
    ],
)
def test_differences_too_large_are_taken_in_part_or_not_at_all(enough, tried, kept, monkeypatch):
    """Two problems with differences of 1 and 2; only those that are small enough are solved."""
    asked, starts, paces = [], [], []

    def solve(*given):
        _, extra, start, _, _, _, pace = given
        asked.append(extra[0, 0].tolist())
        starts.append(start.queue[0].tolist())
        paces.append(pace)
        error = np.where(np.abs(extra[0, 0]) <= enough, 0.0, 1.0)
        found = Found(np.ones((1, 2)), extra, 10, error, np.zeros(2))
        return found, State(start.throughput, start.queue + 1.0, start.load)

    monkeypatch.setattr(neighbours, "solve", solve)
    one = np.ones((1, 2))
    problems = Problems(one, one, one[None], 1.0, 1.0)
    start = State(one, 0.0 * one, np.zeros((0, 2)))
    extra = np.array([[[1.0, 2.0]]])
    found, state, left = neighbours.solve_damped(problems, extra, start, None, 1e-10, 100)
    assert asked == tried
    assert left[0, 0].tolist() == kept
    assert found.evaluations == 10 * len(tried)
    assert (found.error <= found.enough).all()
    assert paces == [neighbours.NEAR, *[1.0] * (len(tried) - 1)]
    # Who is lost begins anew, who is solved goes on from there.
    assert starts[-1][1] == 0.0
    assert state.queue[0][1] == 1.0
    assert extra.tolist() == [[[1.0, 2.0]]]


@pytest.mark.parametrize("method", ["linearizer", "aql"])
@pytest.mark.parametrize(
    ("servers", "population", "think_time", "demand", "within"),
    [
        (4, (9, 7), 0.0, [[3.0, 0.17], [10.75, 0.7]], 6e-4),
        (4, (9, 4), 0.0, [[2.58, 0.12], [5.03, 0.11]], 6e-4),
        (6, (9, 7), 0.0, [[16.5, 0.41], [4.16, 0.18]], 6e-4),
        (2, (7, 6), 1.0, [[1.4, 0.95], [0.93, 0.33]], 6e-4),
        (4, (9, 6), 8.0, [[4.17, 0.63], [2.4, 0.44]], 4e-3),
    ],
)
def test_what_is_idle_of_several_servers_is_kept_from_pass_to_pass(
    method, servers, population, think_time, demand, within
):
    """Taken from the population at hand alone, times are off by half a per cent to two here."""
    stations = [qm.QueueingStation("cpu", servers), qm.QueueingStation("disk")]
    classes = [qm.ClosedClass(f"c{n}", n, think_time) for n in population]
    network = qm.Network(stations, classes, demand)
    exact, found = qm.solve(network, "exact"), qm.solve(network, method)
    assert found.response_times == pytest.approx(exact.response_times, rel=within)
