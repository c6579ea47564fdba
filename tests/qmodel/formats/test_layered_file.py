"""Layered models in files: what is read, what is refused, and the way back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import qmodel as qm
import tests.strategies  # noqa: F401, loads the suite's profile of hypothesis
from qmodel.documents.document import parse_document
from qmodel.formats.layered_file import layered_of
from tests.tables import asked, rows, text_of

MODEL = asked(text_of(__file__, "model"), globals())
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
