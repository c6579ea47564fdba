"""No wrong answer reaches anybody: solvers are made wrong, and every way out says nothing.

Each way from a solver to the user is listed here: the library's `solve`, `curve` and `sweep`, a
fit, a prediction, and every command that prints what a solver found.
"""

import dataclasses
import importlib
from pathlib import Path

import pytest

import qmodel as qm
from calibration.estimation.data import Conditions
from calibration.model_evaluation.answers import answers
from calibration.model_evaluation.model import blank
from qmodel import InternalError
from qmodel.analysis.curve import points
from qmodel.analysis.sweep import kernels
from qmodel.formats.model_file import load_network
from qmodel.solvers import METHODS
from tests.tables import rows

ROOT = Path(__file__).resolve().parents[2]
#: The module: `qmodel.solvers.solve` is the function.
CHOICE = importlib.import_module("qmodel.solvers.solve")
MODELS = [
    p
    for p in sorted((ROOT / "examples").glob("*.toml"))
    if "[[station]]" in p.read_text(encoding="utf-8")
]
PLAIN = qm.Network(
    [qm.QueueingStation("cpu"), qm.QueueingStation("disk")],
    [qm.ClosedClass("users", 3, 1.0)],
    [[0.5, 0.2]],
)


def wrong_solution(solution):
    """A hundredth more throughput than there is, everything else as it was."""
    return dataclasses.replace(solution, throughputs=tuple(1.01 * x for x in solution.throughputs))


def wrong_method(method):
    return dataclasses.replace(method, solve=lambda network: wrong_solution(method.solve(network)))


@pytest.fixture
def wrong_solvers(monkeypatch, nothing_remembered):  # noqa: ARG001
    """Every method a hundredth off, and every quick way around them as well."""
    from qmodel.kernels import one_class as kernel
    from qmodel.solvers.amva import variants

    monkeypatch.setattr(CHOICE, "METHODS", tuple(map(wrong_method, METHODS)))
    monkeypatch.setattr(variants, "VARIANTS", tuple(map(wrong_method, variants.VARIANTS)))
    exact, coxian_queue = kernel.exact, kernel.coxian_queue

    def off(*given, **options):
        return {n: (1.01 * x, *times) for n, (x, *times) in exact(*given, **options).items()}

    monkeypatch.setattr(kernel, "exact", off)
    monkeypatch.setattr(kernel, "coxian_queue", lambda *given: (2.0 * coxian_queue(*given)[0], []))
    wrong_curve(monkeypatch)
    wrong_sweep(monkeypatch)


def wrong_curve(monkeypatch):
    curve = importlib.import_module("qmodel.analysis.curve")  # the package's name is a function

    right = points.curve_points

    def off(*given):
        measures, method, reason = right(*given)
        return (
            {n: (tuple(1.01 * x for x in xs), rows) for n, (xs, rows) in measures.items()},
            method,
            reason,
        )

    monkeypatch.setattr(curve, "curve_points", off)


def wrong_sweep(monkeypatch):
    def off(kernel):
        def solve(batch):
            throughput, residence = kernel.solve(batch)
            return 1.01 * throughput, residence

        return kernel._replace(solve=solve)

    monkeypatch.setattr(kernels, "KERNELS", tuple(map(off, kernels.KERNELS)))


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
def test_every_method_is_checked(monkeypatch, method):

    every = (PLAIN, *map(load_network, MODELS))
    networks = [network for network in every if not method.why_not(network)]
    networks = sorted(networks, key=lambda n: len(n.stations) * len(n.classes))[:2]
    assert networks, "no example is solved by this method"
    assert all(qm.solve(network, method.name).throughputs for network in networks)
    monkeypatch.setattr(CHOICE, "METHODS", tuple(map(wrong_method, METHODS)))
    for network in networks:
        with pytest.raises(InternalError, match="please report this network"):
            qm.solve(network, method.name)


