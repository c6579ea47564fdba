"""Growth: the month of a crossing against closed forms, and its uncertainty."""

import copy
import re
from dataclasses import astuple
from math import exp, inf, log
from statistics import NormalDist

import numpy as np
import pytest
from rich.console import Console
from scipy.special import stdtrit

import advisor
from advisor.configuration.changed_keys import change_of
from advisor.configuration.changes import Change
from advisor.forecasting.user_growth import fitted_growth, stated_growth
from advisor.predicting.highest_load import highest_loads
from advisor.predicting.prediction import predict
from advisor.report.growth import show_growth
from qmodel.errors import FileError, InvalidInput
from tests.advisor.configurations import QUIET, configured, measured, quiet
from tests.tables import rows

SLOW = quiet(targets={"response_time": "1 s"}, user={"write_share": 0.5})


def users_at(configuration, time):
    """Users that just meet a response time, by trying one by one."""
    users = 1
    while predict(configuration.with_users(users)).outlook.classes[0].response_time.mid <= time:
        users += 1
    return users - 1


def test_a_stated_rate_alone_crosses_when_the_logarithm_says():
    (crossing,) = advisor.growth(SLOW, stated_growth("5%/month"), upgrades=[]).crossings
    least = users_at(SLOW, 1.0)
    months = [log(n / 5.0) / log(1.05) for n in (least, least + 1)]
    assert months[0] <= crossing.months.mid <= months[1]
    assert crossing.months.low == crossing.months.high
    for month, probability in crossing.probabilities:
        assert probability == (1.0 if month >= crossing.months.mid else 0.0)


def test_an_uncertain_rate_has_the_probability_of_the_normal_distribution():
    found = advisor.growth(SLOW, stated_growth("5 +- 2 %/month"), upgrades=[])
    sure = advisor.growth(SLOW, stated_growth("5%/month"), upgrades=[])
    needed = sure.first.months.mid * log(1.05)
    for month, probability in found.first.probabilities:
        # It is missed by then if the slope is at least needed / month.
        expected = 1.0 - NormalDist(log(1.05), 0.02 / 1.05).cdf(needed / month)
        assert probability == pytest.approx(expected, abs=0.012)


def test_the_seed_decides_and_nothing_else():
    rate = stated_growth("3+-1%/month")
    once = advisor.growth(SLOW, rate, upgrades=[])
    assert advisor.growth(SLOW, rate, upgrades=[]) == once
    other = advisor.growth(SLOW, rate, upgrades=[], seed=7)
    assert other != once
    assert other.first.months.mid == pytest.approx(once.first.months.mid, rel=0.03)


def test_an_upgrade_buys_the_logarithm_of_the_load_it_adds():
    twice = Change("twice", ((("server", "cpu_speed"), 2.0),))
    slow = quiet(
        targets={"response_time": "1 s"}, user={"disk_kb": 0, "lan_kb": 0},
        workload={"think_time": "10 s"},
    )  # fmt: skip
    found = advisor.growth(slow, stated_growth("5%/month"), upgrades=[twice])
    (upgrade,) = found.upgrades
    before, after = users_at(slow, 1.0), users_at(twice.apply(slow), 1.0)
    assert upgrade.bought.mid == pytest.approx(log(after / before) / log(1.05), abs=1.0)
    assert upgrade.months.mid == pytest.approx(found.first.months.mid + upgrade.bought.mid)


def test_calibrations_widen_the_month():
    configuration = measured(targets={"response_time": "1400 s"})
    found = advisor.growth(configuration, stated_growth("3%/month"), upgrades=[])
    (crossing,) = found.crossings
    assert crossing.load.low < crossing.load.mid < crossing.load.high
    assert crossing.months.low < crossing.months.mid < crossing.months.high
    # Where all that is uncertain is the load, its interval is that of the month.
    for end in ("low", "high"):
        load = getattr(crossing.load, end)
        assert getattr(crossing.months, end) == pytest.approx(log(load) / log(1.03), rel=0.25)


def test_missed_already_and_never():
    configuration = quiet(targets={"response_time": "0.01 s", "utilization": "90 %"})
    found = advisor.growth(configuration, stated_growth("3%/month"), upgrades=[])
    months = {c.target: c.months.mid for c in found.crossings}
    assert months["response time of edit"] == 0.0
    assert months["utilization of disk"] == inf  # the processor saturates long before
    assert 0.0 < months["utilization of cpu"] < inf
    assert found.first.months.mid == 0.0
    assert found.first.probabilities[0][1] == 1.0


def test_arrivals_grow_by_their_rate():
    """M/M/1: R = D / (1 - lambda D), so a target T is crossed at lambda = 1 / D - 1 / T."""
    configuration = quiet(
        workload={"arrival_rate": "2 /s"}, user={"disk_kb": 0, "lan_kb": 0},
        targets={"response_time": "500 ms"},
    )  # fmt: skip
    (loads,) = highest_loads(configuration, (("response time of edit", 0.5),))
    assert loads.of_ways == pytest.approx(((1 / 0.1 - 1 / 0.5) / 2.0,), rel=0.002)


def test_advice_and_twice_as_many_parts_are_tried():
    titles = [u.title for u in advisor.growth(SLOW, stated_growth("3%/month")).upgrades]
    assert {"use 2 processors", "use 8 drives", "use 2 LAN segments"} <= set(titles)


def test_other_work_is_no_upgrade():
    configuration = measured(targets={"response_time": "1400 s"})
    other = change_of(configuration, ("workload.class[0].task=rebuild_view",))
    with pytest.raises(InvalidInput, match="changes the load"):
        advisor.growth(configuration, stated_growth("3%/month"), upgrades=[other])


