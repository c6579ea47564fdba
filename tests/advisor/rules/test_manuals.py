"""Manuals: complete, and true in what they say of thresholds, sources and examples."""

import re
import sys

import pytest

from advisor.rule_support import documented, signal
from advisor.rule_support.rule import Rule
from advisor.rules import RULES
from calibration.printed_tables.table import errata, load_table, sources, table_names
from scripts.paper_coverage.recommendation import load_recommendations
from tests.advisor.cases import ask, rule
from tests.advisor.configurations import ROOT
from tests.advisor.speaking import SPEAKING

SECTIONS = ("What it does", "Why it matters", "Threshold", "Example", "Limits")
FILES = sorted(
    path for path in (ROOT / "advisor" / "rules").glob("*_*.*") if path.stem != "__init__"
)
each_rule = pytest.mark.parametrize("each", RULES, ids=[r.code for r in RULES])


def home(each: Rule):
    return sys.modules[each.check.__module__]


def sections(each: Rule) -> dict[str, str]:
    """The text under each heading; headings stand at the margin, text is indented."""
    found: dict[str, str] = {}
    name = ""
    for line in each.manual.strip().splitlines()[2:]:
        if line and not line.startswith(" "):
            name = line
            assert name not in found
            found[name] = ""
        else:
            found[name] += line.strip() + " "
    return {name: text.strip() for name, text in found.items()}


def test_every_file_is_a_rule_and_every_rule_a_file():
    names = [f"{each.code.lower()}_{each.slug.replace('-', '_')}" for each in RULES]
    assert names == sorted({path.stem for path in FILES})


def test_codes_and_slugs_are_unique_and_in_order():
    codes = [each.code for each in RULES]
    assert codes == sorted(set(codes))
    assert len({each.slug for each in RULES}) == len(RULES)


@each_rule
def test_the_file_is_named_after_code_and_slug(each):
    assert re.fullmatch(r"[A-Z]{3,4}\d{3}", each.code)
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", each.slug)
    if home(each) not in (documented, signal):
        assert home(each).__name__.endswith(f".{each.code.lower()}_{each.slug.replace('-', '_')}")


@each_rule
def test_the_manual_is_complete(each):
    first, empty = each.manual.strip().splitlines()[:2]
    assert first == f"{each.code} {each.slug}: {each.sentence}"
    plain = r"(Warns|Offers|Checks|Names|Says|Recommends) [^:;()]{20,65}\."
    assert re.fullmatch(plain, each.sentence)
    assert not empty
    found = sections(each)
    assert tuple(found) == SECTIONS
    for name, text in found.items():
        assert text.endswith("."), name
        assert len(text.split()) >= 5, name
    assert each.claim
    assert not each.claim.endswith(".")


@each_rule
def test_the_threshold_section_names_every_threshold(each):
    thresholds = {
        name: value
        for name, value in vars(home(each)).items()
        if name.isupper() and isinstance(value, float) and 0 < value <= 1
    }
    text = sections(each)["Threshold"]
    for name, value in thresholds.items():
        assert f"{value * 100:g} %" in text, f"{name} = {value}"


@pytest.mark.parametrize(
    ("code", "error"), [("CAP001", "95 %"), ("DSK001", "80 %"), ("LAN001", "90 %")]
)
def test_the_threshold_section_says_what_is_an_error(code, error):
    text = sections(rule(code))["Threshold"]
    assert re.search(rf"{error}[^.]*error|error[^.]*{error}", text)


@each_rule
def test_tables_and_errata_named_in_the_manual_exist(each):
    numbers = {load_table(name).number for name in table_names()}
    known = {erratum.id for source in sources() for erratum in errata(source)}
    for number in re.findall(r"Tables? (\d+-\d+)", each.manual):
        assert number in numbers
    for erratum in re.findall(r"E-[A-Z]\d\d-\d\d", each.manual):
        assert erratum in known


def citations(reviews):
    """Every text that says where something comes from, with the rule that gives it."""
    for review in reviews:
        for located in review.findings:
            for evidence in located.finding.evidence:
                yield located.rule, evidence.source
            for option in located.finding.options:
                for source in option.sources:
                    yield located.rule, source


def known_citations() -> tuple[set[str], set[str]]:
    """Those of whole tables and sources, and those of rows."""
    tables, rows = set(), set()
    for name in table_names():
        table = load_table(name)
        tables |= {table.cite(), table.source.cite()}
        rows |= {table.cite(row) for row in table.rows}
    return tables, rows


def test_every_rule_speaks_in_the_reviews_looked_at_or_where_it_should(reviews):
    """Or on a paper's own configuration, which the test of the coverage table looks at."""
    elsewhere = {code for code, make in SPEAKING.items() if ask(code, make())}
    covered = {
        code
        for row in load_recommendations()
        if row.example and row.expected == "fires"
        for code in row.rules
    }
    spoken = {code for code, _ in citations(reviews)} | elsewhere | covered
    assert spoken == {each.code for each in RULES}
    assert elsewhere == set(SPEAKING)


def test_every_citation_of_a_row_resolves(reviews):
    tables, rows = known_citations()
    seen = set()
    for code, source in citations(reviews):
        if ", row " in source:
            found = max((each for each in rows if each in source), key=len, default="")
            assert found, f"{code}: {source}"
            seen.add(found)
        elif "TechNote" in source:
            assert any(each in source for each in tables), f"{code}: {source}"
        for erratum in re.findall(r"E-[A-Z]\d\d-\d\d", source):
            assert erratum in {e.id for paper in sources() for e in errata(paper)}
    assert load_table("notes31/table_4_2").cite("raid5") in seen
    assert len(seen) >= 8


def test_every_option_has_a_source(reviews):
    for review in reviews:
        for advice in (*review.advice, *review.trades, *review.rejected):
            assert advice.option.sources
            assert all(advice.option.sources)
            assert advice.option.change.title
