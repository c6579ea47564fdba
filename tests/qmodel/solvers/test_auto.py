"""The choice of a method: exact where it can be, with its reason, and a clear no otherwise."""

import subprocess
import sys
from importlib import import_module

import pytest

import qmodel
import qmodel as qm
from qmodel.solvers import METHODS
from qmodel.solvers.invariants import check
from tests.tables import asked, rows

ONE_CLASS = qm.Network([qm.QueueingStation("cpu")], [qm.ClosedClass("users", 5, 1.0)], [0.5])
MANY_CLASSES = qm.Network(
    [qm.QueueingStation(f"station {k}") for k in range(30)],
    [qm.ClosedClass(f"class {c}", 100) for c in range(20)],
    [[0.1 + 0.01 * ((c * 7 + k * 3) % 11) for k in range(30)] for c in range(20)],
)


def test_auto_prefers_exact_and_says_so():
    assert (qm.solve(ONE_CLASS).method, qm.solve(ONE_CLASS).reason) == ("mva", "exact")
    solution = qm.solve(ONE_CLASS, "aql")
    assert (solution.method, solution.reason) == ("aql", "asked for")


@pytest.mark.parametrize(
    ("classes", "population", "stations", "method", "reason"),
    rows(__file__, "exact_methods_are_chosen_by_their_work"),
)  # fmt: skip
def test_exact_methods_are_chosen_by_their_work(classes, population, stations, method, reason):
    demand = [
        [0.1 + 0.01 * ((c * 7 + k * 3) % 11) for k in range(stations)] for c in range(classes)
    ]
    network = qm.Network(
        [qm.QueueingStation(f"station {k}") for k in range(stations)],
        [qm.ClosedClass(f"class {c}", population, 1.0) for c in range(classes)],
        demand,
    )
    solution = qm.solve(network)
    assert (solution.method, solution.reason) == (method, reason)


def test_auto_falls_back_and_says_why():
    solution = qm.solve(MANY_CLASSES)
    assert solution.method == "second-differences"
    assert "no exact method: " in solution.reason
    assert "population vectors" in solution.reason


def test_exact_refuses_what_is_too_large_with_its_size():
    with pytest.raises(qm.NotApplicable, match=r"1\.22e\+40 population vectors"):
        qm.solve(MANY_CLASSES, "exact")


def test_every_method_answers_for_every_network():
    assert qm.methods_for(ONE_CLASS).keys() == {method.name for method in METHODS}
    assert qm.methods_for(ONE_CLASS)["mva"] is None
    two_servers = qm.Network([qm.QueueingStation("cpu", 2)], ONE_CLASS.classes, [1.0])
    assert qm.methods_for(two_servers)["mva"] == "station 'cpu' has 2 servers"
    with pytest.raises(qm.InvalidInput, match="no method 'mvaa'; there is mva, convolution"):
        qm.methods_for(ONE_CLASS, "mvaa")


def test_a_refusal_has_each_reason_once_and_not_what_the_network_lacks():
    fork = qm.Network([qm.ForkJoinStation("f", 100)], [qm.OpenClass("u", 0.1)], [1.0])
    with pytest.raises(qm.NotApplicable) as refusal:
        qm.solve(fork)
    assert str(refusal.value).count("forks each visit") == 1
    assert "has 100 branches, it takes 64 (extended-amva)" in str(refusal.value)
    assert "no class is closed" not in str(refusal.value)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_what_applies_solves_and_what_does_not_refuses(method):
    opened = qm.Network([qm.QueueingStation("cpu")], [qm.OpenClass("mail", 0.5)], [[0.1]])
    for network in (ONE_CLASS, opened, MANY_CLASSES):
        reason = method.why_not(network)
        if reason is None:
            assert qm.solve(network, method.name).method == method.name
        else:
            with pytest.raises(qm.NotApplicable, match=method.name):
                qm.solve(network, method.name)


def test_an_unknown_method_is_refused_with_the_list():
    with pytest.raises(qm.InvalidInput, match="no method 'MVA'; there is auto, exact, mva"):
        qm.solve(ONE_CLASS, "MVA")


@pytest.mark.parametrize(("throughput", "residence", "what"), rows(__file__, "broken_law"))
def test_a_broken_law_is_an_internal_error_with_a_reproducer(throughput, residence, what):
    wrong = qm.Solution(
        ONE_CLASS, "mva", (asked(throughput, globals()),), ((asked(residence, globals()),),)
    )
    with pytest.raises(qm.InternalError) as caught:
        check(wrong, exact=True)
    assert what in str(caught.value)
    expression = str(caught.value).split("please report this network: ")[1]
    again = eval(expression, vars(qmodel))  # what the reader is asked to paste
    assert again.network == ONE_CLASS
    assert again.method == "mva"


def test_a_billion_customers_are_solved_or_refused_at_once():
    """Saturated, the limit is exact; with a tie every customer would be a step."""
    customers = [qm.ClosedClass("users", 10**9, 1.0)]
    stations = [qm.QueueingStation("cpu"), qm.QueueingStation("disk")]
    saturated = qm.solve(qm.Network(stations, customers, [0.1, 0.05]))
    assert (saturated.method, saturated.throughputs) == ("mva", (10.0,))
    tied = qm.Network(stations, customers, [0.1, 0.1])
    with pytest.raises(qm.NotApplicable, match=r"1e\+09 customers at 2 stations .* it takes 5e"):
        qm.solve(tied, "exact")
    assert qm.solve(tied).method == "second-differences"
    several = qm.Network(
        [qm.QueueingStation("cpu", 2), qm.QueueingStation("disk")], customers, [0.2, 0.1]
    )
    with pytest.raises(qm.NotApplicable, match="it keeps 2e"):
        qm.solve(several, "convolution")


def test_a_comparison_has_no_answer_where_there_is_no_steady_state():
    network = qm.Network([qm.QueueingStation("cpu")], [qm.OpenClass("x", 3.0)], [0.5])
    with pytest.raises(qm.NotApplicable, match=r"no method has an answer: .* 150 %"):
        qm.compare(network, ["open"])


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_the_list_says_of_a_method_what_its_module_says(method):
    """The list names methods without importing their modules."""
    module, at, _ = method.solve.args
    whole = getattr(import_module(module), at)
    assert (method.name, method.exact) == (whole.name, whole.exact)
    assert (method.work is None) == (whole.work is None)


def test_methods_that_no_network_was_shown_to_are_not_imported():
    """To import them all would take longer than most solutions."""
    code = (
        "import sys, qmodel as qm\n"
        "network = qm.Network([qm.QueueingStation('cpu')], [qm.ClosedClass('users', 3)], [0.2])\n"
        "print(qm.solve(network).method)\n"
        "print(*(m for m in sys.modules if m.startswith('qmodel.solvers.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    method, loaded = done.stdout.splitlines()
    assert method == "mva"
    assert "qmodel.solvers.product_form.mva" in loaded.split()
    assert not {"qmodel.solvers.product_form.recal", "qmodel.solvers.decomposition.mmap"} & {
        *loaded.split()
    }
