"""Error budgets: by the hour, by what is waited for, after a change and with growth."""

import io
import re
from math import exp

import pytest
from rich.console import Console

import qmodel as qm
from advisor.budgets.budget import budgets
from advisor.forecasting.user_growth import stated_growth
from advisor.predicting.late_shares import late_shares, late_without_queue
from advisor.predicting.prediction import outlook, peak_networks
from advisor.report.budget import budget_data, budget_picture, show_budgets
from calibration.estimation.tail_shape import BEYOND
from qmodel.errors import InvalidInput
from tests.advisor.configurations import quiet

SLO = {"targets": {"slo": "99 % under 1 s"}}
DAY = {"users": 60, "profile": {"08:00": "100 %", "18:00": "20 %"}}


def test_an_hour_burns_what_is_late_in_it_over_what_may_be():
    (found,) = budgets(quiet(workload=DAY, **SLO))
    busy, calm = found.hours[9], found.hours[20]
    assert (busy.users, calm.users) == (60, 12)
    for hour, users in ((busy, 60), (calm, 12)):
        each = quiet(workload={"users": users}, **SLO)
        assert hour.late.mid == pytest.approx(late_shares(each, "edit", 1.0).shares[0])
        assert hour.burn_rate == pytest.approx(hour.late.mid / 0.01)
    total = sum(hour.requests for hour in found.hours)
    late = sum(hour.requests * hour.late.mid for hour in found.hours)
    assert found.burnt.mid == pytest.approx(late / total / 0.01)
    assert sum(hour.burnt for hour in found.hours) == pytest.approx(found.burnt.mid)
    assert (found.requests, found.late) == pytest.approx((28 * total, 28 * late))
    assert dict(found.at)["cpu"] > 0.9


def test_a_late_share_is_the_other_side_of_a_percentile_and_met_by_simulation():
    configuration = quiet(workload={"users": 60}, targets={"response_time": {"p95": "9 s"}})
    (users,) = outlook(configuration).classes
    p95 = dict(users.tails)[0.95].mid
    found = late_shares(configuration, "edit", p95)
    assert found.shares[0] == pytest.approx(0.05, rel=1e-3)
    ((_, network),) = peak_networks(configuration)
    how = {"events": 60_000, "precision": 1e-9, "seconds": None, "replications": 8}
    seen = qm.simulate(network, target=p95, **how)
    assert abs(seen.late_shares[0].value - 0.05) < 3 * seen.late_shares[0].half_width + 0.002


def test_growth_burns_more_and_a_change_less():
    (grown,) = budgets(quiet(workload=DAY | {"users": 34}, **SLO), stated_growth("5%/month"))
    parts = [part for _, part in grown.grown]
    assert parts == sorted(parts)
    assert parts[0] == pytest.approx(grown.burnt.mid)
    assert parts[0] < 1.0 < parts[-1]
    assert all((part > 1.0) == (month > grown.lasts) for month, part in grown.grown)
    (better,) = budgets(quiet(workload=DAY | {"users": 34}, server={"cpus": 4}, **SLO))
    assert better.burnt.mid < 0.3 * grown.burnt.mid
    data = budget_data([grown], [better])
    assert data["after"][0]["burnt"]["mid"] == better.burnt.mid
    picture = budget_picture(grown, better)
    assert "Burn rate of the error budget of p99 of edit" in picture.alt
    assert picture.svg.count("<path") >= 2


def test_batch_work_burns_in_its_hours():
    job = {"name": "night", "cpu": "2 s", "start": "20:00", "duration": "2 h"}
    (found,) = budgets(quiet(workload=DAY, batch=[job], **SLO))
    (short,) = budgets(quiet(workload=DAY, batch=[job | {"duration": "15 min"}], **SLO))
    (without,) = budgets(quiet(workload=DAY, **SLO))
    late = [[hour.late.mid for hour in each.hours] for each in (found, short, without)]
    assert [i for i, (a, _, b) in enumerate(zip(*late, strict=True)) if a > b] == [20, 21]
    # A quarter of an hour is no hour: by the requests of it, a little fewer beside the task.
    assert (late[1][20] - late[2][20]) / (late[0][20] - late[2][20]) == pytest.approx(0.25, 0.05)


