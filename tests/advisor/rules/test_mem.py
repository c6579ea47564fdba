"""MEM001 to MEM004: memory as the sources need it."""

import pytest

from advisor import predict, review
from calibration.systems.groupwise52.memory import rule_of_thumb
from tests.advisor.cases import ask, reviewed
from tests.advisor.configurations import EXAMPLES, batch, example, measured, quiet
from tests.advisor.speaking import DOMINO_46, NETBENCH
from tests.tables import rows

REPLICATES = batch("night work", ("22:00", "06:00"), task="replicate_write")


def test_it_stays_advice_although_the_model_cannot_show_it():
    (advice,) = review(measured(server={"memory": "16 MB"}, batch=[REPLICATES])).advice
    assert advice.rule == "MEM001"
    assert [e.change.mid for e in advice.effect] == [0.0] * len(advice.effect)


def test_where_nothing_replicates_it_is_tried_and_not_bought():
    found = review(measured(server={"memory": "16 MB"}))
    assert not found.advice
    assert not found.plan.steps
    (tried,) = found.rejected
    assert (tried.rule, tried.reason) == ("MEM001", "too small")


def test_what_the_source_tested_stands_beside_what_it_plans():
    """256 MB and 400 users are 0.64 MB each (E-I46-02)."""
    (found,) = ask("MEM001", example(EXAMPLES / "domino46_mail_discussion.toml"))
    each, tested = found.evidence[1:]
    assert (each.value, each.how) == (1.0, "measured")
    assert tested.value == pytest.approx(0.64)
    assert "E-I46-02" in found.message


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
    assert "not the 1 MB per user" in found.message


@pytest.mark.parametrize(
    ("users", "row", "printed"), rows(__file__, "the_nearest_row_of_table_1_stands_beside")
)
def test_the_nearest_row_of_table_1_stands_beside(users, row, printed):
    (found,) = ask("MEM002", agent(users, "64 MB"))
    measured = next(e for e in found.evidence if e.how == "measured")
    assert measured.value == printed
    assert measured.source.endswith(f"row {row}")


def test_threads_given_are_counted():
    assert ask("MEM002", agent(100, "42 MiB", threads=14)) == []
    (found,) = ask("MEM002", agent(100, "40 MB", threads=15))
    need = rule_of_thumb().need({"thread": 15, "connection": 100}) / 1e6
    assert found.evidence[1].value == pytest.approx(need)


def limited(places: int, users: int = 20, **user):
    user = {"cpu": "0.2 s", "disk_kb": 1000, "write_share": 0, **user}
    return quiet(server={"most_active": places}, workload={"users": users}, user=user)


def test_room_shortens_the_time_where_drives_idle_meanwhile():
    found = reviewed("MEM003", limited(2))
    (advice,) = (a for a in found.advice if a.rule == "MEM003")
    assert advice.effect[0].change.mid < -0.05


def test_no_memory_is_offered_that_would_not_help():
    (found,) = ask("MEM004", example(DOMINO_46))
    assert found.options == ()
    every = reviewed("MEM004", example(DOMINO_46))
    tried = (*every.advice, *every.trades, *every.rejected)
    assert not [a for a in tried if a.rule == "MEM004"]


def test_memory_changes_nothing_in_the_model_either():
    few, many = (
        predict(example(DOMINO_46, server={"memory": size})).outlook for size in ("1 GB", "64 GB")
    )
    assert few == many


def test_it_names_what_is_doubtful():
    (found,) = ask("MEM004", example(DOMINO_46))
    assert "E-I46-04" in found.evidence[0].source
