"""Predictions by requests per second, of tables that count users and of those that do not."""

from math import inf

import pytest

from calibration.fitting.calibrate import calibrate
from calibration.predicting.prediction import predict, predict_all
from calibration.recordings.user_table import parse_user_table
from qmodel import Network, OpenClass, QueueingStation, solve
from qmodel.errors import InvalidInput

RATES = (50, 100, 200, 300, 350)


@pytest.fixture(scope="module")
def by_rate():
    """Eight cores of 20 ms and a disk of 1 ms, exactly, at five rates."""
    rows = ["throughput [1/s],response_time [ms],cpu,utilization:disk [%],servers:cpu"]
    for rate in RATES:
        found = solve(exact(rate))
        cpu, disk = (100 * each for each in found.station_utilizations)
        rows.append(f"{rate},{1e3 * found.response_times[0]:.4f},{cpu:.3f},{disk:.3f},8")
    return calibrate(parse_user_table("\n".join(rows) + "\n"))


def exact(rate):
    stations = [QueueingStation("cpu", 8), QueueingStation("disk")]
    return Network(stations, [OpenClass("request", rate)], [[0.020, 0.001]])


@pytest.mark.parametrize("rate", [10, 350, 380])
def test_the_exact_answer_lies_in_the_interval(by_rate, rate):
    found, truth = predict(by_rate, rate=rate), solve(exact(rate))
    assert truth.response_times[0] in found["response_time"]
    assert found["throughput"].mid == pytest.approx(rate)
    assert found.load == rate
    assert found.extrapolated == (rate != 350)


def test_beyond_what_can_be_served_no_time_has_a_bound(by_rate):
    near, over = predict_all(by_rate, rates=[390, 600])
    assert over["response_time"].mid == over["response_time"].high == inf
    assert over["throughput"].mid == pytest.approx(400, rel=0.02)
    assert over["utilization:cpu"].mid == pytest.approx(1.0)
    assert over["utilization:disk"].mid == pytest.approx(0.4, rel=0.05)
    assert near["response_time"].mid < inf
    assert over.saturation.users is None


def test_without_a_load_the_fastest_run_is_predicted(by_rate):
    assert predict(by_rate).load == 350
    with pytest.raises(InvalidInput, match="ask for rates with --rate"):
        predict(by_rate, 10)
    assert predict(by_rate, 10, {"think_time": 1.0})["throughput"].mid == pytest.approx(9.8, 0.01)


def test_users_that_were_counted_can_be_asked_about_by_rate():
    """The demands are the same; what arrives does not wait for answers."""
    text = (
        "users,think_time [s],throughput [1/s],cpu\n1,2,0.4,20.0\n4,2,1.379,68.9\n8,2,1.939,97.0\n"
    )
    found = predict(calibrate(parse_user_table(text)), rate=1.6)
    assert 0.5 / (1 - 0.8) in found["response_time"]
    assert not found.extrapolated


@pytest.mark.parametrize("rate", [0, -1, float("nan"), inf, [1, 2]])
def test_rates_that_mean_nothing(by_rate, rate):
    with pytest.raises(InvalidInput, match="rate"):
        predict(by_rate, rate=rate)
    with pytest.raises(InvalidInput, match="not for both"):
        predict(by_rate, 10, rate=10)
