"""A pasted table of measured runs: read as the library reads it, and kept in the page."""

from __future__ import annotations

import json
import math

import pytest
from conftest import Watched
from dials import pasted_csv
from playwright.sync_api import Locator
from test_dials import open_dial, values_of

from calibration.recordings.user_table import parse_user_table
from qmodel.errors import FileError

GOOD = {
    "by Little's law": "users,response_time [s],think_time [s],cpu\n1,0.5,2,20\n8,2.125,2,97\n",
    "think time from throughput": (
        "n,throughput [1/min],response [ms],Utilization:Disk (fraction)\n"
        "1,24,500,0.2\n40,119.9,18016.7,.999\n"
    ),
    "quotation marks, comments, gaps": (
        "# a test\r\nconfiguration,users,think time [s],throughput (per s),cpu,servers:cpu\r\n"
        '"a, b",1,2,0.4,10.0,2\r\n\r\nc,4,2 s,"1,300e-3",34.45,2\r\nd,8,2,n/a,48.5,2\r\n'
    ),
    "two stations": (
        "users,throughput [1/s],response_time [s],cpu,utilization:disk [%]\n"
        "10,3.1,1.2,31,55.8\n20,4.9,2.1,48.9,89\n30,5.4,3.6,53.8,97\n"
    ),
}

#: What is wrong, and line and column; None where the library gives no column either.
BAD = {
    "users,cpu,throughput [1/s]\n10,57,3\n20,abc,4\n": (3, 2, "expected a number"),
    "users,cpu,throughput [1/s]\n10,57,3\n20,88\n": (3, 3, "2 cells, expected 3"),
    "users,cpu,throughput [1/s]\n10,57,3\n20,188,4\n": (3, 2, "above 100 % for 1 CPU"),
    "users,cpu,throughput [1/s]\n10,57,3\n-20,88,4\n": (3, 1, "must not be negative, got -20"),
    "users,cpu,throughput [1/s]\n10.5,57,3\n20,88,4\n": (2, 1, "must be a whole number"),
    'users,cpu,throughput [1/s]\n10,57,3\n20,"8,8",4\n': (3, 2, "write 8.8"),
    "users,cpu,throughput\n10,57,3\n20,88,4\n": (1, 3, '"throughput" has no unit'),
    "users,cpu,throughput [1/d]\n10,57,3\n20,88,4\n": (1, 3, 'unknown unit "1/d"'),
    "users,cpu,thruput [1/s]\n10,57,3\n20,88,4\n": (1, 3, 'unknown column "thruput [1/s]"'),
    "users,utilization [%],throughput [1/s]\n10,57,3\n": (1, 2, "names no station"),
    "users,cpu,cpu\n10,57,3\n": (1, 3, "repeats column 2"),
    "users,cpu,throughput [1/s]\n": (1, None, "no rows behind the header"),
    'users,cpu,throughput [1/s]\n10,57,"3\n': (2, None, ""),
}
#: What the library refuses only when it looks at the numbers, or reads and the dial does not.
UNFIT = {
    "users;cpu;throughput [1/s]\n10;57;3\n": "separated by semicolons",
    "": "a header is needed",
    "users,cpu,throughput [1/s]\n10,57,3\n": "at least two are needed",
    "users,cpu,throughput [1/s]\n10,57,3\n20,88,4\n": "think_time nor response_time was measured",
    "users,throughput [1/s],think_time [s]\n10,3,1\n20,4,1\n": "o utilization was measured",
    "users,cpu,throughput [1/s],response_time [s]\n10,57,3,1\n20,88,4,9\n": "come round in 5 s",
}


@pytest.fixture
def figure(watched: Watched) -> Locator:
    return open_dial(watched, "pasted_csv")


def paste(figure: Locator, text: str) -> str:
    """The sentence that answers it."""
    figure.locator("textarea").fill(text)
    return figure.locator(".dial-sentence").inner_text()


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD)
def test_numbers_are_the_librarys_to_the_last_bit(figure: Locator, text: str) -> None:
    said = paste(figure, text)
    state = json.loads(figure.locator(".dial-stage").get_attribute("data-current") or "{}")
    assert state["csv"] == text.replace("\r\n", "\n")
    found = values_of(figure)
    assert found == pasted_csv.values(state)
    assert all(math.isfinite(value) for value in found.values())
    assert "an answer takes" in said


@pytest.mark.parametrize("text", BAD)
def test_a_wrong_cell_is_named_by_line_and_column(figure: Locator, text: str) -> None:
    line, column, why = BAD[text]
    said = paste(figure, text)
    assert "\n" not in said
    assert why in said
    assert said.startswith(f"Line {line}, column {column}" if column else f"Line {line}")
    assert values_of(figure) == {}
    with pytest.raises(FileError) as caught:
        parse_user_table(text)
    assert caught.value.line == line
    assert caught.value.column == column


@pytest.mark.parametrize("text", UNFIT)
def test_too_little_gets_a_sentence(figure: Locator, text: str) -> None:
    said = paste(figure, text)
    assert UNFIT[text] in said
    assert "\n" not in said
    assert values_of(figure) == {}
    figure.get_by_role("button", name="Reset").click()
    assert "an answer takes" in figure.locator(".dial-sentence").inner_text()


def test_nothing_pasted_leaves_the_page(watched: Watched) -> None:
    figure = open_dial(watched, "pasted_csv")
    watched.page.wait_for_load_state("networkidle")
    asked: list[str] = []
    watched.page.on("request", lambda request: asked.append(request.url))
    paste(figure, GOOD["two stations"].replace("disk", "secret"))
    figure.locator("input[type=range]").press("PageUp")
    watched.page.wait_for_function("location.search.length > 1")
    assert "secret" in figure.inner_text()
    assert "secret" not in watched.page.url
    assert "=users" not in watched.page.url
    assert not [url for url in asked if not url.endswith("favicon.svg")]
    stored = watched.page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
    assert "secret" not in stored
    assert not watched.faults
