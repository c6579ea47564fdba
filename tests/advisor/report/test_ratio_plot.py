"""The picture of predicted over measured: every number where it belongs, misses marked."""

import pytest
from matplotlib.colors import to_hex

from advisor.report.ratio_plot import draw_ratios
from calibration.agreements.comparison import Comparison
from calibration.agreements.published import Published
from calibration.estimation.interval import Range
from qmodel.pictures.picture import LIGHT
from qmodel.pictures.plot import sheet


def compared(measured: float, low: float, mid: float, high: float, metric: str) -> Comparison:
    number = Published("paper/table", "row", metric, "page 1", "s", measured, measured, 0.5)
    return Comparison(number, "edit", metric, "", "held out", "model", Range(low, mid, high))


def test_intervals_stand_over_the_measured_number() -> None:
    inside = compared(100.0, 90.0, 110.0, 120.0, "time")
    outside = compared(50.0, 10.0, 20.0, 30.0, "volume")
    with sheet("two numbers") as plot:
        draw_ratios(plot.axes, [inside, outside])
    assert [text.get_text() for text in plot.axes.texts] == ["edit, time", "edit, volume"]
    for container, ends, middle, tone in zip(
        plot.axes.containers,
        ((0.9, 1.2), (0.2, 0.6)),
        (1.1, 0.4),
        ("tone-1", "tone-2"),
        strict=True,
    ):
        dot, _, (bar,) = container.children if hasattr(container, "children") else container
        assert dot.get_xdata()[0] == pytest.approx(middle)
        assert to_hex(dot.get_color()) == LIGHT[tone]
        (segment,) = bar.get_segments()
        assert segment[:, 0] == pytest.approx(ends)


def test_names_and_numbers_do_not_share_a_line() -> None:
    with sheet("three numbers") as plot:
        draw_ratios(plot.axes, [compared(1.0, 0.9, 1.0, 1.1, m) for m in ("a", "a", "b")])
    lines = [text.get_position()[1] for text in plot.axes.texts]
    lines += [float(dots[0].get_ydata()[0]) for dots in plot.axes.containers]
    assert len(set(lines)) == 5
    low, high = plot.axes.get_ylim()
    assert all(high < line < low for line in lines)
