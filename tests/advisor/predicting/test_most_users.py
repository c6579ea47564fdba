"""The most users within a limit: what counting one by one finds."""

from math import inf

import pytest

import advisor
from advisor.findings.targets import missed, share_of_targets
from advisor.predicting.highest_load import Found, _largest
from advisor.predicting.most_users import most_users
from advisor.predicting.side_by_side import side_by_side
from tests.advisor.configurations import batch, measured, quiet

CASES = {
    "one class": quiet(user={"cpu": "0.4 s"}, workload={"users": 60}),
    "two classes": quiet(workload={"users": 40, "class": [{"name": "edit", "cpu": "0.3 s",
     "disk_kb": 200, "share": 0.7}, {"name": "store", "cpu": "0.1 s", "disk_kb": 900,
     "share": 0.3}]}),
    "calibrated": measured(workload={"users": 30}),
    "with a task": quiet(user={"cpu": "0.4 s"}, workload={"users": 30}, batch=[batch(cpu="9 s")]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("limit", [0.3, 0.6, 0.8, 0.95])
def test_it_is_what_counting_finds(name, limit):
    """From the top, user by user, every variant in full."""
    configuration = CASES[name]

    def excess(outlook):
        return outlook.resource("cpu").utilization.high / limit

    users = configuration.settings.workload.users
    counted = next(
        (
            n
            for n in range(users, 0, -1)
            if excess(advisor.predict(configuration.with_users(n)).outlook) <= 1.0
        ),
        0,
    )
    found = most_users(configuration, excess)
    few = advisor.predict(configuration.with_users(max(counted, 1))).outlook
    everybody = len([c for c in few.classes if not c.batch]) == len(
        configuration.settings.workload.classes
    )
    assert found == (counted if everybody else 0)


@pytest.mark.parametrize(("share", "found"), [(0.5, 5), (1.0, 5), (1.0001, 0), (inf, 0)])
def test_ends(share, found):
    assert most_users(quiet(), lambda _: share) == found


@pytest.mark.parametrize(
    "targets", [None, {"response_time": "0.14 s"}, {"utilization": "4 %"}, {"response_time": "9 s"}]
)
def test_a_share_beyond_one_is_a_missed_target(targets):
    configuration = quiet(**({"targets": targets} if targets else {}))
    for users in (1, 5, 20, 80):
        outlook = advisor.predict(configuration.with_users(users)).outlook
        share = share_of_targets(configuration, outlook)
        assert (share > 1.0) is bool(missed(configuration, outlook))


def test_a_metric_on_its_limit_is_not_missed():
    time = advisor.predict(quiet()).outlook.time_of("edit").high
    exact = quiet(targets={"response_time": f"{time!r} s"})
    outlook = advisor.predict(exact).outlook
    assert not missed(exact, outlook)
    assert share_of_targets(exact, outlook) <= 1.0


def test_a_flat_variant_is_not_searched_beyond_the_bounds():
    """The secant beside its centre leads to 1e9; such loads took 24 GB."""
    asked = []

    def left(load):
        asked.append(load)
        yield load
        return 1.0 - 1e-9 * load

    search = _largest(left, 10.0, 1e3, Found(20.0, 20, 1e-9))
    assert side_by_side([search], lambda some: [None] * len(some))[0].load == inf
    assert max(asked) < 3e3
