"""MEM004: memory for view rebuilds."""

from advisor import review
from tests.advisor.cases import ask, skipped
from tests.advisor.configurations import example, measured
from tests.advisor.speaking import DOMINO_46


def test_memory_is_tried_and_rejected():
    found = review(example(DOMINO_46))
    (advice,) = (a for a in (*found.advice, *found.rejected) if a.rule == "MEM004")
    assert advice.option.change.settings == ((("server", "memory"), "1024 MB"),)
    assert advice.rejected.startswith("changes nothing")
    assert all(e.change.mid == 0.0 for e in advice.effect)


def test_it_names_what_is_doubtful():
    (found,) = ask("MEM004", example(DOMINO_46))
    assert "E-I46-04" in found.evidence[0].source


def test_without_a_rebuild_there_is_nothing_to_say():
    assert ask("MEM004", example(DOMINO_46, batch=[])) == []


def test_other_systems_did_not_try():
    assert ask("MEM004", measured()) == []


def test_skipped_without_memory():
    assert skipped("MEM004", example(DOMINO_46, server={"memory": None}))[0] == "no-evidence"
