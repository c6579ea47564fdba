"""What is imported when: a fast start, and one class solved where NumPy is absent."""

from tests.cli.conftest import python
from tests.tables import text_of

HEAVY = ("numpy", "pandas", "scipy", "sympy", "networkx", "pydantic", "pint")
LOADED = f"import sys; print([m for m in {HEAVY} if m in sys.modules])"

#: A finder that refuses NumPy, as an interpreter without it does.
WITHOUT_NUMPY = text_of(__file__, "without_numpy")

ONE_CLASS = (
    WITHOUT_NUMPY
    + """
try:
    import numpy
except ModuleNotFoundError:
    print("numpy is refused")
import qmodel as qm
network = qm.Network(
    stations=[qm.QueueingStation("cpu", servers=2), qm.QueueingStation("disk"),
              qm.DelayStation("lan"), qm.LoadDependentStation("array", (1.0, 1.7, 2.2))],
    classes=[qm.ClosedClass("edit", population=20, think_time=9.0)],
    demand=[[0.68, 0.12, 0.09, 0.2]],
)
solution = qm.solve(network)
print(solution)
print(solution["edit"].throughput, solution.bottleneck, solution.to_dict()["method"])
print(qm.bounds(network), qm.curve(network, [1, 5]).throughputs)
print(qm.solve(qm.Network([qm.QueueingStation("a")], [qm.OpenClass("o", 1.0)], [[0.5]])))
assert not [m for m in sys.modules if m.partition(".")[0] == "numpy"]
try:
    solution.throughput
except ImportError as error:
    print(error)
"""
)


def test_imports_tables_and_help_load_nothing_heavy():
    script = f"""
import sys
import qmodel
qmodel.solve
{LOADED}
from calibration.printed_tables.table import load_table
load_table("notes31/table_4_2")
{LOADED}
from advisor.cli import main
for arguments in (["--help"], ["--version"]):
    sys.argv = ["qmodel", *arguments]
    try:
        main()
    except SystemExit as end:
        assert not end.code, end.code
sys.stdout = sys.__stdout__
{LOADED}
"""
    outcome = python("-c", script)
    assert outcome.err == ""
    assert "Usage: qmodel" in outcome.out
    assert outcome.out.splitlines().count("[]") == 3


def test_one_class_is_built_solved_and_printed_without_numpy():
    outcome = python("-c", ONE_CLASS)
    assert (outcome.code, outcome.err) == (0, "")
    for words in ("numpy is refused", "response time", "bottleneck: cpu"):
        assert words in outcome.out
    assert "arrays need numpy" in outcome.out


def test_the_command_solves_one_class_without_numpy(written):
    path = written(
        "model.toml",
        '[[station]]\nname = "cpu"\nkind = "queueing"\n'
        '[[class]]\nname = "edit"\npopulation = 9\nthink_time = "5 s"\ndemand = {cpu = "0.5 s"}\n',
    )
    script = f"sys.argv = ['qmodel', 'solve', {str(path)!r}]\nfrom advisor.cli import main\nmain()"
    outcome = python("-c", f"{WITHOUT_NUMPY}\n{script}")
    assert (outcome.code, outcome.err) == (0, "")
    assert "bottleneck: cpu" in outcome.out


def test_several_classes_load_numpy_only_when_asked():
    script = f"""
import qmodel as qm
network = qm.Network(
    [qm.QueueingStation("cpu"), qm.QueueingStation("disk")],
    [qm.ClosedClass("a", 2), qm.ClosedClass("b", 3, 1.0)],
    [[1.0, 2.0], [0.5, 0.1]],
)
{LOADED}
x = qm.solve(network).throughput
assert x.shape == (2,)
{LOADED}
"""
    before, after = python("-c", script).out.splitlines()
    assert before == "[]"
    assert after == "['numpy']"
