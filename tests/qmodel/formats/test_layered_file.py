"""Layered models in files: what is read, what is refused, and the way back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import qmodel as qm
import tests.strategies  # noqa: F401, loads the suite's profile of hypothesis
from qmodel.documents.document import parse_document
from qmodel.formats.layered_file import layered_of

MODEL = qm.Layered(
    [qm.Users("clients", 60, 1.0, {"page": 1, "help": 0.5})],
    [
        qm.Service("web", [qm.Entry("page", 0.02, {"get": 2}, fixed=True),
                           qm.Entry("help", 0.01, forwards={"get": 0.25})], 8, "app"),
        qm.Service("pool", [qm.Entry("get", 0.0, {"query": 1.5})], 4),
        qm.Service("db", [qm.Entry("query", 0.015)], None, "db"),
    ],
    [qm.Processor("app", 4, 1.5), qm.Processor("db", None)],
)  # fmt: skip
TEXT = qm.layered_text(MODEL)


@pytest.mark.parametrize("form", ["toml", "json"])
def test_it_is_read_back_as_it_was(tmp_path, form):
    path = tmp_path / f"model.{form}"
    path.write_text(qm.layered_text(MODEL, form), encoding="utf-8")
    assert qm.load_model(path) == MODEL
    with pytest.raises(qm.FileError, match="a layered model, not a queueing network"):
        qm.load_network(path)


@given(st.floats(0.0, 1e6), st.floats(1e-3, 1e3), st.integers(1, 10**6))
def test_numbers_lose_no_digit(think, demand, users):
    model = qm.Layered([qm.Users("u", users, think, {"e": 1.25})],
                       [qm.Service("s", [qm.Entry("e", demand)])])  # fmt: skip
    assert layered_of(parse_document(qm.layered_text(model))) == model


@pytest.mark.parametrize(("old", "new", "problem"), [
    ('processor = "app"', 'processor = "ap"', 'service[0].processor: no processor "ap"'),
    ("get = 2.0", "got = 2.0", 'entry[0].calls.got: no entry "got"'),
    ("query = 1.5", "page = 1.5", "in a circle: web -> pool -> web"),
    ("threads = 8", "threads = 0", "service[0].threads"),
    ('service = "db"', 'service = "pool"', "service[2]: has no entry"),
    ("get = 0.25", "get = 1.25", "entry[1].forwards.get"),
    ("calls = { page = 1.0, help = 0.5 }", "calls = {}", "users[0].calls"),
    ("population = 60", "population = 0.5", "users[0].population"),
])  # fmt: skip
def test_a_mistake_is_one_line(old, new, problem):
    assert old in TEXT
    with pytest.raises(qm.FileError) as caught:
        layered_of(parse_document(TEXT.replace(old, new, 1), path="m.toml"))
    assert problem in str(caught.value)
