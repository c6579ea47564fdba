"""The article of 1997: what its text lets a model say, and what it does not."""

import pytest

from calibration.agreements.agreement import agreement
from calibration.systems import load_system
from calibration.systems.domino46.encryption import response_rise, rise, surcharge
from calibration.systems.domino46.view_rebuild import rebuild_time
from calibration.systems.domino46.workload import reference, user
from qmodel.laws.erlang import erlang_c


def test_encryption_raises_utilization_by_nearly_its_surcharge_at_every_load():
    assert (surcharge().low, surcharge().mid, surcharge().high) == (0.05, 0.075, 0.10)
    for users in (500, 800, 1000):
        # A closed network never gains throughput from more work, and loses little below 60 %.
        assert 0.98 * 0.10 < rise(users, 0.10) < 0.10
    assert rise(1000, 0.10) < rise(500, 0.10)
    assert rise(3000, 0.10) < 0.01


def test_encryption_lengthens_the_time_at_the_processors_more_where_they_are_busier():
    few, many = (response_rise(users, 0.075) for users in (500, 1000))
    # Nobody waits with few users; M/M/3 at 60 % and 64.5 % of three processors with many.
    assert 0.075 < few < 0.09
    waits = [
        1.0 + erlang_c(3, 3 * busy, 3 * (1 - busy)) / (3 * (1 - busy)) for busy in (0.60, 0.645)
    ]
    assert many == pytest.approx(1.075 * waits[1] / waits[0] - 1.0, abs=0.005)


def test_one_update_task_rebuilds_databases_one_after_the_other():
    assert rebuild_time(2, tasks=1, processors=4) == pytest.approx(2.0)
    assert rebuild_time(2, tasks=2, processors=4) == pytest.approx(1.0)
    assert rebuild_time(2, tasks=2, processors=1) == pytest.approx(2.0)
    assert rebuild_time(8, tasks=4, processors=4) == pytest.approx(2.0)


def test_the_factor_of_two_is_predicted_and_the_baseline_is_not():
    (factor,) = (c for c in agreement(load_system("domino46")).comparisons if c.status != "fitted")
    assert factor.inside
    assert factor.error == 0.0
    assert factor.error_of(dict(factor.baselines)["all processors"]) == pytest.approx(-0.5)


def test_a_users_demand_is_what_sixty_per_cent_of_three_processors_leave():
    assert user().cpu == pytest.approx(0.60 * 3 / 1000)
    assert reference().processors == 3


def test_memory_is_a_megabyte_for_each_user():
    assert load_system("domino46").memory_per_user.value == 1024.0**2
