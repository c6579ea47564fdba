"""Percentile columns of a table: read, left out of the fit, and held against the model."""

from dataclasses import replace
from functools import cache
from math import log

import pytest
from scipy.special import gammaincc

import advisor
import qmodel as qm
from advisor.predicting.late_shares import late_shares
from advisor.predicting.prediction import predict
from calibration.agreements.live_corpus import recordings
from calibration.estimation.tail_shape import TailShape, corrected, gamma_percentile, late
from calibration.fitting.calibrate import calibrate
from calibration.fitting.saved import load_calibration, save_calibration
from calibration.predicting.measured_percentiles import deviations, measured_percentiles
from calibration.recordings.header import read_heading
from calibration.recordings.user_table import parse_user_table
from calibration.structures import STRUCTURES

CPU = qm.QueueingStation("cpu", 1, "ps")


def table(stretched=1.0, heading="p95 [ms]", percentiles=True, think="1"):
    """Runs of one processor of which p95 is that of the model, or longer."""
    rows = [f"users,think_time [s],throughput [1/s],response_time [ms],cpu [%],{heading}"]
    for users in (5, 20, 40):
        found = qm.solve(qm.Network([CPU], [qm.ClosedClass("users", users, 1.0)], [[0.02]]))
        p95 = stretched * qm.percentiles(found, 0.95)["users"][0.95]
        last = f"{1e3 * p95:.3f}" if percentiles else ""
        times = f"{1e3 * found.response_times[0]:.4f},{100 * found.station_utilizations[0]:.4f}"
        rows.append(f"{users},{think},{found.throughputs[0]:.5f},{times},{last}")
    return parse_user_table("\n".join(rows))


def few(measured):
    return calibrate(measured, STRUCTURES[:3])


@cache
def fitted(stretched=1.0):
    return few(table(stretched))


@pytest.mark.parametrize(("text", "quantity"), [
    ("p95 [ms]", "p95"), ("p99.9 (ms)", "p99.9"), ("Latency p99 (ms)", "p99"),
    ("95th percentile (ms)", "p95"), ("median response time [s]", "p50"),
])  # fmt: skip
def test_percentiles_are_columns(text, quantity):
    assert read_heading(text).quantity == quantity


@pytest.mark.parametrize("think", ["1", ""])  # as the table says, or as it is fitted
def test_what_the_model_says_is_met(think):
    found = measured_percentiles(few(table(think=think)), table(think=think))
    assert [each.load for each in found] == [5, 20, 40]
    assert all(abs(each.deviation) < 0.05 for each in found)
    (line,) = deviations(found)
    assert line.startswith("measured percentiles are met within")


def test_no_percentile_takes_part_in_the_fit():
    plain = few(table(percentiles=False))
    assert fitted(1.3).best.values == plain.best.values
    assert measured_percentiles(plain, table(percentiles=False)) == ()
    wrong = " ".join(
        fitted(8.0).contradictions
    )  # p95 of 24 times the mean, which no model explains
    assert (wrong.count("it can be at most 20 times"), wrong.count("explained")) == (3, 0)


def test_longer_tails_are_followed_and_named():
    found = measured_percentiles(fitted(1.3), table(1.3))
    assert all(abs(each.deviation) < 0.1 for each in found)
    assert all(each.measured == pytest.approx(1.3 * each.exponential, rel=0.02) for each in found)
    assert all(each.scv > 1.5 for each in found)
    assert "measured p95 is 30 % above that of exponential services" in [*deviations(found)][-1]


