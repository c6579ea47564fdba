"""The example in a manual is what the advisor says of the paper's server, users alone."""

import re

import pytest

import advisor
from advisor.words import percent, signed
from tests.advisor.cases import rule
from tests.advisor.configurations import AS_TESTED, example


@pytest.fixture(scope="module")
def alone():
    return advisor.review(example(AS_TESTED, batch=[]))


def written(code, pattern):
    manual = " ".join(rule(code).manual.split())
    text = manual.partition(" Example ")[2].partition(" Limits ")[0]
    found = re.search(pattern, text)
    assert found, text
    return found.groups()


def advice(found, code):
    return next(a for a in found.advice if a.rule == code)


def test_saturated_station(alone):
    users, share = written("CAP001", r"(\d+) users would keep it at (\d+ %)")
    ((_, fit),) = advice(alone, "CAP001").option.change.settings
    changed = advisor.predict(alone.configuration.with_users(fit)).outlook
    assert (int(users), share) == (fit, percent(changed.resource("cpu").utilization.mid))


def test_faster_processor(alone):
    found = written("CPU001", r"time (-\d+(?:\.\d)?) % \((-\d+(?:\.\d)?) to (-\d+(?:\.\d)?) %\)")
    change = advice(alone, "CPU001").effect[0].change
    for text, value in zip(found, (change.mid, change.low, change.high), strict=True):
        # At the precision it is printed with.
        assert float(text) == pytest.approx(value * 100, abs=0.05 if "." in text else 0.5)


def test_level_for_workload(alone):
    (text,) = written("RAID001", r"by (\+\d+\.\d %)")
    assert text == signed(advice(alone, "RAID001").effect[0].change.mid)


def test_missed_target(alone):
    mid, low, high = written("TGT001", r"(\d+) s \((\d+) to (\d+)")
    time = alone.outlook.users_response_time
    assert [int(mid), int(low), int(high)] == [round(t) for t in (time.mid, time.low, time.high)]


def test_documented_need(alone):
    have, need = written("MEM001", r"(\d+) MB is less than the (\d+) MB")
    (message,) = (f.finding.message for f in alone.findings if f.rule == "MEM001")
    assert message.startswith(f"{have} MB is less than the {need} MB")


def test_batch_at_peak(as_tested):
    name, share = written("SCH001", r"(\w+) .*?(\d+ %)")
    found = [f.finding for f in as_tested.findings if f.rule == "SCH001"]
    (message,) = (f.message for f in found if f.message.startswith(name))
    assert share in message
