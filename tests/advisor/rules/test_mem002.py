"""MEM002: what the mail agent needs by threads and connections."""

import pytest

from calibration.systems.groupwise52.memory import rule_of_thumb
from tests.advisor.cases import ask
from tests.advisor.configurations import example
from tests.advisor.speaking import NETBENCH


def agent(users: int, memory: str, **server):
    server = {"memory": memory, **server}
    return example(NETBENCH, server=server, workload={"users": users})


def test_the_example_of_the_manual():
    (found,) = ask("MEM002", agent(500, "96 MiB"))
    need = next(e for e in found.evidence if e.metric == "memory by the rule of thumb")
    assert need.value == pytest.approx(117.0, rel=1e-12)  # 8 + 42 x 2 + 500 x 0.05
    there = next(e for e in found.evidence if e.metric == "memory of the server")
    assert (there.value, there.threshold) == pytest.approx((100.663296, 117.0), rel=1e-12)
    assert "96 MB are 101 million bytes, less than the 117.0 million" in found.message
    assert "not 1 MB a user" in found.message


@pytest.mark.parametrize(
    ("users", "row", "printed"),
    [
        (100, "100", 42),
        (250, "250", 104),
        (500, "500", 116),
        (1000, "1000", 137),
        (760, "1000", 137),
    ],
)
def test_the_nearest_row_of_table_1_stands_beside(users, row, printed):
    (found,) = ask("MEM002", agent(users, "64 MB"))
    measured = next(e for e in found.evidence if e.how == "measured")
    assert measured.value == printed
    assert measured.source.endswith(f"row {row}")


@pytest.mark.parametrize(("memory", "fires"), [("116999999 bytes", True), ("117 MB", False)])
def test_boundary(memory, fires):
    """117 MB of the paper are 117 million bytes; a configuration's are larger."""
    assert bool(ask("MEM002", agent(500, memory))) is fires


def test_threads_given_are_counted():
    assert ask("MEM002", agent(100, "42 MiB", threads=14)) == []
    (found,) = ask("MEM002", agent(100, "40 MB", threads=15))
    need = rule_of_thumb().need({"thread": 15, "connection": 100}) / 1e6
    assert found.evidence[1].value == pytest.approx(need)


def test_what_is_offered_can_be_bought():
    (found,) = ask("MEM002", agent(500, "96 MiB"))
    (option,) = found.options
    assert option.change.settings == ((("server", "memory"), "128 MB"),)
    assert "111.6 MB are needed" in option.change.title
