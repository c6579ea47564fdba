"""Servers at the edges of what a configuration may say, and what their reviews say: `SERVERS`."""

import tomllib
from pathlib import Path

import pytest

from advisor import review, size
from advisor.findings.review import Review
from advisor.loading import load_config
from qmodel.errors import InvalidInput

SERVERS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def said(found: Review, code: str) -> str:
    """The messages of a rule and the titles of what it offers."""
    texts = [(e.finding.message, e.finding.options) for e in found.findings if e.rule == code]
    return "\n".join(
        line for text, options in texts for line in (text, *(o.change.title for o in options))
    )


@pytest.mark.parametrize("name", SERVERS)
def test_what_is_said_of_it(written, name):
    row = SERVERS[name]
    found = review(load_config(written("server.toml", row["text"])))
    for code, texts in row.get("says", {}).items():
        for text in texts:
            assert text in said(found, code)
    for code, texts in row.get("never", {}).items():
        for text in texts or [""]:
            assert not texts or text not in said(found, code)
            assert texts or not said(found, code)
    if "skipped" in row:
        assert row["skipped"] in {each.rule: each.reason for each in found.skipped}
    if "most" in row:
        assert int(found.verdict.most.mid) == row["most"]


def test_numbers_of_servers_are_whole(written):
    configuration = load_config(written("server.toml", SERVERS["one_user"]["text"]))
    with pytest.raises(InvalidInput, match=r"--vary server\.replicas: expected whole numbers"):
        size(configuration, vary=["server.replicas=two"])
