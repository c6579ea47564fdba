"""What is a table is one in a notebook and a pandas frame; methods are compared side by side."""

import re
import sys
from xml.etree import ElementTree as ET

import pytest

import advisor  # noqa: F401, named in the table
import calibration as cal  # noqa: F401
import qmodel as qm
from tests.advisor.configurations import ROOT  # noqa: F401
from tests.tables import asked, rows

ODD = '<b>&"'
NETWORK = qm.Network(
    [qm.QueueingStation(ODD), qm.QueueingStation("disk")],
    [qm.ClosedClass("users", 3, 1.0), qm.ClosedClass("batch", 2)],
    [[0.2, 0.1], [0.1, 0.4]],
)
#: What makes each record, and the rows of its table.
TABLES = {name: asked(text, globals()) for name, text in rows(__file__, "tables")}


def rows_of(html):
    """The texts of the cells, row by row; every tag is closed, as XML wants it."""
    return [
        ["".join(cell.itertext()) for cell in row]
        for row in ET.fromstring(f"<div>{html}</div>").iter("tr")
    ]


@pytest.fixture(scope="module", params=TABLES)
def table(request):
    make, rows = TABLES[request.param]
    found = make()
    assert type(found).__name__ == request.param
    return found, rows


def test_the_frame_has_the_rows_the_notebook_shows(table):
    found, rows = table
    frame = found.to_frame()
    assert len(frame) == rows if rows else len(frame) > 1
    shown = rows_of(found._repr_html_())
    flat = frame.reset_index() if frame.index.name else frame
    assert shown[0] == [str(name) for name in flat.columns]
    assert len(shown) == 1 + min(25, len(frame))
    assert ("more rows: to_frame()" in found._repr_html_()) == (len(frame) > 25)


def test_it_can_be_read_on_a_dark_page(table):
    styles = " ".join(re.findall('style="(.*?)"', table[0]._repr_html_()))
    assert not re.search(r"#[0-9a-f]{3}|\b(black|white|gray|grey|rgb)\b", styles)
    assert "color:inherit" in styles


def test_names_are_escaped():
    html = NETWORK._repr_html_()
    assert ODD not in html
    assert rows_of(html)[1][1] == ODD


def test_without_pandas_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"^to_frame\(\) needs pandas; .*capacity\[frame\]'$"):
        NETWORK.to_frame()
    assert "<table" in NETWORK._repr_html_()


def test_a_sweep_on_disk_is_a_table(tmp_path):
    stored = qm.sweep(NETWORK, {"population.users": [1, 2]}, to=tmp_path / "users.csv")
    assert len(stored.to_frame()) == 2
    assert "2 points" in stored._repr_html_()


def test_methods_are_compared_with_the_exact_one():
    found = qm.compare(NETWORK, ["bard-schweitzer", "exact", "open"])
    assert found.reference is found.solutions["multiclass-mva"]
    frame = found.to_frame().set_index(["method", "class"])
    x = frame.loc[("bard-schweitzer", "users")]
    true = qm.solve(NETWORK, "exact")["users"]
    assert x["response_time_difference"] == pytest.approx(
        x["response_time"] / true.response_time - 1.0
    )
    assert not frame.loc["multiclass-mva"].filter(like="difference").to_numpy().any()
    assert found.to_dict()["refused"] == {"open": "class 'users' is closed"}
    assert str(found).startswith(f"{found._caption()}\n\nmethod ")
    assert "open: no answer, class 'users' is closed" in str(found)


def test_without_an_exact_method_the_first_is_the_reference():
    assert qm.compare(NETWORK, ["aql", "linearizer"]).reference.method == "aql"


@pytest.mark.parametrize(("methods", "error", "said"), rows(__file__, "refused"))
def test_what_cannot_be_compared_is_said(methods, error, said):
    error = asked(error, globals())
    with pytest.raises(error, match=said):
        qm.compare(NETWORK, methods)


@pytest.mark.parametrize("ask", [qm.percentiles, None])
def test_a_percentile_is_a_share(ask):
    def asked(share):
        if ask:
            return ask(qm.solve(NETWORK), share)
        return qm.simulate(NETWORK, events=2000, percentiles=share)

    assert tuple(asked(0.95).shares) == (0.95,)
    with pytest.raises(qm.InvalidInput, match=r"is 95, expected 0 <= p < 1; write 0\.95 for p95$"):
        asked(95)


def test_completion_shows_every_public_name_and_nothing_else():
    assert dir(qm) == sorted(qm.__all__)
    assert all(getattr(qm, name) is not None for name in dir(qm))
