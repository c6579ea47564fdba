"""A small version of the synthetic study: `python -m scripts.audit_study` is the whole one."""

import random

import pytest

from scripts import audit_study as study


def test_consistent_tables_raise_next_to_nothing():
    # 100 tables at less than 1 %: more than 3 has a probability of 2 %, with this seed none at all.
    raised, tests = study.false_alarms(100, seed=7)
    assert len(raised) <= 3
    assert min(tests) < 20 < max(tests)


def test_a_fault_of_five_times_the_noise_is_found_and_its_row_named():
    made, found, named = study.detections(100, seed=8)
    assert sum(made.values()) == 100
    assert len(made) >= 6
    assert sum(named.values()) >= 90
    assert sum(found.values()) >= sum(named.values())


def test_synthetic_tables_are_what_they_claim():
    rng = random.Random(10)
    for _ in range(50):
        table = study.consistent(rng)
        columns = {column.heading.partition(" ")[0]: column for column in table.columns}
        if {"throughput", "response_time"} <= columns.keys():
            asked = ("population", "throughput", "response_time")
            for users, rate, time in zip(*(columns[name].values for name in asked), strict=True):
                assert rate * (time + table.think) == pytest.approx(users, rel=0.08)
