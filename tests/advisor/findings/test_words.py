"""Numbers in words: rounding, units and intervals."""

from math import inf  # noqa: F401, named in the table

import pytest

from advisor.findings import words
from advisor.findings.records import Evidence
from calibration.estimation.data import NOT_MEASURED  # noqa: F401, named in the table
from calibration.estimation.interval import Range  # noqa: F401, named in the table
from tests.tables import asked, rows

MIB = 1024**2


@pytest.mark.parametrize(("said", "expected"), rows(__file__, "a_number_in_words"))
def test_a_number_in_words(said, expected):
    assert asked(said, globals() | vars(words)) == expected


def test_numbers_with_a_threshold_and_the_first_of_a_source_decide():
    busy = Evidence("utilization", 90.0, "%", "computed", "a law", 80.0)
    speed = Evidence("speed", 1.2, "1", "computed", "a law")
    printed = [Evidence(name, 1.0, "s", "measured", "a paper") for name in ("one", "two")]
    assert [e.metric for e in words.deciding([busy, speed, *printed])] == ["utilization", "one"]
    assert words.deciding([speed]) == (speed,)
