"""Random servers: the advisor always answers, in numbers that can be, and better parts help."""

import json
from math import inf, isfinite

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import advisor
from advisor.cli.output import as_text
from advisor.report.json_report import review_data
from qmodel.devices.raid import LEVELS
from tests.advisor.configurations import MEASURED, QUIET, configured, varied
from tests.tables import rows

FEW = settings(
    max_examples=8, deadline=None, derandomize=True,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)  # fmt: skip
FEWER = settings(FEW, max_examples=3)

seconds = st.floats(0.001, 100.0).map(lambda s: f"{s:.6g} s")
kilobytes = st.integers(0, 20_000)
fractions = st.integers(0, 100).map(lambda percent: f"{percent} %")
clock = st.builds("{:02d}:{:02d}".format, st.integers(0, 23), st.integers(0, 59))
windows = st.lists(clock, min_size=2, max_size=2)


@st.composite
def arrays(draw):
    raid = draw(st.sampled_from(sorted(LEVELS)))
    drives = draw(st.integers(1, 10))
    assume(LEVELS[raid].why_not(drives) is None)
    arrays = draw(st.sampled_from([1, 1, 2, 3]))
    disk = {"raid": raid, "drives": drives * arrays, "arrays": arrays}
    return {**disk, "stripe": draw(st.sampled_from(["4 KB", "64 KB"]))}


lans = st.fixed_dictionaries(
    {"rate": st.sampled_from(["10 Mb/s", "100 Mb/s", "1 Gb/s"]), "segments": st.integers(1, 3)}
)
demands = st.fixed_dictionaries(
    {"cpu": seconds, "disk_kb": kilobytes, "lan_kb": kilobytes}, optional={"write_share": fractions}
)


@st.composite
def servers(draw):
    """Demands given: up to two classes of users, up to two batch tasks, targets or not."""
    shares = draw(st.sampled_from([[1.0], [0.5, 0.5], [0.125, 0.875]]))
    classes = [
        {"name": f"class {i}", "share": share, **draw(demands)} for i, share in enumerate(shares)
    ]
    names = [f"task {i}" for i in range(draw(st.integers(0, 2)))]
    tables = {
        "server": {"cpus": draw(st.integers(1, 4)), "cpu_speed": draw(st.floats(0.1, 10))},
        "disk": draw(arrays()),
        "lan": draw(lans),
        "workload": {
            "users": draw(st.integers(1, 12)),
            "think_time": draw(seconds),
            "class": classes,
            "peak": draw(windows),
        },
        "batch": [{"name": n, "window": draw(windows), **draw(demands)} for n in names],
    }
    if draw(st.booleans()):
        tables["targets"] = {"response_time": draw(seconds), "utilization": draw(st.floats(0.1, 1))}
    return varied(QUIET, **tables)


@st.composite
def measured_servers(draw):
    shares = draw(st.sampled_from([{"edit": 1.0}, {"search": 1.0}, {"edit": 0.75, "search": 0.25}]))
    task = draw(st.sampled_from([None, "rebuild_view", "mail"]))
    return varied(
        MEASURED,
        server={"processor": draw(st.sampled_from(["486DX/50", "Pentium/66", "Pentium/100"]))},
        disk={**draw(arrays()), "stripe": draw(st.sampled_from(["1 KB", "16 KB"]))},
        lan=draw(lans),
        workload={
            "users": draw(st.integers(1, 10)),
            "class": [{"name": n, "share": s} for n, s in shares.items()],
        },
        batch=[{"name": task, "task": task, "window": draw(windows)}] if task else [],
        targets={"response_time": "1200 s"},
    )


def holds(data):
    """Review a server and look at every number that comes out."""
    found = advisor.review(configured(data))
    for outlook in [found.outlook, found.alone]:
        assert (
            sum(c.population for c in outlook.classes if not c.batch) == data["workload"]["users"]
        )
        for each in outlook.classes:
            in_order(each.response_time)
            in_order(each.throughput)
        for resource in outlook.resources:
            in_order(resource.utilization)
            assert resource.utilization.high <= 1 + 1e-9
        assert outlook.bottleneck in {"cpu", "disk", "lan"}
    for advice in (*found.advice, *found.trades, *found.rejected):
        for effect in advice.effect:
            in_order(effect.before)
            in_order(effect.after)
            assert effect.change.low <= effect.change.mid <= effect.change.high
            assert effect.change.low >= -1
            assert isfinite(effect.change.high) or effect.after.high == inf
            if effect.unit == "1":
                assert effect.after.high <= 1 + 1e-9
    for step in found.plan.steps:
        # What serves a target has a price, and says it.
        assert step.gain.change.mid <= 0.01 or (step.price and found.configuration.settings.targets)
    if found.configuration.settings.workload.arrival_rate is None:
        every_number_is_finite(review_data(found, []))
    json.loads(as_text(review_data(found, [])), parse_constant=pytest.fail)


def in_order(found):
    assert 0 <= found.low <= found.mid <= found.high


def every_number_is_finite(data):
    if isinstance(data, dict):
        data = list(data.values())
    if isinstance(data, list | tuple):
        for value in data:
            every_number_is_finite(value)
    elif isinstance(data, float):
        assert isfinite(data)


@given(servers())
@FEW
def test_a_server_with_given_demands(data):
    holds(data)


@given(servers(), st.floats(0.01, 2.0))
@FEW
def test_a_server_with_arrivals(data, rate):
    data["workload"]["arrival_rate"] = f"{rate:.6g} /s"
    holds(data)


@given(measured_servers())
@FEWER
def test_a_server_of_the_measured_system(data):
    holds(data)


@pytest.mark.parametrize(("users", "classes", "stripe"), rows(__file__, "always_busy"))
def test_an_interval_ends_where_a_resource_is_always_busy(users, classes, stripe):
    """Errors added in quadrature know no limit; a utilization does."""
    data = varied(
        MEASURED,
        disk={"drives": 3, "stripe": stripe},
        workload={
            "users": users,
            "class": [{"name": name, "share": share} for name, share in classes.items()],
        },
    )
    outlook = advisor.predict(configured(data)).outlook
    for resource in outlook.resources:
        in_order(resource.utilization)
        assert resource.utilization.high <= 1
