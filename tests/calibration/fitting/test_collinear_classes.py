"""Demands from production: mixed traffic by rate, and classes that rise together."""

from random import Random

import pytest

from calibration.fitting.calibrate import calibrate
from calibration.predicting.prediction import predict
from calibration.recordings.user_table import parse_user_table

#: Of one checkout and one search, and what runs besides. [s], [1]
CHECKOUT, SEARCH, BESIDE = 0.030, 0.008, 0.05


def mixed(searches):
    """Twenty hours of eight cores, with 1.5 % noise; the rate of searches by that of checkouts."""
    random = Random(4)
    rows = ["throughput:checkout [1/s],throughput:search [1/s],cpu [%],servers:cpu"]
    for _ in range(20):
        checkouts = random.uniform(20, 80)
        other = searches(checkouts, random)
        busy = (checkouts * CHECKOUT + other * SEARCH) / 8 + BESIDE
        seen = 100 * busy * (1 + random.gauss(0, 0.015))
        rows.append(f"{checkouts:.2f},{other:.2f},{seen:.3f},8")
    return calibrate(parse_user_table("\n".join(rows) + "\n"))


def test_demands_of_mixed_traffic_and_of_what_runs_besides():
    found = mixed(lambda _, random: random.uniform(50, 300))
    assert found.best.value("demand of cpu (checkout)") == pytest.approx(CHECKOUT, rel=0.05)
    assert found.best.value("demand of cpu (search)") == pytest.approx(SEARCH, rel=0.05)
    assert found.best.value("background load of cpu") == pytest.approx(BESIDE, abs=0.01)


def test_of_classes_that_rise_together_the_sum_is_known():
    found = mixed(lambda checkouts, random: 4 * checkouts * (1 + random.gauss(0, 0.003)))
    assert found.data.classes == ("checkout + search",)
    each = (CHECKOUT + 4 * SEARCH) / 5
    assert found.best.value("demand of cpu") == pytest.approx(each, rel=0.03)
    (note,) = (note for note in found.data.notes if "rise together" in note)
    assert "4 search to each checkout" in note
    assert "another mix would separate them" in note
    assert 500 * each / 8 + BESIDE in predict(found, rate=500)["utilization:cpu"]


def test_a_mix_of_which_response_times_alone_were_measured_has_a_hidden_queue():
    head = "throughput:a [1/s],throughput:b [1/s],response_time:a [ms],response_time:b [ms]\n"
    rows = "10,5,12,20\n20,5,14,21\n40,9,18,25\n60,20,25,35\n80,30,50,60\n"
    found = calibrate(parse_user_table(head + rows))
    assert "hidden queue" in found.best.name
    assert found.best.error < 0.1
