"""A chart: where things are drawn, what it says, and that no name becomes markup."""

import re
from itertools import pairwise
from math import nan
from xml.etree import ElementTree as ET

import pytest

from qmodel.errors import InvalidInput
from qmodel.pictures.chart import BOTTOM, LEFT, RIGHT, TOP, Chart, Line, Mark, round_numbers
from qmodel.pictures.plot import png

RISING = Line("time", [(0.0, 0.0), (5.0, 1.0), (10.0, 4.0)])


def drawn(**more):
    chart = Chart("from 0 to 4", "users", "time [s]", [RISING], top=5.0, **more)
    return ET.fromstring(chart.picture.svg)


def numbers(path):
    return [float(each) for each in re.findall(r"[\d.]+", path)]


def test_a_line_goes_from_corner_to_height():
    (path,) = drawn().iter("path")
    middle, up = (LEFT + RIGHT) / 2, BOTTOM - TOP
    ends = [LEFT, BOTTOM, middle, BOTTOM - up / 5, RIGHT, BOTTOM - up * 4 / 5]
    assert numbers(path.get("d")) == pytest.approx(ends, abs=0.06)


def test_a_line_is_broken_where_nothing_is_known():
    line = Line("time", [(0, 1), (1, 2), (2, nan), (3, 1), (4, 2)])
    (path,) = ET.fromstring(Chart("a", "x", "y", [line]).picture.svg).iter("path")
    assert path.get("d").count("M") == 2
    assert "nan" not in path.get("d")


def test_a_band_goes_forth_above_and_back_below():
    line = Line("time", [(0, 1), (1, 2)], [(0, 0.5, 1.5), (1, 1.5, 2.5)])
    band, _ = ET.fromstring(Chart("a", "x", "y", [line], top=5.0).picture.svg).iter("path")
    heights = numbers(band.get("d"))[1::2]
    up = (BOTTOM - TOP) / 5
    assert heights == pytest.approx([BOTTOM - up * y for y in (1.5, 2.5, 1.5, 0.5)], abs=0.06)


def test_the_region_ends_where_it_ends():
    (region,) = drawn(region=(0.0, 5.0, "targets hold")).iter("rect")
    assert float(region.get("x")) == LEFT
    assert float(region.get("width")) == pytest.approx((RIGHT - LEFT) / 2, abs=0.06)
    # One that goes on beyond the picture ends with it.
    (region,) = drawn(region=(0.0, 50.0, "targets hold")).iter("rect")
    assert float(region.get("width")) == pytest.approx(RIGHT - LEFT, abs=0.06)


def test_marks_are_named_where_they_are_and_above_each_other():
    marks = [Mark(10.0, "you are here", 4.0, (3.0, 4.5)), Mark(0.5, "limit")]
    root = drawn(marks=marks, level=(2.0, "target 2 s"))
    (dot,) = root.iter("circle")
    assert (float(dot.get("cx")), float(dot.get("cy"))) == (
        RIGHT,
        pytest.approx(BOTTOM - (BOTTOM - TOP) * 4 / 5, abs=0.06),
    )
    said = {each.text: each for each in root.iter("text")}
    assert said["you are here"].get("text-anchor") == "end"
    assert said["limit"].get("text-anchor") == "start"
    assert float(said["you are here"].get("y")) < float(said["limit"].get("y"))
    assert "target 2 s" in said


def test_several_lines_are_named_and_one_is_not():
    two = [RISING, Line("<b>other</b>", [(0, 1), (10, 2)])]
    root = ET.fromstring(Chart("a", "x", "y", two).picture.svg)
    assert {"time", "<b>other</b>"} <= {each.text for each in root.iter("text")}
    assert not list(root.iter("b"))
    assert "time" not in {each.text for each in drawn().iter("text")}
    dashes = [re.search(r"stroke-dasharray: ([^;]*)", p.get("style"))[1] for p in root.iter("path")]
    assert len(set(dashes)) == 2


def test_one_point_alone_and_none_at_all():
    assert Chart("a", "x", "y", [Line("one", [(3.0, 1.0)])]).span == (2.5, 3.5)
    with pytest.raises(InvalidInput, match="needs a point"):
        Chart("a", "x", "y", [Line("none", [])]).span  # noqa: B018


def test_the_highest_has_room_above_it():
    assert Chart("a", "x", "y", [RISING], level=(9.0, "target")).height > 9.0
    assert Chart("a", "x", "y", [Line("idle", [(0, 0), (1, 0)])]).height == 1.0


@pytest.mark.parametrize("ends", [(0.0, 0.003), (0.0, 7.0), (1.0, 977.0), (0.0, 1.0e6)])
def test_round_numbers_are_some_and_within(ends):
    found = round_numbers(*ends)
    assert 4 <= len(found) <= 11
    assert ends[0] <= found[0]
    assert found[-1] <= ends[1]
    steps = {round((b - a) / (found[1] - found[0]), 6) for a, b in pairwise(found)}
    assert steps == {1.0}


def test_a_png_keeps_its_words():
    band = Line("other", [(0, 1), (10, 2)], [(0, 0.5, 1.5), (10, 1.5, 2.5)])
    made = png(Chart("what it shows", "x", "y", [RISING, band], [Mark(5.0, "knee")]))
    assert made.startswith(b"\x89PNG")
    assert b"what it shows" in made
