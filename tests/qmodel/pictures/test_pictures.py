"""Pictures: what a diagram says, that it is well-formed, and that nothing comes without words."""

from xml.etree import ElementTree as ET

import pytest

import qmodel as qm
from qmodel.pictures.picture import LIGHT
from qmodel.pictures.plot import sheet

NETWORK = qm.Network(
    stations=[
        qm.QueueingStation("cpu", 2), qm.QueueingStation("disk <1>"), qm.DelayStation("lan"),
        qm.QueueingStation("pool", 16), qm.LoadDependentStation("array", [1.0, 1.5]),
    ],
    classes=[qm.ClosedClass("edit & save", 20, 5.0), qm.OpenClass("mail", 0.5)],
    demand=[[0.2, 0.1, 0.05, 0.3, 0.1], [0.05, 0.1, 0.0, 0.2, 0.3]],
)  # fmt: skip


def test_diagram_names_every_class_station_and_demand() -> None:
    picture = qm.draw(NETWORK)
    texts = [t.text for t in ET.fromstring(picture.svg).iter("text")]
    for name in (*NETWORK.class_names, *NETWORK.station_names, "x 16", "0.2 / 0.05 s"):
        assert name in texts
        assert name in picture.alt or name.startswith(("x", "0.2"))


def test_solved_diagram_says_how_busy_and_fills_so_much() -> None:
    solution = qm.solve(NETWORK)
    picture = qm.draw(NETWORK, solution)
    share = solution.station_utilizations[1]
    assert f"station disk <1>: 1 server, 0.1 s, 0.1 s, {share:.0%} busy" in picture.alt
    bars = [
        float(r.get("width", "0"))
        for r in ET.fromstring(picture.svg).iter("rect")
        if "opacity" in r.get("style", "")
    ]
    assert bars[1] == pytest.approx(60 * share, abs=0.06)


def test_solution_of_another_network_is_refused() -> None:
    solution = qm.solve(NETWORK)
    with pytest.raises(qm.InvalidInput, match="another network"):
        qm.draw(NETWORK.with_population(3), solution)


def test_no_picture_without_words() -> None:
    with pytest.raises(qm.InvalidInput, match="alternative text"):
        qm.Picture("<svg ></svg>", " ")
    with pytest.raises(qm.InvalidInput, match="<svg"):
        qm.Picture("<div>", "a box")


def test_saved_picture_is_a_file_of_its_own(tmp_path) -> None:
    qm.draw(NETWORK).save(tmp_path / "net.svg")
    root = ET.parse(tmp_path / "net.svg").getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.get("aria-label") == qm.draw(NETWORK).alt


def test_plot_follows_the_page_and_is_the_same_each_time() -> None:
    def drawn() -> str:
        with sheet("two lines") as made:
            made.axes.plot([1, 2], [1, 2])
            made.axes.plot([1, 2], [2, 1])
        return made.picture.svg

    text = drawn()
    assert text == drawn()
    assert "var(--tone-1, #14505c)" in text
    assert "var(--tone-2, #b4460f)" in text
    assert not [c for n, c in LIGHT.items() if n != "paper" and f": {c}" in text]
