"""The HTML report: well formed, escaped, self-contained, complete, described in words."""

import re
from datetime import date
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import advisor
from advisor.findings.baseline import Known, compare
from advisor.findings.words import busiest, evidence_text, seconds, seconds_range
from advisor.report.curve_picture import response_curve
from advisor.report.first_screen import after_steps, how_sure
from advisor.report.html_report import html_report
from tests.advisor.configurations import OVERLOADED, batch, quiet
from tests.advisor.reports import HOSTILE, PAGES, TODAY, hostile, reviewed, silenced


@cache
def page_of(path):
    return html_report(*reviewed(path), None, TODAY)


def parsed(page):
    """The page as XML, which it is as well: nothing left open, nothing nested wrongly."""
    return ET.fromstring(re.sub(r"<!DOCTYPE html>\n", "", page, count=1))


def elements(page, name):
    return list(parsed(page).iter(name))


def text_of(page):
    return re.sub(r"\s+", " ", " ".join(parsed(page).find("body").itertext()))


class Tags(HTMLParser):
    """Tags and attributes as a browser's parser reads them."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def test_a_page_speaks_of_its_own_findings():
    text = re.sub("<[^>]*>", "", page_of(PAGES[0].parent / "web_application.toml"))
    assert "2 more: under Findings" in text
    assert "more: --findings" not in text


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
    pictures = [each for each in elements(page, "svg") if each.get("aria-hidden") != "true"]
    assert len(pictures) == len(elements(page, "figure")) == 1
    for each in pictures:
        assert each.get("role") == "img"
        assert re.search(r"\d", each.get("aria-label"))
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
    there(review.sentence[1:])
    for step in review.plan.steps:
        there(step.advice.option.change.title[1:])
        there(f"\u2192 {seconds(step.effect[0].after.mid)}")
    there(after_steps(review))
    for line in how_sure(review):
        there(line[1:])
    for each in review.rejected:
        there(each.rejected)
    for each in review.skipped:
        there(each.reason.removesuffix(" is not given"))
    for note in review.notes:
        there(note)
    for _, peak in growth:
        for each in peak.classes:
            if not each.batch:
                there(seconds_range(each.response_time))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_order_is_verdict_numbers_plan_and_how_sure(path):
    review, _ = reviewed(path)
    main = parsed(page_of(path)).find("body/main")
    shown = [e for e in main.iter() if e.get("id") and e.tag == "h2"]
    order = [e.get("id") for e in shown]
    assert order == ["verdict", "numbers", "plan", "sure", "curve", "busy"]
    assert shown[0].text == review.verdict.state
    assert main[0].get("class").split()[1] in {"ok", "risk", "bad"}
    # Everything else is folded, and closed.
    assert [each.tag for each in main[2:]] == ["details"] * len(main[2:])
    assert all("open" not in each.attrib for each in main[2:])
    steps = [e for e in main.iter() if "step" in (e.get("class") or "").split()]
    assert len(steps) == max(1, len(review.plan.steps))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_curve_has_many_points_and_shows_where_the_server_is(path):
    review, _ = reviewed(path)
    chart = response_curve(review)
    (line,) = chart.lines
    assert len(line.points) >= 60
    assert chart.picture.svg.count("stroke-width: 2.4") == 1
    here = chart.marks[0]
    assert here.name == f"you are here: {review.outlook.users}"
    assert here.at == review.outlook.users
    assert here.height == pytest.approx(np.interp(here.at, *zip(*line.points)), rel=0.01)
    most = review.verdict.most.mid
    if most:
        assert chart.region[:2] == (0.0, most)
        assert any(m.name.startswith("limit: ") and m.at == most for m in chart.marks)
    assert chart.span[1] > max(here.at, most)
    assert seconds_range(review.outlook.time_of(line.name)) in chart.alt


def test_bars_show_each_step_before_and_after():
    review, _ = reviewed(OVERLOADED)
    steps = [e for e in parsed(page_of(OVERLOADED)).iter("li") if e.get("class") == "step"]
    longest = review.plan.steps[0].effect[0].before.mid
    for element, step in zip(steps, review.plan.steps, strict=True):
        widths = {r.get("class"): float(r.get("width")) for r in element.iter("rect")}
        assert widths["is"] == pytest.approx(100 * step.effect[0].after.mid / longest, abs=0.06)
        assert widths["was"] <= 100.0


def test_the_foot_says_when_by_what_and_from_which_file():
    footer = " ".join("".join(parsed(page_of(OVERLOADED)).find("body/footer").itertext()).split())
    assert re.fullmatch(r"2026-06-01 · qmodel [\d.]+\S* · from overloaded\.toml", footer)
    assert str(OVERLOADED.parent) not in page_of(OVERLOADED)
    assert date.today().isoformat() in html_report(*reviewed(OVERLOADED))  # noqa: DTZ011


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
    assert any("<script>alert(1)</script>" in (each or "") for each in labels)
    assert f"{HOSTILE} 0" in said


def test_the_page_forbids_whatever_it_does_not_need():
    policy = next(
        e.get("content") for e in elements(page_of(OVERLOADED), "meta") if e.get("http-equiv")
    )
    assert policy == "default-src 'none'; style-src 'unsafe-inline'"


def test_suppressed_and_gone_findings_are_told():
    review = silenced()
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
    assert "No problem found" in text_of(page)
    assert not {"reasons", "options", "timetable"} & {e.get("id") for e in parsed(page).iter()}


def test_a_task_across_midnight_is_drawn_in_two_pieces():
    def bars(window):
        review = advisor.review(quiet(batch=[batch(cpu="1 s", window=window)]))
        page = parsed(html_report(review, ((review.alone, review.outlook),)))
        (day,) = (e for e in page.iter("details") if e.get("id") == "timetable")
        return [int(e.get("width")) for e in day.iter("rect") if e.get("class") == "is"]

    assert bars(("22:00", "06:00")) == [120, 360]
    assert bars(("10:00", "12:00")) == [120]


def test_what_could_not_be_judged_stands_once():
    review, _ = reviewed(OVERLOADED)
    said = text_of(page_of(OVERLOADED))
    assert review.skipped
    assert "not asked" not in said
    assert said.count(": not given: ") == 1
    for each in review.skipped:
        if not each.reason.endswith(" is not given"):
            assert said.count(f": {each.reason}") == 1
