"""What rules share, one number each."""

from math import inf  # noqa: F401, named in the table

import pytest

from advisor.findings.words import MIB  # noqa: F401, named in the table
from advisor.planning.effects import relative_change  # noqa: F401, named in the table
from advisor.predicting.overload import offered_loads  # noqa: F401, named in the table
from advisor.rule_support.evidence import change, printed  # noqa: F401, named in the table
from advisor.rule_support.rule import Rule, documented  # noqa: F401, named in the table
from advisor.rule_support.shared_options import next_size  # noqa: F401, named in the table
from advisor.rules.test002_short_test import needed  # noqa: F401, named in the table
from advisor.scheduling.day import Day  # noqa: F401, named in the table
from qmodel import Network, OpenClass, QueueingStation  # noqa: F401, named in the table
from tests.tables import asked, rows


@pytest.mark.parametrize(("found", "expected"), rows(__file__, "a_shared_number"))
def test_a_shared_number(found, expected):
    assert asked(found, globals()) == asked(expected, globals())
