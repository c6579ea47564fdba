"""The line of every key: in these files each number is the line it stands on, or is unique."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.strategies  # noqa: F401, loads the suite's profile of hypothesis
from qmodel.documents.document import parse_document
from qmodel.documents.toml_text import toml_text

TOML = Path(__file__).with_name("test_lines.toml").read_text(encoding="utf-8")

JSON = """{
 "a": 2, "b": {"c": 3,
 "\\u0064\\n": [4,
  {"e":
6}, [6, 6], []]
 }, "text": "\\"x\\": 1", "none": null
}""".replace('"e":\n6', '"e":\n 5').replace("6, 6", "5, 5")


def leaves(value, path=()):
    if isinstance(value, dict):
        for key, member in value.items():
            yield from leaves(member, (*path, key))
    elif isinstance(value, list):
        for i, member in enumerate(value):
            yield from leaves(member, (*path, i))
    else:
        yield path, value


def test_every_key_of_a_toml_file_has_its_line():
    document = parse_document(TOML)
    numbers = [(path, n) for path, n in leaves(document.data) if isinstance(n, int)]
    assert len(numbers) == 25
    assert {path: document.line(path) for path, _ in numbers} == dict(numbers)
    assert document.line(("text",)) == 6
    assert document.line(("literal_text",)) is None
    assert document.line(("list", 1, "deeper", 0, "literal_text")) == 37


def test_tables_have_the_line_of_their_first_header():
    document = parse_document(TOML)
    lines = {
        ("table",): 20, ("table", "sub"): 22, ("table", "sub", "dot.ted"): 22,
        ("list",): 24, ("list", 0): 24, ("list", 0, "inner"): 26, ("list", 0, "deeper"): 28,
        ("list", 0, "deeper", 1): 30, ("list", 1): 32, ("inline", "d", 1): 11, ("dotted",): 2,
    }  # fmt: skip
    assert {path: document.line(path) for path in lines} == lines


def test_keys_that_are_not_there_have_no_line():
    document = parse_document(TOML)
    for path in [(), ("no",), ("list", 2), ("array", 7), ("table", "no"), ("schema", "x")]:
        assert document.line(path) is None


def test_an_error_stands_at_the_nearest_key_that_exists():
    document = parse_document(TOML, path="F")
    assert document.error(("list", 1, "no", "x"), "required").line == 32
    assert document.error(("no", "x"), "required").line is None


def test_every_key_of_a_json_file_has_its_line():
    document = parse_document(JSON, "json")
    numbers = [(path, n) for path, n in leaves(document.data) if isinstance(n, int)]
    assert len(numbers) == 6
    found = {path: document.line(path) for path, _ in numbers}
    assert found == {("a",): 2, ("b", "c"): 2, ("b", "d\n", 0): 3, ("b", "d\n", 1, "e"): 4,
                     ("b", "d\n", 2, 0): 5, ("b", "d\n", 2, 1): 5}  # fmt: skip
    assert document.line(("none",)) == 6


_keys = st.text("ab. \"'\\\n=[é", max_size=4)
_values = st.recursive(
    st.none(),
    lambda members: st.lists(members, max_size=3) | st.dictionaries(_keys, members, max_size=3),
)
_data = st.dictionaries(_keys, _values, min_size=1, max_size=4)


def numbered(value, count):
    """The same structure with a different number from 1000 on at every leaf."""
    if isinstance(value, dict):
        return {key: numbered(member, count) for key, member in value.items()}
    if isinstance(value, list):
        return [numbered(member, count) for member in value]
    count.append(value)
    return 1000 + len(count)


def line_of_number(text, number):
    (found,) = re.finditer(rf"\b{number}\b", text)
    return text.count("\n", 0, found.start()) + 1


@pytest.mark.parametrize("file_format", ["toml", "json"])
@given(data=_data)
def test_lines_of_random_files(file_format, data):
    data = numbered(data, [])
    text = toml_text(data) if file_format == "toml" else json.dumps(data, indent=1)
    document = parse_document(text, file_format)
    assert document.data == data
    for path, number in leaves(data):
        assert document.line(path) == line_of_number(text, number)
