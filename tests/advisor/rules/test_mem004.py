"""MEM004: memory for view rebuilds."""

from advisor import predict
from tests.advisor.cases import ask, reviewed
from tests.advisor.configurations import batch, example
from tests.advisor.speaking import DOMINO_46


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


def test_it_needs_not_be_told_the_memory():
    assert ask("MEM004", example(DOMINO_46, server={"memory": None}))


def test_it_is_about_the_first_of_the_rebuilds():
    rebuild = {"task": "rebuild_view", "window": ["10:00", "12:00"]}
    tasks = [batch("other", cpu="1 s"), {"name": "a", **rebuild}, {"name": "b", **rebuild}]
    (found,) = ask("MEM004", example(DOMINO_46, batch=tasks))
    assert found.key == ("batch", 1, "name")
