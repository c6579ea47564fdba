"""Targets of percentiles, from the file to the verdict, the load that fits, and the sizing."""

from dataclasses import astuple, replace
from math import inf

import pytest

import qmodel as qm
from advisor.configuration.promises import Promise
from advisor.engine import review
from advisor.findings.targets import missed
from advisor.findings.verdict import verdict_of
from advisor.forecasting.forecast import growth
from advisor.forecasting.user_growth import stated_growth
from advisor.planning.alternatives import whatif
from advisor.predicting.load_curve import predict_users
from advisor.predicting.prediction import networks_of, outlook, peak_networks, predict
from advisor.predicting.saturation import saturation
from advisor.report.html_essentials import essentials
from advisor.report.prediction_data import prediction_data
from advisor.report.sarif import sarif_data
from advisor.sizing.search import size
from qmodel.errors import FileError
from tests.advisor.configurations import measured, quiet
from tests.tables import rows


def busy(users=60, write_share=None, **targets):
    """One class at one core, 60 % busy."""
    return quiet(workload={"users": users}, user={"write_share": write_share}, targets=targets)


def test_a_percentile_is_that_of_the_network_that_is_solved():
    found = outlook(busy(response_time={"mean": "1 s", "p95": "2 s", "p99": "4 s"}))
    (users,) = found.classes
    (server,) = networks_of(busy())
    network, (asked,) = server.network, server.operations
    drives = [k for k, each in enumerate(network.stations) if "disk" in each.name]
    stations, visits = list(network.stations), [float(d > 0.0) for d in network.demand[0]]
    for k, operations in zip(drives, asked, strict=True):  # in order, one after the other
        stations[k] = replace(stations[k], discipline="fcfs")
        visits[k] = operations
    visits[0] += sum(asked)  # about a central server
    served = replace(network, stations=tuple(stations), visit_ratio=(tuple(visits),))
    exact = qm.percentiles(qm.solve(served), (0.95, 0.99))["edit"]
    assert {share: time.mid for share, time in users.tails} == pytest.approx(exact)
    metrics = prediction_data(found)["metrics"]
    assert metrics["p95:edit"]["mid"] == pytest.approx(exact[0.95])


@pytest.mark.parametrize("targets", [
    {"response_time": {"p95": "500 ms"}},
    {"slo": "95 % under 500 ms"},
    {"class": {"edit": {"p95": "500 ms"}}},
])  # fmt: skip
def test_however_it_is_written_it_is_missed_and_the_users_that_fit_meet_it(targets):
    configuration = busy(**targets)
    (late,) = missed(configuration, outlook(configuration))
    assert (late.what, late.limit, late.key) == ("p95 of edit", 0.5, next(iter(targets)))
    verdict = verdict_of(configuration, outlook(configuration))
    assert (verdict.state, verdict.limited_by) == ("TOO SLOW", "p95 of edit")
    assert "the p95 of edit reaches 500 ms" in verdict.limited()
    assert verdict.most.low < 0.9 * verdict.most.mid  # percentiles may be off
    most = int(verdict.most.mid)
    for users, meets in ((most, True), (most + 1, False)):
        (each,) = outlook(busy(users, **targets)).classes
        assert (dict(each.tails)[0.95].mid <= 0.5) == meets


def test_a_class_has_its_own_beside_those_of_all():
    targets = busy(response_time="1 s", **{"class": {"edit": {"mean": "2 s", "p99": "9 s"}}})
    assert targets.settings.targets.of("edit").limits == ((None, 2.0), (0.99, 9.0))
    assert targets.settings.targets.of("search").limits == ((None, 1.0),)
    assert targets.settings.targets.mean_limit(["edit", "search"]) == 2.0


