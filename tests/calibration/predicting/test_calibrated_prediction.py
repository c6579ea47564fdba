"""Predictions of calibrated systems: intervals, saturation, changes."""

from dataclasses import replace
from math import log

import pytest

from calibration.estimation.data import Conditions
from calibration.fitting.calibrate import calibrate
from calibration.fitting.profile import profiles
from calibration.model_evaluation.answers import answers
from calibration.model_evaluation.model import blank
from calibration.predicting.mixture import Estimate, mixture
from calibration.predicting.prediction import predict, predict_all
from calibration.predicting.saturation import saturation_point
from calibration.predicting.worlds import interval
from calibration.recordings.user_table import parse_user_table
from calibration.structures import STRUCTURES
from qmodel import ClosedClass, Network, QueueingStation, solve
from qmodel.errors import InvalidInput
from tests.calibration.synthetic import model, runs, table
from tests.tables import asked, rows

BY_NAME = {s.name: s for s in STRUCTURES}
SOME = [BY_NAME[n] for n in ("product form", "hidden delay", "hidden queue", "scale factor")]


@pytest.fixture(scope="module")
def fitted():
    text = table(model(), runs((1, 3, 6, 10)), seed=7)
    return calibrate(parse_user_table(text), candidates=SOME)


def test_low_mid_high_hold_the_truth(fitted):
    found = predict(fitted, 30)
    (truth,) = answers(model(), runs([30]))
    assert found.extrapolated
    assert "3 times" in found.beyond
    for name, value in (
        ("throughput", truth.throughput[0]), ("response_time", truth.response_time[0]),
        ("utilization:cpu", truth.utilization[0]), ("utilization:disk", truth.utilization[1]),
    ):  # fmt: skip
        assert found[name].low <= found[name].mid <= found[name].high
        assert found[name].low <= value <= found[name].high, name
    assert found["utilization:cpu"].high <= 1.0


def test_within_the_measured_loads_is_interpolation(fitted):
    assert not predict(fitted, 5).extrapolated
    assert not predict(fitted, 5).beyond
    assert predict(fitted).population == (10,)


def test_many_at_once_are_one_by_one(fitted):
    together = predict_all(fitted, [2, 20])
    # The saturation point of a varying demand aside, each is what it is alone.
    assert together[0].metrics == predict(fitted, 2).metrics
    assert together[1] == predict(fitted, 20)


def test_further_is_wider(fitted):
    def width(n):
        found = predict(fitted, n)["response_time"]
        return log(found.high / found.low)

    assert width(5) < width(40)


def test_models_that_differ_widen_and_are_named():
    """At one load a scale factor does what a delay does; at another they part."""
    text = table(model(hidden_delay=(0.6,)), runs([12]), seed=2, repeat=3)
    found = predict(calibrate(parse_user_table(text), candidates=SOME), 40)
    said = {name: value for m in found.metrics if m.name == "response_time"
            for name, value in m.by_model}  # fmt: skip
    assert len(said) >= 2
    interval = found["response_time"]
    assert all(interval.low * 0.98 <= value <= interval.high * 1.02 for value in said.values())
    assert found.disagree
    assert set(found.disagree) < set(said)


def test_one_model_without_uncertainty_but_noise():
    assert mixture([Estimate("a", 1.0, 5.0, 0.0, 0.0)]).low == pytest.approx(5.0)


def test_a_mixture_reaches_over_the_models_by_their_weights():
    heavy = mixture([Estimate("a", 0.99, 5.0, 0.01, 0.01), Estimate("b", 0.01, 50.0, 0.01, 0.01)])
    assert heavy.high < 5.2
    even = mixture([Estimate("a", 0.5, 5.0, 0.01, 0.01), Estimate("b", 0.5, 50.0, 0.01, 0.01)])
    assert even.low == pytest.approx(5.0, rel=0.02)
    assert even.high == pytest.approx(50.0, rel=0.02)


def test_saturation_is_where_the_asymptotes_meet(fitted):
    found = predict(fitted, 30).saturation
    network = Network(
        [QueueingStation("cpu"), QueueingStation("disk")], [ClosedClass("u", 1, 3.0)], [0.2, 0.1]
    )
    assert found.station == "cpu"
    assert found.users.low < (0.3 + 3.0) / 0.2 < found.users.high
    assert found.throughput.low < 5.0 < found.throughput.high
    assert solve(network.with_population(1000)).throughputs[0] == pytest.approx(5.0)


@pytest.mark.parametrize(("changes", "users", "throughput"), rows(__file__, "saturation_by_hand"))
def test_saturation_by_hand(changes, users, throughput):
    found = saturation_point(model(**asked(changes, globals())), runs([10])[0])
    assert found.users == pytest.approx(asked(users, globals()))
    assert found.throughput == pytest.approx(throughput)


def test_saturation_has_the_demands_of_saturation():
    for law, demand in (("waking", 0.2), ("coherency", 0.26), ("second_thread", 0.26)):
        found = saturation_point(model(**{law: (0.3, 0.0)}), runs([10])[0])
        assert found.users == pytest.approx((demand + 0.1 + 3.0) / demand, rel=1e-6)
    found = saturation_point(model(pool=(1.2,)), runs([10])[0])
    # By mean value analysis: 1 / 0.3 with one place, 2 / (0.2 (1 + 2/3) + 0.1 (1 + 1/3)) with two.
    rate = 0.8 / 0.3 + 0.2 * 2 / (0.2 * (1 + 2 / 3) + 0.1 * (1 + 1 / 3))
    assert (found.station, found.throughput) == ("pool", pytest.approx(rate))


