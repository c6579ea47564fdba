"""Several machines: against networks and simulation, and advice that its own model confirms."""

from math import log

import pytest

import qmodel as qm
from advisor.configuration.promises import Promise
from advisor.forecasting.machines_growth import machines_growth
from advisor.forecasting.user_growth import stated_growth
from advisor.machines.model import layered_model
from advisor.machines.outlook import outlook, users_that_fit
from advisor.machines.pools import judge_pools
from advisor.machines.review import review_machines
from advisor.machines.settings import with_settings, with_targets, with_value
from advisor.machines.tables import machines_of
from advisor.report.machines import fits
from advisor.report.machines_data import review_machines_data  # noqa: F401, rows ask for it
from qmodel.documents.document import parse_document, read_document
from tests.advisor.configurations import ROOT
from tests.tables import asked, rows, text_of

SHOP = ROOT / "examples" / "shop.toml"
TEXT = SHOP.read_text(encoding="utf-8")
#: As busy with a fifth of the users, of whom a simulation soon has narrow intervals.
SHORT = "workload.think_time=1 s"
PERCENTILE = {"mean": "1 s", "p95": "500 ms"}


def shop(*settings):
    return with_settings(machines_of(read_document(SHOP)), list(settings))


def described(name):
    return machines_of(parse_document(text_of(__file__, name)))


def test_without_pools_it_is_a_closed_network():
    text = TEXT.replace("threads = 200\n", "").replace("connections = { orders = 4 }", "")
    found = outlook(machines_of(parse_document(text)), 60)
    stations = [qm.QueueingStation("web", 4), qm.QueueingStation("db", 8),
                qm.QueueingStation("disk", 2)]  # fmt: skip
    network = qm.Network(stations, [qm.ClosedClass("buyers", 60, 5.0)], [0.008, 0.03, 0.01])
    exact = qm.solve(network, method="exact")
    assert found.response_time == pytest.approx(exact.response_times[0], rel=1e-9)
    assert found.row("db disk").utilization == pytest.approx(exact.utilizations[0][2], rel=1e-9)


def test_a_quota_is_a_slower_processor_of_its_own():
    quota = TEXT.replace('cpu = "15 ms"', 'cpu = "15 ms"\ncpu_quota = 1.5')
    quota = quota.replace("cpus = 8", "cpus = 8\ncpu_speed = 0.5")
    model, resources = layered_model(machines_of(parse_document(quota)).file, 10)
    own = next(each for each in model.processors if each.name == "orders quota")
    assert (own.cores, own.speed, resources["orders quota"].size) == (2, 0.375, 1.5)


def test_times_given_replace_all_that_the_file_promises():
    more = '"250 ms"\nslo = "99 % under 2 s"\nclass = { buyers = { p95 = "600 ms" } }'
    machines = machines_of(parse_document(TEXT.replace('"250 ms"', more)))
    assert len(machines.file.targets.of("buyers").limits) == 3
    targets = with_targets(machines, Promise(1.0), None).file.targets
    assert targets.of("buyers").limits == ((None, 1.0),)
    assert targets.utilization == 0.8


@pytest.mark.parametrize("settings", [(), ("service.shop.connections=6", "service.shop.threads=9")])
def test_response_times_are_those_of_simulation(settings):
    machines = shop(*settings, "workload.users=100", SHORT)
    model, _ = layered_model(machines.file, 100)
    simulated = qm.simulate(model, events=120_000, seed=2, seconds=None, replications=8)["buyers"]
    apart = abs(outlook(machines).response_time - simulated.value)
    assert apart <= simulated.half_width + 0.05 * simulated.value


def test_a_full_pool_ends_what_fits_where_nothing_is_promised():
    text = TEXT[: TEXT.index("[targets]")].replace("{ orders = 4 }", "{ orders = 1 }")
    fit, then = users_that_fit(machines_of(parse_document(text)))
    assert then == "shop→orders connections 99 % busy"
    assert 100 < fit < 600


def test_users_that_fit_are_the_most():
    machines = shop()
    fit, then = users_that_fit(machines)
    assert not outlook(machines, fit).missed(machines)
    assert outlook(machines, fit + 1).missed(machines) == [then]