def history(tmp_path, rows, header="month,users"):
    path = tmp_path / "users.csv"
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def test_the_fit_is_that_of_the_textbook(tmp_path):
    """Slope, its error, and the interval of one more month by the formulas of least squares."""
    at = np.arange(-5.0, 1.0)
    users = np.array([300, 310, 325, 330, 345, 352.0])
    rows = [f"{int(m)},{n}" for m, n in zip(at, users, strict=True)]
    found = fitted_growth(history(tmp_path, [*reversed(rows), ""]))
    logs, middle = np.log(users), at.mean()
    spread = ((at - middle) ** 2).sum()
    slope = ((at - middle) * logs).sum() / spread
    residuals = logs - logs.mean() - slope * (at - middle)
    scatter = (residuals @ residuals / 4) ** 0.5
    assert found.slope == pytest.approx(slope)
    assert found.slope_error == pytest.approx(scatter / spread**0.5)
    assert found.per_month.high == pytest.approx(
        exp(slope + stdtrit(4, 0.95) * scatter / spread**0.5) - 1.0
    )
    now, _ = found.draw(0.0, 200_000, np.random.default_rng(3))
    ahead = stdtrit(4, 0.95) * scatter * (1 + 1 / 6 + middle**2 / spread) ** 0.5
    line = logs.mean() - slope * middle
    assert np.quantile(now, [0.05, 0.95]) == pytest.approx([line - ahead, line + ahead], abs=2e-4)


@pytest.mark.parametrize(("rows", "header", "problem"), rows(__file__, "bad_histories"))
def test_bad_histories(tmp_path, rows, header, problem):
    with pytest.raises(FileError) as caught:
        fitted_growth(history(tmp_path, rows, header))
    assert problem in str(caught.value)


@pytest.mark.parametrize("text", ["3", "3/month", "3%", "three%/month", "3%/week", "-100%/month"])
def test_bad_rates(text):
    with pytest.raises(InvalidInput, match="--growth"):
        stated_growth(text)


def test_a_year_is_twelve_months():
    assert stated_growth("40%/year").per_month.mid == pytest.approx(1.4 ** (1 / 12) - 1)


def test_growth_needs_a_target():
    with pytest.raises(InvalidInput, match="no target"):
        advisor.growth(quiet(), stated_growth("3%/month"))


ARRIVING = quiet(
    workload={"arrival_rate": "2 /s", "users": 200},
    targets={"utilization": "75 %"}, user={"disk_kb": 1, "lan_kb": 1},
)  # fmt: skip


def test_what_saturates_is_named_and_nothing_else_is_crossed_there():
    """U = lambda D: the processor, of 0.1 s, saturates at 10 /s; the LAN stays idle."""
    found = advisor.growth(ARRIVING, stated_growth("3%/month"), upgrades=[])
    loads = {c.target: c.load for c in found.crossings}
    assert loads["utilization of cpu"].mid == pytest.approx(0.75 / 0.1 / 2.0, rel=0.002)
    assert loads["utilization of lan"] is None
    assert loads["utilization of disk"] is None
    assert found.saturates == "cpu"
    assert found.saturation.mid == pytest.approx(1.0 / 0.1 / 2.0, rel=0.002)
    assert found.arrival_rate == 2.0


def test_a_calibrated_server_grows_by_its_models_and_may_have_other_drives():
    server = advisor.load_config("examples/mail_server_calibrated.toml")
    found = advisor.growth(server, stated_growth("3%/month"))
    for ends in zip(
        *map(astuple, (found.crossings[0].load, found.crossings[0].months)), strict=True
    ):
        assert ends[1] == pytest.approx(log(ends[0]) / log(1.03), rel=0.02)
    assert "disk.drives" in {str(key) for each in found.upgrades for key, *_ in each.settings}


def test_what_one_user_alone_misses_no_load_meets(capsys):
    """A class of which there is nobody meets its target; its first user does not."""
    data = copy.deepcopy(QUIET)
    data["workload"]["users"] = 100
    data["workload"]["class"] = [
        {"name": "mail", "share": 0.8, "cpu": "10 ms"},
        {"name": "report", "share": 0.2, "cpu": "3 s"},
    ]
    data["targets"] = {"response_time": "2 s"}
    found = advisor.growth(configured(data), stated_growth("-5%/month"), upgrades=[])
    loads = {c.target: c.load for c in found.crossings}
    assert loads["response time of report"].high == 0.0
    show_growth(Console(width=200), found)
    assert re.search("report 2 s +now +no load", capsys.readouterr().out)


def test_what_another_resource_keeps_from_filling_is_not_never(capsys):
    data = copy.deepcopy(QUIET)
    asks = {"name": "a", "cpu": "0.1 s", "lan_kb": 10}
    data["workload"] = {"arrival_rate": "2 rps", "class": [asks]}
    data["targets"] = {"utilization": "80 %"}
    show_growth(Console(width=200), advisor.growth(configured(data), stated_growth("5%/month")))
    told = capsys.readouterr().out
    assert re.search("utilization of lan 80 % +cpu fills first +- ", told)
    assert "never" not in told


def test_an_option_overrides_its_own_target_alone():
    both = quiet(targets={"response_time": "2 s", "utilization": "60 %"})
    found = advisor.growth(both, stated_growth("3%/month"), upgrades=[], response_time=1.0)
    limits = {c.target: c.limit for c in found.crossings}
    assert limits["response time of edit"] == 1.0
    assert limits["utilization of cpu"] == 0.6
    assert found.kept == ("utilization",)
