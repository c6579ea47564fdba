"""The numbers of a manual's example are those the advisor gives for the paper's server."""

import re

import pytest

import advisor
from advisor.findings.words import percent_range, seconds_range, signed_range
from tests.advisor.cases import rule
from tests.advisor.configurations import AS_TESTED, example


@pytest.fixture(scope="module")
def said(as_tested):
    """All numbers that a rule's findings and advice hold, with batch tasks and without."""
    alone = advisor.review(example(AS_TESTED, batch=[]))
    found: dict[str, set[str]] = {}
    for review in (as_tested, alone):
        for located in review.findings:
            mine = found.setdefault(located.rule, set())
            mine |= numbers(located.finding.message)
            for evidence in located.finding.evidence:
                mine |= numbers(f"{evidence.value:.0f} {evidence.threshold or 0:g}")
            for option in located.finding.options:
                mine |= numbers(f"{option.change.title} {option.change.settings}")
        settings = review.configuration.settings
        mine = numbers(f"{settings.server.processor} {settings.workload.users}")
        mine |= numbers(f"{settings.disk.drives} {settings.disk.raid} 1 2")
        for code in found:
            found[code] |= mine
        for advice in (*review.advice, *review.trades, *review.rejected):
            for effect in advice.effect:
                show = seconds_range if effect.unit == "s" else percent_range
                found[advice.rule] |= numbers(
                    f"{show(effect.before)} {show(effect.after)} {signed_range(effect.change)}"
                )
    return found


def numbers(text: str) -> set[str]:
    """Numbers in a text, without sign; 9.7 and 09.70 are the same number."""
    return {f"{float(n):g}" for n in re.findall(r"\d+(?:\.\d+)?", text)}


@pytest.mark.parametrize("code", ["CAP001", "CPU001", "MEM001", "RAID001", "SCH001", "TGT001"])
def test_the_example_says_what_the_model_says(said, code):
    manual = " ".join(rule(code).manual.split())
    example_text = manual.partition(" Example ")[2].partition(" Limits ")[0]
    unknown = numbers(example_text) - said[code]
    if code == "TGT001":
        # The example may promise another time than the file does.
        unknown -= numbers("".join(re.findall(r"target of \d+ s", example_text)))
    assert numbers(example_text)
    assert not unknown, f"{example_text}\nknown: {sorted(said[code])}"