@pytest.mark.parametrize("spoil", [lambda r: 0.99 * r, lambda r: -r, lambda r: r * float("nan")])
def test_residence_times_are_checked(monkeypatch, spoil):

    def off(method):
        def solve(network):
            found = method.solve(network)
            rows = tuple(tuple(spoil(r) for r in row) for row in found.residence_times)
            return dataclasses.replace(found, residence_times=rows)

        return dataclasses.replace(method, solve=solve)

    monkeypatch.setattr(CHOICE, "METHODS", tuple(map(off, METHODS)))
    network = qm.Network([qm.QueueingStation("cpu")], [qm.OpenClass("mail", 1.0)], [[0.0001]])
    with pytest.raises(InternalError):
        qm.solve(network)


def test_a_curve_is_checked(monkeypatch):
    network = load_network(ROOT / "examples" / "closed_many_servers.toml")
    wrong_curve(monkeypatch)
    name = next(c.name for c in network.classes if isinstance(c, qm.ClosedClass))
    with pytest.raises(InternalError, match="please report"):
        qm.curve(network, [1, 5], vary=name)


CURVES = ["closed_many_servers.toml", "two_tier.toml", "closed_load_dependent.toml"]


@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize("wrong", [1, 3, 8])
@pytest.mark.parametrize("busier", [True, False])
def test_every_point_of_a_curve_is_checked(monkeypatch, name, wrong, busier):
    """Throughput or residence times of one population are a millionth off, the others are right."""
    network = load_network(ROOT / "examples" / name)
    vary = next(c.name for c in network.classes if isinstance(c, qm.ClosedClass))
    right = points.curve_points

    def off(*given):
        found = right(*given)
        xs, rows = found.measures[wrong]
        if busier:
            xs = tuple(1.000_001 * x for x in xs)
        else:
            rows = tuple(tuple(0.999_999 * r for r in row) for row in rows)
        return found._replace(measures={**found.measures, wrong: (xs, rows)})

    assert len(qm.curve(network, [3, 1, 8], vary=vary)) == 3
    monkeypatch.setattr(importlib.import_module("qmodel.analysis.curve"), "curve_points", off)
    with pytest.raises(InternalError, match=rf"please report this .*population={wrong}\b"):
        qm.curve(network, [3, 1, 8], vary=vary)


def test_a_sweep_is_checked_and_leaves_nothing_that_looks_done(monkeypatch, tmp_path):
    grid = {"demand.cpu": [0.1 + 0.001 * i for i in range(500)], "users": range(1, 30)}
    wrong_sweep(monkeypatch)
    with pytest.raises(InternalError, match="an answer breaks a law"):
        qm.sweep(PLAIN, grid)
    target = tmp_path / "users.csv"
    with pytest.raises(InternalError, match="an answer breaks a law"):
        qm.sweep(PLAIN, grid, to=target)
    assert not target.exists()
    assert not (tmp_path / "users.csv.partial").read_bytes()


@pytest.mark.parametrize(("servers", "scv", "users"), [(1, 1.0, 10), (4, 1.0, 500), (1, 4.0, 10)])
@pytest.mark.usefixtures("wrong_solvers")
def test_the_quick_ways_of_a_fit_are_checked(servers, scv, users):
    model = dataclasses.replace(
        blank(("users",), ("cpu",)), demand=((0.5,),), think_time=(2.0,), scv=(scv,)
    )
    with pytest.raises(InternalError, match="please report it"):
        answers(model, [Conditions("", (users,), None, (2.0,), (servers,))])


COMMANDS = [*[("solve", f"examples/{path.name}") for path in MODELS], *rows(__file__, "commands")]


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
@pytest.mark.usefixtures("wrong_solvers")
def test_no_command_prints_a_result_of_a_wrong_solver(run, arguments):
    done = run(*arguments)
    assert done.out == ""
    assert done.code == 70
    assert "internal error, please report it (InternalError: " in done.err
    assert "Traceback" not in done.err
