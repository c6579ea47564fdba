"""What is imported when: a fast start, and one class solved where NumPy is absent."""

import sys

from tests.cli.conftest import python

HEAVY = ("numpy", "pandas", "scipy", "sympy", "networkx", "pydantic", "pint")
LOADED = f"import sys; print([m for m in {HEAVY} if m in sys.modules])"

#: A finder that refuses NumPy, as an interpreter without it does.
WITHOUT_NUMPY = """
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "numpy":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Refuse())
"""

ONE_CLASS = (
    WITHOUT_NUMPY
    + """
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


def test_import_qmodel_loads_nothing_heavy():
    outcome = python("-c", f"import qmodel; qmodel.solve; {LOADED}")
    assert (outcome.out, outcome.err) == ("[]\n", "")


def test_import_of_the_command_loads_nothing_heavy():
    outcome = python("-c", f"import advisor, advisor.cli; {LOADED}")
    assert (outcome.out, outcome.err) == ("[]\n", "")


def test_help_loads_nothing_heavy():
    script = f"""
import sys
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
    assert outcome.out.splitlines()[-1] == "[]"


def test_one_class_is_built_solved_and_printed_without_numpy():
    outcome = python("-c", ONE_CLASS)
    assert (outcome.code, outcome.err) == (0, "")
    assert "response time" in outcome.out
    assert "bottleneck: cpu" in outcome.out
    assert "arrays need numpy" in outcome.out


def test_the_refusal_refuses():
    outcome = python("-c", WITHOUT_NUMPY + "import numpy")
    assert outcome.code == 1
    assert "No module named 'numpy'" in outcome.err


def test_the_command_solves_one_class_without_numpy(tmp_path):
    path = tmp_path / "model.toml"
    path.write_text(
        '[[station]]\nname = "cpu"\nkind = "queueing"\n'
        '[[class]]\nname = "edit"\npopulation = 9\nthink_time = "5 s"\ndemand = {cpu = "0.5 s"}\n'
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


def test_help_is_quick():
    """CPU time of the help over that of a bare import of the libraries it cannot do without."""
    measure = (
        "import resource, subprocess, sys\n"
        "def spent(*a):\n"
        "    before = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "    subprocess.run([sys.executable, *a], capture_output=True, check=True)\n"
        "    after = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime\n"
        "help = min(spent('-m', 'advisor.cli', '--help') for _ in range(3))\n"
        "bare = min(spent('-c', 'import typer, rich.console') for _ in range(3))\n"
        "print(help, bare)\n"
    )
    if sys.platform == "win32":
        return
    spent, bare = map(float, python("-c", measure).out.split())
    assert spent < bare + 0.10
