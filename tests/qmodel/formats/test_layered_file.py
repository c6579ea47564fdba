"""Layered models in files: what is read, what is refused, and the way back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import qmodel as qm
import tests.strategies  # noqa: F401, loads the suite's profile of hypothesis
from qmodel.documents.document import parse_document
from qmodel.formats.layered_file import layered_of
from tests.tables import rows

MODEL = qm.Layered(
    [qm.Users("clients", 60, 1.0, {"page": 1, "help": 0.5}),
     qm.Users("outside", None, 0.0, {"help": 1}, True, 0.25)],
    [
        qm.Service("web", [qm.Entry("page", 0.02, {"get": 2}, fixed=True),
                           qm.Entry("help", 0.01, forwards={"get": 0.25})], 8, "app"),
        qm.Service("pool", [qm.Entry("get", 0.0, {"query": 1.5})], 4),
        qm.Service("db", [qm.Entry("query", steps=[
            qm.Work(0.015, think=0.1, name="look"), qm.Repeat(2.0, [qm.Work(0.01, {"log": 1})]),
            qm.Choice([(0.25, [qm.Together([[qm.Work(0.1), qm.Answer()],
                                            [qm.Work(0.2, sends={"log": 2})]])])])])],
            None, "db", 3, 1),
        qm.Service("log", [qm.Entry("log", 0.1)]),
    ],
    [qm.Processor("app", 4, 1.5, "fcfs"), qm.Processor("db", None)],
)  # fmt: skip
TEXT = qm.layered_text(MODEL)


@pytest.mark.parametrize("form", ["toml", "json"])
def test_it_is_read_back_as_it_was(written, form):
    path = written(f"model.{form}", qm.layered_text(MODEL, form))
    assert qm.load_model(path) == MODEL
    with pytest.raises(qm.FileError, match="a layered model, not a queueing network"):
        qm.load_network(path)


@given(st.floats(0.0, 1e6), st.floats(1e-3, 1e3), st.integers(1, 10**6))
def test_numbers_lose_no_digit(think, demand, users):
    model = qm.Layered([qm.Users("u", users, think, {"e": 1.25})],
                       [qm.Service("s", [qm.Entry("e", demand)])])  # fmt: skip
    assert layered_of(parse_document(qm.layered_text(model))) == model


@pytest.mark.parametrize(("old", "new", "problem"), rows(__file__, "a_mistake_is_one_line"))
def test_a_mistake_is_one_line(old, new, problem):
    assert old in TEXT
    with pytest.raises(qm.FileError) as caught:
        layered_of(parse_document(TEXT.replace(old, new, 1), path="m.toml"))
    assert problem in str(caught.value)
