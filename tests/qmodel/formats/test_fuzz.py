"""Whatever a file holds: a network, or one line that says what is wrong. Nothing else, soon."""

import time

from hypothesis import given, settings
from hypothesis import strategies as st

import tests.strategies  # noqa: F401, loads the suite's profile of hypothesis
from qmodel import FileError, Network
from qmodel.documents.document import read_document
from qmodel.formats.model_file import network_of, network_text
from tests.fuzz.changes import PIECES, spoilt
from tests.qmodel.formats.test_model_file import MODEL, NETWORK

TEXTS = {"toml": MODEL, "json": network_text(NETWORK, "json")}
contents = st.sampled_from(["toml", "json"]).flatmap(
    lambda kind: st.tuples(
        st.just(kind),
        spoilt(TEXTS[kind], kind)
        | st.lists(st.sampled_from(PIECES), max_size=30).map(lambda some: "".join(some).encode())
        | st.binary(max_size=200),
    )
)


@settings(max_examples=150)
@given(content=contents)
def test_a_spoilt_model_is_answered(tmp_path_factory, content):
    """A network, or lines fit for a terminal, in time."""
    kind, data = content
    path = tmp_path_factory.getbasetemp() / f"spoilt.{kind}"
    path.write_bytes(data)
    started = time.process_time()
    try:
        assert isinstance(network_of(read_document(path)), Network)
    except FileError as error:
        for each in (error, *error.others):
            assert str(each).startswith(each.path)
            assert str(each).isprintable()
            assert len(str(each)) < 2000
            assert each.problem
    assert time.process_time() - started < 5