def test_where_all_that_are_tried_fit_more_may(monkeypatch):
    monkeypatch.setattr("advisor.machines.outlook.MOST_USERS", 500)
    said = [fits(users_that_fit(shop(f"workload.users={n}"))) for n in (120, 480, 600)]
    assert said[:2] == ["at least 480 users fit"] * 2
    assert said[2].startswith("503 users fit; with more, ")


def test_percentiles_are_promised_and_kept():
    machines = with_value(shop(SHORT), ("targets", "response_time"), PERCENTILE)
    (fit, then), share = users_that_fit(machines), 0.95
    last = outlook(machines, fit)
    assert last.meets(machines)
    assert outlook(machines, fit + 1).missed(machines) == [then]
    assert then == "p95 above 500 ms"
    model, _ = layered_model(machines.file, fit)
    asked = {"events": 100_000, "seconds": None, "replications": 8, "percentiles": [share]}
    seen = qm.simulate(model, **asked).percentiles[0][0]
    assert abs(last.time("buyers", share) - seen.value) <= seen.half_width + 0.1 * seen.value


def test_growth_crosses_where_users_stop_fitting():
    machines = shop("workload.users=60", SHORT)
    found = machines_growth(machines, stated_growth("5%/month"), [], 3)
    (first, *_), fit = found.crossings, users_that_fit(machines)[0]
    assert fit / 60 <= first.load.mid <= (fit + 1) / 60 * 1.005
    assert first.months.mid == pytest.approx(log(first.load.mid) / log(1.05), rel=1e-3)
    assert first.load.low < first.load.mid < first.load.high
    assert found.upgrades
    assert all(each.bought.mid > 0.0 for each in found.upgrades)


def test_a_pool_that_is_too_small_has_its_least_sizes():
    machines = shop()
    small, *_ = judge_pools(machines)
    assert (small.rule, small.resource.name) == ("POOL001", "shop→orders connections")

    def at(count):
        return outlook(with_value(machines, small.resource.key, count))

    assert not at(small.enough).missed(machines)
    assert at(small.enough - 1).missed(machines)
    wide = at(600).response_time
    assert at(small.of_use).response_time <= 1.02 * wide < at(small.of_use - 1).response_time


def test_a_pool_is_not_blamed_where_the_hardware_is_full():
    machines = shop("machine.db.cpus=1", "workload.users=120", SHORT)
    assert outlook(machines).row("db cpu").utilization > 0.95
    assert not [each for each in judge_pools(machines) if each.rule == "POOL001"]
    found = review_machines(machines)
    assert found.state == "TOO SLOW"
    assert found.plan[0].rule == "CPU001"


def test_the_plan_ends_where_targets_are_met():
    found = review_machines(shop())
    assert (found.state, found.left) == ("TOO SLOW", ())
    changed = found.machines
    for step in found.plan:
        changed = with_value(changed, step.key, step.value)
    assert outlook(changed) == found.plan[-1].after
    assert users_that_fit(changed) == found.fit_after
    assert [p.rule for p in found.pools] == ["POOL001", "POOL002"]
    assert review_machines(changed).state == "FITS"


@pytest.mark.parametrize(("call", "expected"), rows(__file__, "what_is_found"))
def test_what_is_found(call, expected):
    assert asked(call, globals()) == expected


@pytest.mark.parametrize(
    ("old", "new", "problem"), rows(__file__, "a_mistake_is_one_line_with_its_place")
)
def test_a_mistake_is_one_line_with_its_place(old, new, problem):
    with pytest.raises(qm.FileError) as caught:
        machines_of(parse_document(TEXT.replace(old, new, 1), path="shop.toml"))
    assert problem in str(caught.value)
    assert str(caught.value).startswith("shop.toml:")
    assert not caught.value.others


@pytest.mark.parametrize(("setting", "problem"), rows(__file__, "a_wrong_setting_is_one_line"))
def test_a_wrong_setting_is_one_line(setting, problem):
    with pytest.raises(qm.InvalidInput, match=r"^--set") as caught:
        shop(setting)
    assert problem in str(caught.value)
