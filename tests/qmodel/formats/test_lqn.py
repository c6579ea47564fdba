"""LQNX and LQN text: what is read, what is refused, the way back, results of other solvers."""

from pathlib import Path

import pytest

import qmodel as qm
from qmodel import Answer
from qmodel.formats.lqn.door import load_lqn, lqn_written
from qmodel.formats.lqn.results import load_lqn_results
from tests.tables import asked, rows, text_of

EXAMPLES = Path(__file__).parents[3] / "examples"
MODEL = asked(text_of(__file__, "model"), globals())


def parts(model):
    """What a model says, in no order."""
    return [sorted(map(repr, each)) for each in (model.services, model.processors)]


@pytest.mark.parametrize("form", ["lqnx", "lqn"])
def test_it_is_written_and_read_back(written, form):
    path = written(f"m.{form}", lqn_written(MODEL, "m", form == "lqnx"))
    found = load_lqn(path).model
    assert parts(found) == parts(MODEL)
    arrivals, people = sorted(found.users, key=lambda u: u.name)
    assert (people, arrivals.arrival_rate) == (MODEL.users[0], 0.5)
    assert qm.load_model(path) == found
    path.write_text(lqn_written(found, "m", form == "lqnx"))
    assert parts(load_lqn(path).model) == parts(MODEL)


def test_the_graphs_of_the_tutorials_are_nested_steps():
    (cart,) = load_lqn(EXAMPLES / "bookstore.lqnx").model.service_of("SCE3").entries
    start, choice = cart.steps
    (rare, _), (share, (one, fork)) = choice.branches
    assert (start.name, rare, share, one.name) == ("SCE3A95", 0.05, 0.95, "OFBA97")
    assert fork.branches[0][-1] == Answer()
    assert [type(step).__name__ for step in fork.branches[1]] == ["Work", "Together", "Work"]


def test_the_tutorial_models_are_solved():
    shop = qm.solve_layers(qm.load_model(EXAMPLES / "bookstore.lqnx"))
    x = {name: each.throughput for name, each in shop.services.items()}
    assert x["CustAccMgr"] == pytest.approx(50 * x["BackorderMgr"] + 0.95 * x["ShoppingCart"])
    # By another event simulation, three runs of 31,000 interactions each: 3059 ± 30 ms.
    assert shop["Customer_users"].response_time == pytest.approx(3059, abs=30)
    web = qm.load_model(EXAMPLES / "web_server.lqn")
    # By `qm.simulate`, a million events from seed 1: 1.904 ± 0.031 s.
    assert qm.solve_layers(web)["Client"].response_time == pytest.approx(1.904, rel=0.03)


RESULTS = text_of(__file__, "results")


def test_results_are_read(written):
    found = load_lqn_results(written("m.lqxo", RESULTS))
    assert (found.solver, found.busy_cores["cpu"]) == ("a solver 1.0", 0.4)
    assert (found.busy_threads["web"], found.response_time["page"]) == (0.6, 0.3)


@pytest.mark.parametrize(("old", "new", "problem"), rows(__file__, "lqnx"))
def test_what_is_wrong_in_lqnx_is_one_line(tmp_path, old, new, problem):
    path = tmp_path / "m.lqnx"
    assert old in RESULTS
    path.write_text(RESULTS.replace(old, new, 1))
    with pytest.raises(qm.FileError) as caught:
        qm.load_model(path)
    assert problem in str(caught.value)


@pytest.mark.parametrize(("old", "new", "problem"), rows(__file__, "lqn"))
def test_what_is_wrong_in_lqn_text_is_one_line(written, old, new, problem):
    text = (EXAMPLES / "web_server.lqn").read_text()
    assert old in text
    path = written("m.lqn", text.replace(old, new, 1))
    with pytest.raises(qm.FileError) as caught:
        qm.load_model(path)
    assert problem in str(caught.value)