def test_constant_services_make_shorter_tails_at_loads_not_measured_too():
    """In order of arrival, 20 ms each; the model's own p95 is 1.4 times as long and more.

    By `qm.simulate`, 200,000 events from seed 1.
    """
    rows = ["5,1,4.8878,20.864,9.78,27.965", "10,1,9.7639,22.109,19.53,36.118",
            "15,1,14.6328,23.579,29.27,39.152", "20,1,19.4778,25.636,38.96,46.900",
            "35,1,33.7138,37.850,67.43,82.494"]  # fmt: skip
    head = "users,think_time [s],throughput [1/s],response_time [ms],cpu [%],p95 [ms]"
    every = parse_user_table("\n".join([head, *rows]))
    low = few(parse_user_table("\n".join([head, *rows[:4]])))
    fit = few(every)
    found = measured_percentiles(replace(fit, shapes=low.shapes), every)
    assert found[-1].load == 35
    assert all(each.exponential > 1.4 * each.measured for each in found)
    assert all(abs(each.deviation) < 0.15 for each in found)
    assert all(each.scv < 0.3 for each in found)


def test_predictions_and_late_shares_follow_the_measured_spread(tmp_path):
    """What the configuration of a calibration says of a percentile and of the share beyond it."""
    found = few(table(0.7))
    save_calibration(found, tmp_path / "cal.json")
    assert load_calibration(tmp_path / "cal.json").shapes == found.shapes
    (tmp_path / "s.toml").write_text(
        'schema = 1\nworkload = { calibration = "cal.json", users = 20, '
        'class = [{ name = "users" }] }\n'
        'targets.slo = "95 % under 100 ms"\n'
    )
    server = advisor.load_config(tmp_path / "s.toml")
    ((share, time),) = predict(server).outlook.class_of("users").tails
    measured = next(t for t in measured_percentiles(found, table(0.7)) if t.load == 20)
    assert (share, time.mid) == (0.95, pytest.approx(measured.predicted, rel=0.03))
    assert time.low < measured.measured < time.high
    found = late_shares(server, "users", time.mid, middle=True)
    assert found.shares[0] == pytest.approx(0.05, rel=0.03)


def test_late_shares_are_the_inverse_of_percentiles_between_measured_ones_too():
    """Without a step where one measured percentile takes over from the other."""
    own = TailShape("users", 0.95, 0.5, 0.5, 0.0), TailShape("users", 0.99, 3.0, 1.0, 0.0)
    shares = [0.5, 0.9, 0.95, 0.96, 0.97, 0.975, 0.98, 0.99, 0.995]
    said = {share: gamma_percentile(0.1, 0.012, share) for share in shares}
    model = 0.1, said, (0.05,)
    times = corrected(own, *model, shares)
    assert [*times.values()] == sorted(times.values())
    found = {
        s: 1.0 - late(own, *model, t, lambda t: gammaincc(1 / 1.2, t / 0.12))
        for s, t in times.items()
    }
    assert found == pytest.approx({share: share for share in times}, abs=1e-4)
    # What the model says of the percentile measured is right: so is all that it says beyond.
    right = TailShape("users", 0.95, 1.0, 1.0, 0.0)
    assert corrected([right], *model, [0.995])[0.995] == pytest.approx(said[0.995])
    assert times[0.97] - times[0.96] == pytest.approx(
        log(4 / 3) / log(5) * (times[0.99] - times[0.95])
    )


def test_a_class_has_its_own():
    named = table(heading="p95:users [ms]")
    (first, *_) = measured_percentiles(few(named), named)
    assert (first.of, first.share) == ("users", 0.95)


def test_a_percentile_of_several_classes_together_is_of_none_of_them():
    rates = (10, 1), (20, 1), (10, 3), (20, 3), (5, 4)
    rows = [f"{a},{b},{2 * a + 10 * b},120" for a, b in rates]
    head = "throughput:browse [1/s],throughput:report [1/s],cpu [%],p95 [ms]"
    mixed = parse_user_table("\n".join([head, *rows]))
    found = calibrate(mixed, STRUCTURES[:1])
    assert (found.shapes, measured_percentiles(found, mixed)) == ((), ())
    assert "p95 of all classes together not used; p95:browse would be of one" in found.data.notes


def test_other_work_of_several_processors_is_no_class_of_them():
    (low,) = (each.fitted for each in recordings() if each.name == "postgresql_read_again")
    found = calibrate(low, anyway=True, weights={"background load": 1.0})
    assert found.best.structure == "background load"
    assert {each.share for each in measured_percentiles(found, low)} >= {0.95, 0.99}
