"""The recorded accuracy: docstrings, table and what a few networks give today say the same."""

import json
import re
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from benchmarks.accuracy.families import FAMILIES
from benchmarks.accuracy.run import again, sampled
from benchmarks.accuracy.table import PAGE, QUOTED, page, quoted, read
from qmodel.response_times import assumptions as words
from qmodel.solvers.recorded_accuracy import quoted_percentiles

ROOT = Path(__file__).resolve().parents[2]
RECORD = read()
SAID = re.compile(
    r"Accuracy\s+of\s+``?(?P<method>[^`]+)``?\s+on\s+``?(?P<family>[^`]+)``?:\s+"
    r"(?P<measure>\S+)\s+median\s+(?P<median>[0-9.]+)\s+%,\s+worst\s+(?P<worst>[0-9.]+)\s+%"
)
STATEMENTS = [
    (path.relative_to(ROOT).as_posix(), found)
    for path in sorted((ROOT / "qmodel").rglob("*.*"))
    if path.suffix in {".py", ".md"}
    for found in SAID.finditer(path.read_text(encoding="utf-8"))
]


def test_every_family_is_recorded_and_nothing_else():
    assert set(RECORD) == {family.name for family in FAMILIES}


def test_the_page_and_the_quotations_are_those_of_the_data():
    assert PAGE.read_text(encoding="utf-8") == page(RECORD)
    assert QUOTED.read_text(encoding="utf-8") == quoted(RECORD)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_the_worst_network_and_another_have_the_recorded_errors(family):
    recorded = RECORD[family.name]
    if family.keep:  # then it is there, by the name that the network has today
        family = replace(family, reference=lambda network: pytest.fail(f"no truth of {network}"))
    assert (recorded["networks"], recorded["seed"]) == (family.count, family.seed)
    assert set(recorded["methods"]) == set(family.methods)
    for method, record in recorded["methods"].items():
        then = sampled(family, record)
        now = again(family, method, then) if then else {}
        for number, row in then.items():
            found = {measure: now[number][measure] for measure in row}
            assert found == pytest.approx(row, rel=2e-2, abs=2e-8), (method, number)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_a_family_is_the_same_every_time(family):
    assert list(islice(family.networks(family.seed), 3)) == list(
        islice(family.networks(family.seed), 3)
    )


@pytest.mark.parametrize(
    ("path", "said"), STATEMENTS, ids=[f"{p}-{m['method']}-{m['family']}" for p, m in STATEMENTS]
)
def test_what_a_docstring_says_is_in_the_table(path, said):
    errors = RECORD[said["family"]]["methods"][said["method"]]["errors"][said["measure"]]
    for which in ("median", "worst"):
        digits = len(said[which].partition(".")[2])
        assert abs(100 * errors[which] - float(said[which])) <= 0.51 * 10**-digits, path


def test_the_quotations_are_small_enough_to_read_at_once():
    assert len(json.loads(QUOTED.read_text(encoding="utf-8"))) < 500


def test_what_percentiles_say_of_themselves_is_in_the_table():
    def shown(family, method):
        errors = RECORD[family]["methods"][method]["errors"]
        return ", ".join(
            f"{p} off by {100 * errors[p]['median']:.2g} % in the middle, "
            f"{100 * errors[p]['worst']:.2g} % at worst"
            for p in ("p95", "p99")
        )

    for method in ("mmap", "qna"):
        for family in ("open-ggm-held-out", "open-ggm-unlike-again"):
            assert quoted_percentiles(family, method) == shown(family, method)
    for quoted_family in (words.ROUNDS, words.ALIKE, words.OTHERS):
        assert quoted_percentiles(*quoted_family) == shown(*quoted_family)
    fresh = RECORD["percentiles-simulated-fresh"]["methods"]["percentiles"]["errors"]
    simulated = RECORD["percentiles-simulated"]["methods"]["percentiles"]["errors"]
    assert all(simulated[share]["worst"] <= fresh[share]["worst"] for share in ("p95", "p99"))