def test_changes_are_those_of_the_model(fitted):
    base = predict(fitted, 30)
    faster = predict(fitted, 30, {"speed:cpu": 2.0})
    assert faster["response_time"].mid < base["response_time"].mid
    assert "not as measured: speed:cpu 2" in faster.beyond
    (truth,) = answers(replace(model(), demand=((0.1, 0.1),)), runs([30]))
    assert faster["response_time"].low < truth.response_time[0] < faster["response_time"].high
    assert predict(fitted, 30, {"demand:cpu": 0.5}).metrics == faster.metrics
    more = predict(fitted, 30, {"servers:cpu": 2})
    (truth,) = answers(model(), runs([30], servers=(2, 1)))
    assert more["throughput"].low < truth.throughput[0] < more["throughput"].high
    longer = predict(fitted, 30, {"think_time": 6.0})
    (truth,) = answers(model(), runs([30], think=6.0))
    assert longer["throughput"].low < truth.throughput[0] < longer["throughput"].high


@pytest.mark.parametrize(("population", "change", "words"), rows(__file__, "bad_questions"))
def test_bad_questions(fitted, population, change, words):
    change = asked(change, globals())
    with pytest.raises(InvalidInput, match=words):
        predict(fitted, population, change)


def test_profiles_agree_with_standard_errors_where_the_model_is_nearly_linear(fitted):
    plain = fitted.model("product form")
    for i, found in enumerate(profiles(fitted, "product form")):
        low, high = plain.interval(i)
        assert not found.low_open
        assert not found.high_open
        assert found.low == pytest.approx(low, rel=2e-3)
        assert found.high == pytest.approx(high, rel=2e-3)


def test_a_profile_is_open_where_the_data_do_not_end_it():
    """A hidden queue that is barely loaded may as well be nothing."""
    text = table(model(), runs((1, 2, 3)), seed=1)
    found = calibrate(parse_user_table(text), candidates=SOME[:2])
    delay = next(p for p in profiles(found, "hidden delay") if p.name == "hidden delay")
    assert delay.low == 0.0
    assert delay.low_open
    assert not delay.high_open


def test_without_counted_users_a_think_time_is_asked_for():
    text = "throughput [1/s],cpu\n1.000,10.0\n2.000,20.0\n3.000,30.0\n4.000,40.0\n"
    found = calibrate(parse_user_table(text), candidates=SOME[:1])
    with pytest.raises(InvalidInput, match="--rate, or give --change think_time"):
        predict(found, 5)
    said = predict(found, 5, {"think_time": 1.0})
    truth = answers(
        replace(blank(("users",), ("cpu",)), demand=((0.1,),)),
        [Conditions("", (5,), None, (1.0,), (1,))],
    )[0]
    assert said["throughput"].low < truth.throughput[0] < said["throughput"].high
    assert said.extrapolated


def test_predictions_and_the_calibration_tell_the_same_models_apart():
    """Two processors, whose hidden queue is as good as a delay: one run would not tell which."""
    fitted = calibrate(
        parse_user_table(
            "population,think_time [s],throughput [1/s],response_time [ms],utilization:cpu [%],"
            "utilization:disk [%],servers:cpu\n"
            "5,10,0.4815,399.5,5.96,4.37,2\n10,10,0.9588,401.3,12.2,8.67,2\n"
            "20,10,1.918,428.3,24.3,17.3,2\n40,10,3.828,505.1,47.4,34.1,2\n"
            "60,10,5.534,687,69,50.4,2\n80,10,7.134,1191,89.4,63.5,2\n"
        )
    )
    assert len(fitted.admissible) >= 2
    part = any("nothing that could be measured" not in each.measure for each in fitted.unknown)
    for each in predict_all(fitted, [80, 100, 160, 320]):
        assert part or not each.disagree


@pytest.mark.parametrize(("weight", "ends"), [(0.02, (0, 0)), (0.3, (0, 0.6)), (0.97, (0.6, 0.6))])
def test_what_only_some_models_have_counts_by_their_weight(weight, ends):
    """At a weight w of models that say 0.6 the 5 % and the 95 % quantile are 0 or 0.6."""
    found = interval([("plain", 1.0 - weight, 0), ("hidden", weight, 0)], [0.0, 0.6], most=1.0)
    assert (found.low, found.high) == pytest.approx(ends)


def test_idling_costs_each_class_the_same_time_and_varies_with_what_is_busy():
    """D_c + D_min (x^-a - 1) at x of saturation, however classes are mixed."""
    two = replace(blank(("a", "b"), ("cpu",)), demand=((0.01,), (0.04,)), idling=(0.5,))
    for rates in ((25.0, 0.0), (5.0, 5.0)):  # a quarter of one server
        run = Conditions("", None, rates, (None, None), (1,))
        assert two.load(run) == pytest.approx(0.25)
        assert [row[0] for row in two.demand_at(two.load(run))] == pytest.approx([0.02, 0.05])
    assert saturation_point(two, run).throughput == pytest.approx(2.0 / 0.05)


def test_more_users_than_are_solved_are_refused_in_a_line():
    fitted = calibrate(parse_user_table(table(model(), runs())), candidates=SOME[:1])
    with pytest.raises(InvalidInput, match="20,000,000 users: at most 1,000,000"):
        predict(fitted, 20_000_000)
