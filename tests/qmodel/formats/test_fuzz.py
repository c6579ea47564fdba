"""Whatever a file holds: a network, or one line that says what is wrong. Nothing else, soon."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.strategies  # noqa: F401, loads the suite's profile of hypothesis
from qmodel import FileError, Network
from qmodel.documents.document import parse_document, read_document
from qmodel.formats.model_file import network_of, network_text
from tests.qmodel.formats.test_model_file import MODEL, NETWORK

TEXTS = {"toml": MODEL, "json": network_text(NETWORK, "json")}
PIECES = [
    "[", "]", "{", "}", "[[", "]]", '"', '"""', "'", "\\", "=", ":", ",", ".", "#", "\n", "\r",
    "\0",
    "nan", "inf", "NaN", "-Infinity", "1e999", "-1", "0", "1.5", "true", "null", '"68 s"', '"5 MB"',
    '"s"', "\\ud800", "\\u0000", "\ufeff", "é", "name", "station", "class", "a.b.c", "2001-01-01",
    "99999999999999999999999", "_", " ", "\u2028", "\x1b[31m",
]  # fmt: skip


def check_answer(call):
    """A network, or lines fit for a terminal, in time."""
    started = time.process_time()
    try:
        answer = call()
    except FileError as error:
        answer = (error, *error.others)
    assert time.process_time() - started < 5
    if isinstance(answer, Network):
        return
    for error in answer:
        assert str(error).startswith(error.path)
        assert str(error).isprintable()
        assert len(str(error)) < 2000
        assert error.problem


@pytest.mark.parametrize("name", ["x.toml", "x.json"])
@given(content=st.binary(max_size=200))
def test_random_bytes(tmp_path_factory, name, content):
    path = tmp_path_factory.getbasetemp() / name
    path.write_bytes(content)
    check_answer(lambda: network_of(read_document(path)))


@pytest.mark.parametrize("file_format", TEXTS)
@given(data=st.data())
def test_a_model_with_a_few_pieces_changed(file_format, data):
    text = TEXTS[file_format]
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 20)))
        piece = data.draw(st.sampled_from(PIECES) | st.just(text[end : end + 10]))
        text = text[:start] + piece + text[end:]
    check_answer(lambda: network_of(parse_document(text, file_format, "F")))


@pytest.mark.parametrize("file_format", TEXTS)
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=30))
def test_pieces_of_syntax(file_format, pieces):
    check_answer(lambda: network_of(parse_document("".join(pieces), file_format, "F")))


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda v: st.lists(v, max_size=3) | st.dictionaries(st.text(max_size=5), v, max_size=3),
)
_keys = ["name", "kind", "servers", "rates", "population", "think_time", "arrival_rate", "demand",
         "visits", "service_time", "station", "class"]  # fmt: skip


@given(data=st.data())
def test_values_of_any_kind_in_any_place(data):
    model = json.loads(TEXTS["json"])
    table = data.draw(st.sampled_from([model, *model["station"], *model["class"]]))
    table[data.draw(st.sampled_from(_keys))] = data.draw(_json)
    check_answer(lambda: network_of(parse_document(json.dumps(model), "json", "F")))
