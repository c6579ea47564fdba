"""``qmodel rules --coverage``: what the papers recommend, and what the rules make of it."""

import re

from advisor.coverage import load_recommendations


def test_it_names_every_recommendation(run):
    found = run("rules", "--coverage", "--all")
    assert found.code == 0
    for row in load_recommendations():
        assert row.id in found.out
    assert re.search(r"77 recommendations, \d+ covered by a rule", found.out)
