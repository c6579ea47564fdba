"""``qmodel audit``: its JSON, its exit codes, and what it prints."""

import json

from calibration.printed_tables.table import sources
from tests.advisor.configurations import ROOT

CONSISTENT = ROOT / "examples" / "load_test.csv"
DOUBTFUL = ROOT / "examples" / "load_test_doubtful.csv"


def data(outcome):
    return json.loads(outcome.out)


def test_a_consistent_table(run):
    outcome = run("audit", CONSISTENT)
    assert (outcome.code, outcome.err) == (0, "")
    assert "no contradiction" in outcome.out
    assert "not applicable: class mix" in outcome.out
    assert data(run("audit", CONSISTENT, "--json"))["contradictions"] == []


def test_a_doubtful_table(run):
    outcome = run("audit", DOUBTFUL, "--json")
    assert (outcome.code, outcome.err) == (1, "")
    found = data(outcome)["contradictions"]
    assert {each["law"]: each["lines"] for each in found} == {
        "utilization law": [6], "Little's law": [9], "units": [8],
    }  # fmt: skip
    for each in found:
        assert {"law", "rows", "size", "message"} <= set(each)
        assert each["size"] > 4
        assert each["rows"] == [f"line {each['lines'][0]}"]
        assert each["resolves"]
        assert all(place["table"].endswith("doubtful.csv") for place in each["places"])
    (audit,) = data(outcome)["audits"]
    assert audit["tests"] > 20
    assert audit["threshold"] > 3
    assert {each["law"] for each in audit["not_applicable"]} >= {"class mix", "percentages"}


def test_a_doubtful_table_in_the_terminal(run):
    outcome = run("audit", DOUBTFUL)
    assert outcome.code == 1
    for words in ("3 contradictions", "line 6", "resolves it:", "standard errors", "8 times"):
        assert words in outcome.out


def test_more_noise_silences_it(run):
    assert run("audit", DOUBTFUL, "--noise", "100").code == 0


def test_all_shipped_tables(run):
    outcome = run("audit", "--all", "--json")
    assert (outcome.code, outcome.err) == (1, "")
    found = data(outcome)
    errata = {name for each in found["contradictions"] for name in each["errata"]}
    assert errata >= {
        "E-N95-02", "E-N95-08", "E-D09-01", "E-D09-02", "E-D09-03", "E-I46-01",
        "E-R00-01",
    }  # fmt: skip
    missed = {each["id"] for audit in found["audits"] for each in audit["errata_not_found"]}
    assert [each["name"] for each in found["audits"]] == list(sources())
    assert not errata & missed
    assert len(errata | missed) == 54
    # A unit of another dimension is a contradiction of kind, without a size.
    assert [each["law"] for each in found["contradictions"] if each["size"] is None] == ["units"]
