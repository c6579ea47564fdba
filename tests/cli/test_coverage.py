"""``qmodel rules --coverage``: what the papers recommend, and what the rules make of it."""

import json
import re

from advisor.coverage import load_recommendations
from advisor.coverage.outcome import is_applicable


def test_it_names_every_recommendation(run):
    found = run("rules", "--coverage", "--all")
    assert found.code == 0
    for row in load_recommendations():
        assert row.id in found.out
    assert re.search(r"77 recommendations, \d+ covered by a rule", found.out)


def test_it_prints_all_of_it_for_programs(run):
    data = json.loads(run("rules", "--coverage", "--json").out)
    assert len(data["recommendations"]) == 77
    rows = load_recommendations()
    reproduced = [
        each["reproduced"]
        for each, row in zip(data["recommendations"], rows, strict=True)
        if is_applicable(row)
    ]
    assert data["tally"]["reproduced"] == sum(reproduced)
    assert data["tally"]["applicable"] == len(reproduced)
