"""MEM001: less memory than the source needed, 64 MB."""

import pytest

from advisor import review
from tests.advisor.cases import ask
from tests.advisor.configurations import EXAMPLES, batch, example, measured


@pytest.mark.parametrize(
    ("task", "level"), [(None, "note"), ("mail", "note"), ("replicate_write", "error")]
)
def test_too_little_memory_is_an_error_where_something_replicates(task, level):
    """Replication is what the source saw fail; it may run at night."""
    tasks = [batch("night work", ("22:00", "06:00"), task=task)] if task else []
    (found,) = ask("MEM001", measured(server={"memory": "32 MB"}, batch=tasks))
    assert (found.level, found.key) == (level, ("server", "memory"))


REPLICATES = batch("night work", ("22:00", "06:00"), task="replicate_write")


def test_the_documented_size_is_offered():
    (found,) = ask("MEM001", measured(server={"memory": "32 MB"}, batch=[REPLICATES]))
    (option,) = found.options
    assert option.change.settings == ((("server", "memory"), "64 MB"),)
    assert option.benefit
    assert {e.how for e in found.evidence} == {"given", "measured"}


@pytest.mark.parametrize(
    ("memory", "fires"),
    [
        ("65535 KB", True),
        ("67108863 bytes", True),
        ("64 MB", False),
        ("64 MiB", False),
        ("67108864 bytes", False),
        ("65537 KB", False),
        ("1 GB", False),
    ],
)
def test_boundary(memory, fires):
    assert bool(ask("MEM001", measured(server={"memory": memory}))) is fires


def test_it_stays_advice_although_the_model_cannot_show_it():
    found = review(measured(server={"memory": "16 MB"}, batch=[REPLICATES]))
    (advice,) = found.advice
    assert advice.rule == "MEM001"
    assert [e.change.mid for e in advice.effect] == [0.0] * len(advice.effect)


def test_where_nothing_replicates_it_is_tried_and_not_bought():
    found = review(measured(server={"memory": "16 MB"}))
    assert not found.advice
    assert not found.plan.steps
    (tried,) = found.rejected
    assert (tried.rule, tried.reason) == ("MEM001", "too small")


@pytest.mark.parametrize(
    ("memory", "fires"), [("799 MB", True), ("800 MB", False), ("1.5 GB", False)]
)
def test_memory_for_each_user_where_the_source_has_it(memory, fires):
    """Domino 4.6: 1 MB for each of 800 users."""
    path = EXAMPLES / "domino46_mail_discussion.toml"
    found = ask("MEM001", example(path, server={"memory": memory}))
    assert bool(found) is fires
    for finding in found:
        assert finding.level == "warning"
        (option,) = finding.options
        assert option.change.settings == ((("server", "memory"), "1024 MB"),)
        assert option.change.title == "install 1024 MB; 800 MB are needed"


def test_what_the_source_tested_stands_beside_what_it_plans():
    """256 MB and 400 users are 0.64 MB each (E-I46-02)."""
    (found,) = ask("MEM001", example(EXAMPLES / "domino46_mail_discussion.toml"))
    each, tested = found.evidence[1:]
    assert (each.value, each.how) == (1.0, "measured")
    assert tested.value == pytest.approx(0.64)
    assert "E-I46-02" in found.message
