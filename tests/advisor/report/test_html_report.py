"""The HTML report: well formed, escaped, self-contained, complete, described in words."""

import re
import sys
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

import advisor
from advisor.findings.baseline import Known, compare
from advisor.findings.words import busiest, counted, evidence_text, seconds_range
from advisor.report.html_report import html_report
from advisor.report.pictures import timetable
from qmodel.errors import InvalidInput
from tests.advisor.configurations import OVERLOADED, batch, quiet
from tests.advisor.reports import HOSTILE, PAGES, TODAY, hostile, reviewed, with_suppressions


@cache
def page_of(path):
    return html_report(*reviewed(path))


def parsed(page):
    """The page as XML, which it is as well: nothing left open, nothing nested wrongly."""
    text = re.sub(r"<!DOCTYPE html>\n", "", page, count=1)
    return ET.fromstring(text)


def elements(page, name):
    return list(parsed(page).iter(name))


def text_of(page):
    main = parsed(page).find("body")
    return re.sub(r"\s+", " ", " ".join(main.itertext()))


class Tags(HTMLParser):
    """Tags and attributes as a browser's parser reads them."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_every_example_gives_a_sound_page(path):
    page = page_of(path)
    ids = [each.get("id") for each in parsed(page).iter() if each.get("id")]
    assert len(ids) == len(set(ids))
    for tag, attributes in Tags(page).found:
        assert tag not in {"script", "iframe", "object", "link", "img", "base", "form"}
        assert not any(name.startswith("on") for name in attributes)
        for name in ("href", "src", "srcset", "action", "data", "xlink:href"):
            target = attributes.get(name)
            assert target is None or (target.startswith("#") and target[1:] in ids), target
        for name in ("clip-path", "style"):
            for target in re.findall(r"url\(([^)]*)\)", attributes.get(name) or ""):
                assert target.removeprefix("#") in ids
    assert "@import" not in page
    assert not re.search(r"url\((?!#)", page)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_pictures_and_tables_are_described_and_headings_in_order(path):
    page = page_of(path)
    pictures = elements(page, "svg")
    assert len(pictures) >= 2
    for each in pictures:
        assert each.get("role") == "img"
        assert re.search(r"\d", each.get("aria-label"))
    assert len(elements(page, "figure")) == len(elements(page, "figcaption")) == len(pictures)
    for table in elements(page, "table"):
        assert table.find("caption/span").text
        assert all(each.get("scope") for each in table.iter("th"))
    levels = [int(tag[1]) for tag, _ in Tags(page).found if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))
    assert parsed(page).get("lang") == "en"
    assert parsed(page).find("head/title").text


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_all_of_the_review_is_on_the_page(path):
    review, growth = reviewed(path)
    said = text_of(page_of(path))

    def there(text):
        assert " ".join(text.split()) in said, text

    for located in review.findings:
        there(located.finding.message)
        for each in located.finding.evidence:
            there(evidence_text(each))
    for advice in review.advice:
        there(advice.option.change.title[1:])
        for effect in advice.effect:
            if effect.unit == "s":
                there(f"{effect.metric} {seconds_range(effect.before)}")
                there(seconds_range(effect.after))
        for text in (*advice.option.sources, *advice.option.side_effects, advice.option.valid):
            there(text)
        there(busiest(advice.risk))
    for i, step in enumerate(review.plan.steps, 1):
        there(f"{i}. {step.advice.option.change.title} {seconds_range(step.effect[0].after)}")
    for each in review.rejected:
        there(each.rejected)
    for each in review.skipped:
        there(each.reason)
    for note in review.notes:
        there(note)
    for _, peak in growth:
        for each in peak.classes:
            if not each.batch:
                there(seconds_range(each.response_time))


def test_alternative_text_tells_the_numbers():
    review, growth = reviewed(OVERLOADED)
    labels = [e.get("aria-label") for e in elements(page_of(OVERLOADED), "svg")]
    assert len(labels) == 4
    times, busy, options, day = labels
    for _, peak in growth:
        assert (
            f"{seconds_range(peak.classes[0].response_time)} at {counted(peak.users, 'user')}"
            in times
        )
    assert "cpu 100 %" in busy
    assert f"now {seconds_range(review.advice[0].effect[0].before)}" in options
    assert "replicate 09:00-17:00" in day


def test_markup_in_the_configuration_stays_text():
    page = html_report(*hostile())
    assert "<script" not in page.lower()
    assert not elements(page, "img")
    tags = {tag for tag, _ in Tags(page).found}
    plain = {tag for tag, _ in Tags(page_of(OVERLOADED)).found}
    assert tags <= plain
    assert parsed(page).find("body/header/h1").text == HOSTILE
    said = text_of(page)
    assert said.count("<script>alert(1)</script>") > 10
    labels = [e.get("aria-label") for e in elements(page, "svg")]
    assert all("<script>alert(1)</script>" in each for each in (labels[0], labels[3]))
    assert f"{HOSTILE} 0" in said


def test_the_page_forbids_whatever_it_does_not_need():
    policy = next(
        e.get("content") for e in elements(page_of(OVERLOADED), "meta") if e.get("http-equiv")
    )
    assert policy == "default-src 'none'; style-src 'unsafe-inline'"


def test_suppressed_and_gone_findings_are_told():
    configuration = with_suppressions(
        ("MEM001", "no free slots", "2026-12-31"), ("CPU001", "ordered", "2026-01-31")
    )
    review = advisor.review(configuration, today=TODAY)
    gone = Known(rule="OLD001", slug="a", level="note", message="was here", fingerprint="0" * 16)
    growth = ((review.alone, review.outlook),)
    said = text_of(html_report(review, growth, compare(review, (gone,))))
    assert "(suppressed until 2026-12-31: no free slots)" in said
    assert "he suppression of CPU001 ended on 2026-01-31" in said
    assert "OLD001 a: was here" in said
    assert "workload.users, line 21 · new" in said


def test_a_configuration_with_nothing_to_say_has_a_page():
    review = advisor.review(quiet())
    page = html_report(review, ((review.alone, review.outlook),))
    assert "Nothing to report" in text_of(page)
    assert len(elements(page, "svg")) == 2
    assert not {"plan", "options", "timetable"} & {e.get("id") for e in parsed(page).iter()}


def test_a_task_across_midnight_is_drawn_in_two_pieces():
    def bars(window):
        picture = timetable(quiet(batch=[batch(cpu="1 s", window=window)]))
        filled = re.findall(r'<path d="[^"]*" clip-path[^>]*fill: var\(--tone-1', picture.svg)
        return len(filled)

    assert bars(("22:00", "06:00")) == bars(("10:00", "12:00")) + 1 == 2


def test_what_could_not_be_judged_stands_once():
    review, _ = reviewed(OVERLOADED)
    said = text_of(page_of(OVERLOADED))
    assert review.skipped
    assert "not asked" not in said
    for each in review.skipped:
        assert said.count(f": {each.reason}") == 1


def test_wide_tables_show_that_there_is_more():
    page = page_of(OVERLOADED)
    shadows = re.search(r"\.scroll \{[^}]*\}", page)[0]
    assert shadows.count("no-repeat local") == shadows.count("no-repeat scroll") == 2
    assert re.search(r"@media print \{.*\.scroll \{[^}]*background: none", page, re.DOTALL)


def test_without_matplotlib_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InvalidInput, match=r"pip install 'qmodel-capacity\[plot\]'"):
        html_report(*reviewed(OVERLOADED))
