"""SCH003: searching without an index."""

import pytest

from advisor.rule_support.rule import LABEL
from tests.advisor.cases import ask
from tests.advisor.speaking import searching


def test_the_three_measurements_are_named():
    (found,) = ask("SCH003", searching())
    assert [e.value for e in found.evidence] == pytest.approx([68.6, 14.8, 75.4])
    assert {e.how for e in found.evidence} == {"measured"}
    assert LABEL in found.message
    assert found.options == ()
