"""Derivations: what is printed adds up to the finding's number, in every example."""

import re

import pytest

import advisor
from advisor.explanation import derivations
from advisor.report.explanation import explanation_data, explanation_lines
from calibration.systems import SYSTEM_NAMES, load_system
from tests.advisor.cases import rule
from tests.advisor.configurations import OVERLOADED, batch, quiet
from tests.advisor.reports import SERVERS, review_of, suppressing


def has_members(system):
    return system in SYSTEM_NAMES and bool(load_system(system).members)


def lines(review, code):
    wanted = [f for f in review.findings if f.rule == code]
    return list(explanation_lines(review, rule(code), wanted))


@pytest.mark.parametrize("path", SERVERS, ids=lambda path: path.stem)
def test_sums_are_the_numbers_of_the_findings(path):
    review = review_of(path)
    for located in review.findings:
        for derived in derivations(review, located.finding.evidence):
            base = 1.0 if derived.evidence.unit == "s" else 100.0
            middle = sum(each.total for each in derived.sums) / len(derived.sums)
            if len(derived.sums) == 1 or has_members(review.configuration.settings.workload.system):
                assert derived.predicted.mid == pytest.approx(middle, rel=1e-12)
            totals = [each.total for each in derived.sums]  # the median of models by their weights
            assert min(totals) * 0.999 <= derived.predicted.mid <= max(totals) * 1.001
            ends = (derived.predicted.low, derived.predicted.mid, derived.predicted.high)
            assert any(derived.evidence.value == pytest.approx(end * base) for end in ends)
            for each in derived.sums:
                assert sum(p.value for p in each.parts) == pytest.approx(each.total, rel=1e-9)
                if each.servers:
                    for part in each.parts:
                        product = part.throughput * part.demand / each.servers
                        assert product == pytest.approx(part.value, rel=1e-6)
                if each.population:
                    law = each.population / each.throughput - each.think_time
                    assert law == pytest.approx(each.total, rel=1e-6)


def test_every_computed_number_of_a_network_has_its_sums(reviews):
    seen = set()
    for review in reviews:
        for located in review.findings:
            derived = [d.evidence for d in derivations(review, located.finding.evidence)]
            for each in located.finding.evidence:
                if each.source.startswith("queueing network"):
                    assert each in derived, each
                    seen.add(each.unit)
    assert seen == {"%", "s"}


def test_what_is_printed_adds_up_at_printed_precision(as_tested):
    printed = "\n".join(lines(as_tested, "CPU001"))
    sums = re.findall(r"sum: ([\d.e+ -]+) = ([\d.e-]+),", printed)
    assert len(sums) == 2
    for terms, total in sums:
        assert sum(map(float, terms.split(" + "))) == pytest.approx(float(total), abs=2e-5)
    products = re.findall(r"throughput ([\d.e-]+) /s x demand ([\d.e-]+) s = ([\d.e-]+)", printed)
    assert len(products) == 6
    for rate, demand, share in products:
        assert float(rate) * float(demand) == pytest.approx(float(share), rel=2e-4)


def test_the_printed_check_of_a_response_time_is_the_response_time():
    """N / X - Z, with the numbers that are printed beside it."""
    slow = quiet(workload={"users": 30}, user={"cpu": "1 s"}, targets={"response_time": "2 s"})
    printed = "\n".join(lines(advisor.review(slow), "TGT001"))
    found = re.findall(
        r"residence times: .* = ([\d.e-]+) s\n +check: (\d+) customers / ([\d.e-]+) /s - "
        r"think time ([\d.e-]+) s = ([\d.e-]+) s",
        printed,
    )
    assert found
    for total, population, rate, think_time, said in found:
        cycle = float(population) / float(rate)
        assert said == total
        assert float(think_time) > 0.0
        assert cycle - float(think_time) == pytest.approx(float(said), abs=1e-4 * cycle)


def test_options_are_told_with_their_verdict(as_tested):
    printed = "\n".join(lines(as_tested, "CPU001"))
    assert "option: replace the Pentium/66 with a Pentium/100 (recommended)" in printed
    assert "server.processor: Pentium/66 -> Pentium/100" in printed
    rejected = [a for a in as_tested.rejected if a.rule == "DSK001"]
    printed = "\n".join(lines(as_tested, "RAID001"))
    assert "(not recommended, " in printed or not rejected


def test_silence_is_not_a_pass(overloaded):
    assert lines(overloaded, "DSK001")[-1] == "no problem found: no drive has a long queue"
    skipped = {each.rule: each for each in advisor.review(quiet()).skipped}
    assert skipped["SCH001"].state == "not-applicable"
    said = lines(advisor.review(quiet()), "SCH001")[-1]
    assert said == f"not checked (not-applicable): {skipped['SCH001'].reason}"


def test_a_suppressed_finding_says_so():
    path = OVERLOADED.with_name("groupwise52_netbench.toml")
    review = suppressing(("LAN001", "no free slots", ""), path=path)
    (suppressed,) = review.suppressed
    printed = list(explanation_lines(review, rule("LAN001"), suppressed.findings))
    assert "  suppressed: no free slots; its options are not tried" in printed
    assert not any("option:" in line for line in printed)


def test_several_servers_divide_the_product():
    configuration = quiet(
        server={"cpus": 2}, workload={"users": 40}, user={"cpu": "1 s"},
        batch=[batch(cpu="1 s", window=("09:00", "11:00"))], targets={"utilization": "50 %"},
    )  # fmt: skip
    printed = "\n".join(lines(advisor.review(configuration), "TGT001"))
    assert " / 2 servers = " in printed
    assert "beside night work" in printed


def test_for_programs_it_is_in_base_units(overloaded):
    wanted = [f for f in overloaded.findings if f.rule == "TGT001"]
    data = explanation_data(overloaded, rule("TGT001"), wanted)
    assert data["silent"] == ""
    (first, _) = data["findings"]
    (derived,) = first["derivations"]
    parts = derived["sums"][0]["parts"]
    assert derived["sums"][0]["total"] == pytest.approx(sum(p["value"] for p in parts))
    assert first["options"][0]["rule"] == "TGT001"
    silent = explanation_data(overloaded, rule("DSK001"), [])
    assert silent["silent"].startswith("no problem found")
    assert silent["findings"] == []
    assert review_of(OVERLOADED).findings == overloaded.findings
