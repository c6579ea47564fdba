"""One class needs no arrays: with numpy out of reach, models are built, solved and printed."""

import subprocess
import sys

SCRIPT = """
import sys

sys.modules["numpy"] = None  # importing it now raises ImportError
from qmodel import (
    ClosedClass, DelayStation, LoadDependentStation, Network, QueueingStation, bounds, curve, solve,
)

stations = [QueueingStation("cpu"), QueueingStation("disks", 4), DelayStation("lan")]
users = ClosedClass("users", 30, 5.0)
single = Network(stations[::2], [users], [0.3, 0.1])
several = Network(stations, [users, ClosedClass("nobody", 0, 1.0)], [[0.3, 0.9, 0.1], [1, 1, 1]])
rates = Network([LoadDependentStation("array", [1.0, 1.7, 2.2])], [users], [0.3])
for network in (single, several, rates):
    print(solve(network))
    print(solve(network.with_population(2000, *[0] * (len(network.classes) - 1))))
    print(solve(network, "convolution").to_dict())
    print(bounds(network))
    print(curve(network, range(40), vary="users")[39])
print(solve(single, "bard-schweitzer"))
assert sys.modules["numpy"] is None
"""


def test_one_class_needs_no_numpy():
    found = subprocess.run(
        [sys.executable, "-W", "error", "-c", SCRIPT], capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stderr
    assert "bottleneck: array" in found.stdout


def test_importing_loads_nothing_heavy():
    heavy = {"numpy", "pandas", "scipy", "sympy", "networkx", "pydantic", "pint"}
    script = f"import qmodel, sys; print(sorted({heavy!r} & set(sys.modules)))"
    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "[]"
