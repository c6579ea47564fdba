"""A part of scripts/coverage_study.py: intervals hold as often as they say."""

from calibration.structures import STRUCTURES
from scripts import coverage_study as study

#: The quick ones; the study itself takes all.
QUICK = [s.name for s in STRUCTURES if s.name != "load-dependent speed"]


def test_parameters_lie_in_their_95_percent_intervals():
    inside = []
    for i in range(14):
        found = study.cover(9_000_000 + i, QUICK[i % len(QUICK)])
        inside += [each for _, each in found]
    # Some 42 parameters: 95 % give or take three of their standard deviations.
    assert 30 < len(inside) < 60
    assert 0.85 < sum(inside) / len(inside) <= 1.0


def test_one_more_run_lies_in_its_90_percent_interval():
    inside = []
    for i in range(2):
        found, widths, _ = study.hold_out(9_200_000 + i, ["product form", "hidden delay"][i % 2])
        inside += found
        assert all(0.0 < width < 0.2 for width in widths)
    assert sum(inside) / len(inside) > 0.7