@pytest.mark.parametrize(("targets", "line"), rows(__file__, "what_is_no_target_is_one_line"))
def test_what_is_no_target_is_one_line(targets, line):
    with pytest.raises(FileError) as caught:
        busy(**targets)
    assert line in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_sizing_meets_a_percentile_by_simulation():
    found = size(busy(), response_time=Promise(None, ((0.99, 1.0),)), vary=["server.cpus=1,2,3,4"])
    assert found.response_times == (("p99", 1.0),)
    ((_, cpus),) = found.best.settings
    (users,) = found.best.outlook.classes
    assert dict(users.tails)[0.99].high <= 1.0
    for count, meets in ((cpus, True), (cpus - 1, False)):
        ((_, network),) = peak_networks(quiet(server={"cpus": count}, workload={"users": 60}))
        how = {"events": 40_000, "precision": 1e-9, "seconds": None, "replications": 8}
        seen = qm.simulate(network, percentiles=[0.99], **how)
        assert (seen.percentiles[0][0].value <= 1.0) == meets


def test_a_percentile_has_its_row_on_the_page():
    numbers = essentials(review(busy(response_time={"mean": "9 s", "p95": "99 s"})))["numbers"]
    assert [row[0] for row in numbers[:2]] == ["response time of edit", "p95 of edit"]


def test_percentiles_that_are_asked_for_stand_beside_those_promised():
    promised = busy(response_time={"p95": "2 s"})
    (alone,) = predict(busy(), shares=(0.5, 0.95)).outlook.classes
    (beside,) = predict(promised, shares=(0.5,)).outlook.classes
    assert dict(alone.tails) == pytest.approx(dict(beside.tails))
    (curve,) = predict_users(busy(), [60], shares=(0.95,)).outlooks
    assert dict(curve.classes[0].tails)[0.95].mid == pytest.approx(dict(alone.tails)[0.95].mid)
    assert predict(promised, shares=None).outlook.classes[0].tails == ()


def test_whatif_has_a_row_of_each_percentile():
    found = whatif(busy(response_time={"p95": "2 s"}), {"more": ["server.cpus=2"]})
    (row,) = [d for d in found.alternatives[0].differences if d.quantity == "p95"]
    assert (row.of, row.unit) == ("edit", "s")
    assert row.after.mid < row.before.mid


def test_sarif_names_the_percentile_that_is_missed():
    results = sarif_data(review(busy(slo="95 % under 500 ms")))["runs"][0]["results"]
    (missing,) = [each for each in results if each["ruleId"] == "TGT001"]
    assert "p95 of edit" in missing["message"]["text"]
    assert missing["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "targets.slo"


@pytest.mark.parametrize(("users", "level"), [(12, (0.95, 0.6)), (40, (0.99, 0.85))])
def test_growth_crosses_each_end_of_a_percentile_where_advice_does(users, level):
    """Where a curve is still flat, its slope does not say where it rises."""
    share, limit = level
    server = busy(users, slo=f"{100 * share} % under {limit} s", write_share=0.5)
    (crossing,) = growth(server, stated_growth("3%/month"), upgrades=[]).crossings
    assert crossing.target == f"p{100 * share:.0f} of edit"
    assert crossing.months.low <= crossing.months.mid <= crossing.months.high
    for load, end in zip(astuple(crossing.load), ("high", "mid", "low"), strict=True):
        (of_class,) = outlook(server.with_users(round(users * load))).classes
        assert getattr(dict(of_class.tails)[share], end) == pytest.approx(limit, rel=0.02)
    late = missed(server, outlook(server))
    assert any(each.certain for each in late) == (crossing.months.high == 0.0)


def test_a_world_with_a_steady_state_has_percentiles_where_the_middle_has_none():
    load = {"workload": {"arrival_rate": "1 /s"}, "targets": {"response_time": {"p95": "1 s"}}}
    most = saturation(measured(**load)).throughput.mid
    load["workload"]["arrival_rate"] = f"{1.001 * most!r} /s"
    found = predict(measured(**load))
    late = [tails["edit", 0.95] / times["edit"]
            for tails, times in zip(found.tails, found.times, strict=True)
            if times["edit"] < inf]  # fmt: skip
    assert late
    assert min(late) > 2.0
