"""Loads of another kind, or of users who think longer, at laws of the load."""

from dataclasses import replace

import pytest

from calibration.estimation.data import Conditions
from calibration.model_evaluation.answers import answers
from calibration.model_evaluation.model import blank
from calibration.predicting.measured_server import MeasuredLoad, load_of_each

ONE = replace(
    blank(("users",), ("cpu",), reference=110.0), demand=((0.01,),), think_time=(1.09,),
    idling=(0.1,), coherency=(0.2,),
)  # fmt: skip


def run(users, think):
    return Conditions("", (users,), None, (think,), (1,))


@pytest.mark.parametrize("think", [0.49, 1.09, 30.0])
def test_users_count_by_how_often_they_ask(think):
    """As many as ask 50 times a second: half of saturation, however long they think."""
    asked = run(round(50 * (think + 0.01)), think)
    assert ONE.load(asked) == pytest.approx(55.0, rel=0.01)
    (said,) = answers(ONE, [asked])
    demand = said.utilization[0] / said.throughput[0]
    assert demand == pytest.approx(ONE.demand_at(55.0)[0][0], rel=0.01)


def test_a_configuration_counts_alike():
    asked = [MeasuredLoad("users", 1500, 30.0, row=0)]
    assert load_of_each(ONE, (1,), asked, counted=True) == ONE.load(run(1500, 30.0))