def test_what_advice_calls_at_risk_is_no_budget_that_surely_lasts():
    """The range holds the share that is late if all times are longer by what they may be off."""
    sure = {"workload": DAY | {"users": 30}, "user": {"write_share": 0.5}}
    (found,) = budgets(quiet(**sure, **SLO))
    assert found.burnt.low < found.burnt.mid < 1.0 < found.burnt.high
    longer = [budgets(quiet(**sure, targets={"slo": f"99 % under {exp(-way * BEYOND)} s"}))[0]
              for way in (-1, 1)]  # fmt: skip
    assert (found.burnt.low, found.burnt.high) == pytest.approx(
        tuple(each.burnt.mid for each in longer)
    )
    console = Console(width=120, record=True, file=io.StringIO())
    show_budgets(console, quiet(**sure, **SLO), [found])
    assert re.search(r"under 1 s +\? \d.*up to 12 % longer", console.export_text(), re.DOTALL)


def test_an_overloaded_hour_burns_all_that_arrives_in_it():
    over = {"arrival_rate": "14 /s", "peak": ["08:00", "18:00"], "users": 1}
    (found,) = budgets(quiet(workload=over, **SLO))
    assert found.hours[9].requests == pytest.approx(14 * 3600)
    assert found.burnt.mid == pytest.approx(100 * 10 / (10 + 14 * 0.1), rel=0.01)
    console = Console(width=120, record=True, file=io.StringIO())
    show_budgets(console, quiet(workload=over, **SLO), [found])
    assert "Outside 08:00-18:00 10 % of the load is assumed" in console.export_text()


def test_a_changed_level_has_a_row_of_its_own():
    levels = {text: quiet(workload=DAY, targets={"slo": text}) for text in
              ("99 % under 1 s", "99 % under 9 s")}  # fmt: skip
    console = Console(width=120, record=True, file=io.StringIO())
    show_budgets(console, levels["99 % under 1 s"], *map(budgets, levels.values()))
    said = console.export_text()
    assert re.search(r"99 % of edit under 1 s +✗ \d.* -\s*\n", said)
    assert re.search(r"99 % of edit under 9 s +- +✓ \d", said)
    assert re.search(r"After the change, in 28 days .* take longer than 9 s", said)


@pytest.mark.parametrize("targets", [{"utilization": "80 %"}, {"response_time": "1 s"}])
def test_a_mean_has_no_budget(targets):
    with pytest.raises(InvalidInput, match='give --slo "99 % under 250 ms"'):
        budgets(quiet(targets=targets))


def test_a_late_share_is_of_the_class_asked_about():
    """To which another that comes back to the processor from fast drives was there all the time."""
    classes = [
        {"name": name, "share": part, "cpu": cpu, "disk_kb": kb}
        for name, part, cpu, kb in (("look", 0.9, "60 ms", 400), ("report", 0.1, "600 ms", 9000))
    ]
    configuration = quiet(
        server={"cpus": 2},
        disk={"drive": "NVMe SSD", "raid": "raid1", "drives": 2, "stripe": None},
        workload={"users": 60, "think_time": "4 s", "class": classes},
        targets={"response_time": {"p95": "9 s"}},
    )  # fmt: skip
    p95 = dict(outlook(configuration).class_of("look").tails)[0.95].mid
    assert late_shares(configuration, "look", p95).shares[0] == pytest.approx(0.05, rel=1e-3)


def test_a_late_share_of_replicas_is_the_other_side_of_a_percentile_too():
    """Also without waiting where hardly anybody waits."""
    load = {"server": {"replicas": 4}, "workload": {"users": 240}}
    configuration = quiet(**load, targets={"response_time": {"p95": "9 s"}})
    (users,) = outlook(configuration).classes
    p95 = dict(users.tails)[0.95].mid
    assert late_shares(configuration, "edit", p95).shares[0] == pytest.approx(0.05, rel=1e-3)
    assert late_without_queue(configuration, "edit", p95)["lan"] == pytest.approx(0.05, rel=0.1)
