"""Sizing: the answer meets its targets, nothing cheaper does, and the front is one."""

from itertools import product, starmap
from math import inf

import numpy as np
import pytest
from rich.console import Console

import advisor
from advisor.configuration.changed_keys import change_of
from advisor.findings.targets import missed, standing, with_targets
from advisor.predicting.workload import ways_of
from advisor.report.sizing import show_sizing
from advisor.sizing.candidates import choices, groups_of, values_to_vary
from advisor.sizing.estimates import arrays, estimated_times, least_times, no_better, worth_it
from advisor.sizing.prices import Prices, prices_of
from advisor.sizing.record import steps
from calibration.hardware.task import Load, Task
from qmodel import ClosedClass, DelayStation, Network, QueueingStation, solve
from qmodel.devices.raid import LEVELS
from qmodel.errors import FileError, InvalidInput
from tests.advisor import configurations as cs  # noqa: F401, named in the tables
from tests.advisor.configurations import EXAMPLES, configured, quiet, varied
from tests.tables import asked, rows

VARY = ("server.cpus=1,2,4", "disk.raid=raid5,raid10", "disk.drives=3,4,6", "lan.segments=1,2")
#: All parts, but for the levels of RAID, which make seven times as many.
PARTS = ("server.processor", "server.cpus", "disk.drive", "disk.drives", "lan.network",
         "lan.segments")  # fmt: skip
NEW = advisor.load_config(EXAMPLES / "new_server.toml")
SHOP = advisor.load_config(EXAMPLES / "web_and_db.toml")
TIERS = "tier.web-cpu.cores=8:20:3", "tier.db-cpu.cores=12:24:2"

#: A server, and from loose to tight what is asked of it: users, response time, utilization.
BUSY = {"workload": {"users": 60}, "user": {"disk_kb": 200, "lan_kb": 60}}
CASES = [asked(case, globals()) for (case,) in rows(__file__, "cases")]


def drives_of_data(configuration):
    disk = configuration.settings.disk
    return LEVELS[disk.raid].usable_share(disk.drives) * disk.drives


def brute_force(configuration, asked, most):
    """Candidates up to a cost solved: how the best stand, and what the cheapest of them costs."""
    users, time, busy = asked
    base = with_targets(configuration, users, time, busy)
    values = values_to_vary(base, TIERS if base.settings.tiers else VARY)
    prices = prices_of(base)
    found = {"FITS": [], "AT RISK": [], "MISSED": []}
    for settings in product(*values.values()):
        try:
            changed = change_of(base, list(map("{}={}".format, values, settings))).apply(base)
            if drives_of_data(changed) < drives_of_data(base):
                continue
            cost = sum(prices.cost(group, changed, base) for group in groups_of(base))
            if cost > most:
                continue
            outlook = advisor.predict(changed).outlook
        except (FileError, ArithmeticError):
            continue
        found[standing(missed(changed, outlook))].append(cost)
    return next(((state, min(found[state])) for state in ("FITS", "AT RISK") if found[state]), None)


@pytest.mark.parametrize(("configuration", "asked"), CASES)
def test_the_answer_is_the_cheapest_of_all(configuration, asked):
    users, time, busy = asked
    found = advisor.size(
        configuration, users=users, response_time=time, utilization=busy,
        vary=TIERS if configuration is SHOP else VARY,
    )  # fmt: skip
    assert found.complete
    fits = found.best is not None and found.best.state == "FITS"  # what costs more is no better
    cheapest = brute_force(configuration, asked, found.best.cost * 1.001 if fits else inf)
    if cheapest is None:
        assert found.best is None
        return
    state, cost = cheapest
    assert (found.best.state, found.best.cost) == (state, pytest.approx(cost, rel=1e-12))
    # Advised again, it stands as well.
    base = with_targets(configuration, users, time, busy)
    again = change_of(base, list(starmap("{}={}".format, found.best.settings))).apply(base)
    outlook = advisor.predict(again).outlook
    assert standing(missed(again, outlook)) == state
    slowest = max(outlook.classes, key=lambda c: c.response_time.mid if not c.batch else -1.0)
    assert slowest.response_time == found.best.response_time


def test_the_front_falls_and_holds_the_answer():
    found = advisor.size(NEW, users=800, response_time=0.2, vary=PARTS)
    assert found.solved < 200 < 10_000 < found.candidates
    assert found.best in found.front
    costs = [each.cost for each in found.front]
    times = [each.response_time.mid for each in found.front]
    assert costs == sorted(costs)
    assert times == sorted(times, reverse=True)
    assert all(each.cost >= found.best.cost for each in found.front if each.meets)
    for here, there, changed in steps(found):
        assert here.cost < there.cost
        assert changed
        assert here.limited_by in {"cpu", "disk", "lan"}


def test_what_survives_a_drive_still_does_and_holds_as_much():
    drives = "disk.drive=SATA SSD, Intel SSD DC P4500 2 TB"
    assert values_to_vary(NEW, ["server.cores=8:30:8"]) == {"server.cores": (8, 16, 24)}
    vary = ["disk.raid", "disk.drives=1:6", drives]
    found = advisor.size(NEW, response_time=10.0, vary=vary)
    settings = dict(found.best.settings)
    assert settings["disk.raid"] != "raid0"
    roomy = advisor.size(
        NEW, response_time=10.0, vary=["disk.drive=SATA SSD", "disk.drives", "disk.raid=raid10"]
    )
    assert dict(roomy.best.settings)["disk.drives"] == 4  # two of 960 GB hold less


def test_an_interrupt_keeps_what_was_found():
    seen = []

    def stop(done, count):
        seen.append((done, count))
        raise KeyboardInterrupt

    found = advisor.size(NEW, response_time=0.25, vary=PARTS, progress=stop)
    assert seen
    assert not found.complete
    assert found.best.meets


def test_prices_decide():
    by_name = {("processor", "server 8 cores"): 100.0, ("processor", "server 4 cores"): 5.0}
    by_name |= {("drive", "SATA SSD"): 1.0, ("drive", "NVMe SSD"): 0.5}
    by_name |= {("network", "1 Gb Ethernet"): 1.0}
    asked = {"users": 200, "response_time": 0.25, "vary": PARTS}
    found = advisor.size(NEW, prices=Prices(by_name), **asked)
    settings = dict(found.best.settings)
    assert settings["server.processor"] == "server 4 cores"
    assert settings["disk.drive"] == "NVMe SSD"
    counted = settings["server.cpus"] * 5.0 + settings["disk.drives"] * 0.5
    assert found.best.cost == counted + settings["lan.segments"]
    assert any("server 32 cores" in each for each in found.without_price)
    cores = Prices({("tier", "web-cpu"): 3.0, ("tier", "db-cpu"): 1.0})
    found = advisor.size(SHOP, prices=cores, vary=TIERS).best
    assert found.cost == 3.0 * found.settings[0][1] + found.settings[1][1]


def test_a_tier_of_each_replica_costs_as_much_as_one():
    """By the convention too, where a processor, a drive or a segment does."""
    two = quiet(server={"replicas": 2}, disk={"drives": 4})
    tiers = change_of(SHOP, ["server.replicas=2"]).apply(SHOP)
    for kind, one, both in (("drive", quiet(), two), ("tier web-cpu", SHOP, tiers)):
        cost = Prices({}).cost(kind, one, one)
        assert Prices({}).cost(kind, both, one) == 2.0 * cost > 0.0


def test_a_price_that_is_needed_and_not_there():
    known = Prices({("processor", "server 8 cores"): 1.0, ("drive", "SATA SSD"): 1.0})
    with pytest.raises(InvalidInput, match="no cost of network"):
        advisor.size(NEW, response_time=1.0, vary=["lan.segments"], prices=known)


def test_what_does_not_vary_needs_no_price():
    """It costs every candidate the same, so the cheapest is the same one whatever it costs."""
    some = {("processor", "server 8 cores"): 7.0}
    rest = {("drive", "SATA SSD"): 3.0, ("network", "1 Gb Ethernet"): 2.0}
    asked = {"response_time": 1.0, "utilization": 1.0, "users": 1500, "vary": ["server.cpus"]}
    without = advisor.size(NEW, prices=Prices(some), **asked).best
    known = advisor.size(NEW, prices=Prices(some | rest), **asked).best
    assert without.settings == known.settings
    assert without.cost == 14.0
    assert known.cost == without.cost + 4 * 3.0 + 2.0


@pytest.mark.parametrize(("text", "problem"), rows(__file__, "bad_prices"))
def test_bad_prices(tmp_path, text, problem):
    path = tmp_path / "prices.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileError) as caught:
        prices_of(NEW, path)
    assert problem in str(caught.value)


@pytest.mark.parametrize(("asked", "problem"), rows(__file__, "what_cannot_be_asked"))
def test_what_cannot_be_asked(asked, problem):
    configuration = quiet(workload={"arrival_rate": "1 /s"} if "users" in asked else {})
    with pytest.raises(InvalidInput, match=problem):
        advisor.size(configuration, **asked)


def test_a_value_with_a_comma_in_it():
    found = values_to_vary(NEW, ['lan.network="10 Mb Ethernet, shared", 1 Gb Ethernet'])
    assert found == {"lan.network": ("10 Mb Ethernet, shared", "1 Gb Ethernet")}


def test_estimated_times_are_those_of_the_approximation():
    """One station and a delay: Bard and Schweitzer's equation has a closed form."""
    task = Task("t", "t", "t", cpu=1.0, disk_volume=0.0, lan_volume=0.0, client=0.0)
    kinds = ((1, 1.0, (0.1,)), (1, 0.0, (0.5,)))
    (time,) = estimated_times(arrays([kinds]), [Load("t", task, 9, 2.0)])
    n, d, z = 9.0, 0.1, 2.5  # Q = X R, R = D (1 + (N - 1) / N Q), X = N / (Z + R)
    roots = np.roots([1.0, z - d - d * (n - 1.0), -d * z])
    assert time[0] == pytest.approx(0.5 + max(roots), rel=1e-4)


def test_least_times_are_never_above_the_exact_ones():
    """Reached where every station has one server; below where some have several."""
    task = Task("t", "t", "t", cpu=1.0, disk_volume=0.0, lan_volume=0.0, client=0.0)
    for servers, users in ((1, 1), (1, 30), (4, 30), (16, 60)):
        stations = [QueueingStation("cpu", servers), QueueingStation("disk"), DelayStation("z")]
        classes = [ClosedClass("c", users, 2.0)]
        exact = solve(Network(stations, classes, [[0.4, 0.05, 0.3]])).response_times[0]
        kinds = ((1, float(servers), (0.4,)), (1, 1.0, (0.05,)), (1, 0.0, (0.3,)))
        (least,) = least_times(arrays([kinds]), Load("t", task, users, 2.0))
        assert least <= exact * (1.0 + 1e-12)
        assert least > (1.0 - 1e-12 if servers == 1 else 0.8) * exact


def test_estimated_times_of_arrivals():
    task = Task("t", "t", "t", cpu=1.0, disk_volume=0.0, lan_volume=0.0, client=0.0)
    load = Load("t", task, 1, 0.0, 4.0)
    (time,) = estimated_times(arrays([((1, 1.0, (0.2,)), (2, 1.0, (0.1,)))]), [load])
    assert time[0] == pytest.approx(0.2 / 0.2 + 2 * 0.1 / 0.6)
    (never,) = estimated_times(arrays([((1, 1.0, (0.3,)),)]), [load])
    assert never[0] == inf


def test_no_better_never_answers_faster():
    """Dominance of demands is dominance of response times, solved exactly."""
    random = np.random.default_rng(7)

    def kind():
        demand = (float(random.uniform(0.1, 1)),)
        return int(random.integers(1, 4)), float(random.integers(1, 3)), demand

    options = [tuple(kind() for _ in range(random.integers(1, 3))) for _ in range(14)]
    worse = no_better([type("C", (), {"stations": (each,), "cost": 1.0})() for each in options])

    def time(kinds, users):
        stations, demand = [DelayStation("z")], [0.4]
        for count, servers, (d,) in kinds:
            for _ in range(count):
                stations.append(QueueingStation(f"s{len(stations)}", int(servers)))
                demand.append(d)
        network = Network(stations, [ClosedClass("c", users, 1.0)], [demand])
        return solve(network).response_times[0]

    assert worse.diagonal().all()
    pairs = [(i, j) for i in range(14) for j in range(14) if i != j and worse[i, j]]
    assert len(pairs) > 10
    for i, j in pairs:
        for users in (1, 3, 12):
            assert time(options[j], users) >= time(options[i], users) * (1.0 - 1e-12)


def test_worth_it_keeps_a_cheapest_of_every_use():
    values = values_to_vary(NEW, ["disk.drives", "disk.raid"])
    found, impossible, _ = choices(NEW, "drive", values, ways_of(NEW), prices_of(NEW))
    kept = worth_it(found)
    assert impossible > 0
    assert len(kept) < len(found)
    worse = no_better([*kept, *found])
    for j, each in enumerate(found, len(kept)):
        assert any(k.cost <= each.cost and worse[i][j] for i, k in enumerate(kept))


def test_catalogue_of_the_users_own(tmp_path):
    """A part with a cost in the user's own catalogue is a candidate with that price."""
    text = (EXAMPLES / "new_server.toml").read_text(encoding="utf-8")
    own = (
        ("drive", "cheap", 10, 'read_latency = "1 ms"\nwrite_latency = "1 ms"\n'
         'parallelism = 4\ntransfer_rate = "100 MB/s"\ncapacity = "4 TB"'),
        ("processor", "server 8 cores", 900,
         'cores = 8\nspeed = 1.0\nrelative_to = "server core"'),
        ("network", "1 Gb Ethernet", 30, 'rate = "1 Gb/s"\nmedium = "switched"\nduplex = "full"'),
    )  # fmt: skip
    parts = "".join(
        f'[[{kind}]]\nname = "{name}"\ncost = "{cost} EUR 2026-11"\nsource = "an offer"\n{rest}\n'
        for kind, name, cost, rest in own
    )
    (tmp_path / "parts.toml").write_text(parts, encoding="utf-8")
    path = tmp_path / "server.toml"
    path.write_text(text + '\n[catalogue]\nfile = "parts.toml"\n', encoding="utf-8")
    asked = {"users": 100, "response_time": 1.0, "vary": PARTS}
    found = advisor.size(advisor.load_config(path), **asked)
    settings = dict(found.best.settings)
    assert settings["disk.drive"] == "cheap"
    assert found.best.cost == 900 + 10 * settings["disk.drives"] + 30
    assert found.currency == "EUR"
    assert "cost in EUR at prices of 2026-11" in found.cost_note
    (tmp_path / "parts.toml").write_text(parts.replace("30 EUR", "30 USD"), encoding="utf-8")
    with pytest.raises(InvalidInput, match="prices in EUR and USD; give all in one currency"):
        advisor.size(advisor.load_config(path), **asked)


def test_configured_without_named_parts_varies_numbers_alone():
    assert set(values_to_vary(configured(varied(quiet().data)), ())) == {
        "server.cpus", "disk.raid", "disk.drives", "lan.segments",
    }  # fmt: skip


def test_an_option_overrides_its_own_target_alone():
    """What is recommended for a given response time keeps the file's other target."""
    found = advisor.size(
        NEW, users=1200, response_time=0.15, vary=["server.cpus=1,2", "disk.drives=4,6"]
    )
    assert (found.response_times, found.utilization) == ((("response time", 0.15),), 0.8)
    assert found.kept == ("utilization",)
    assert found.best.utilization.high <= 0.8
    settings = starmap("{}={}".format, found.best.settings)
    chosen = change_of(NEW, ["workload.users=1200", *settings]).apply(NEW)
    busy = advisor.predict(chosen).outlook.resources
    assert all(each.utilization.high <= 0.8 for each in busy if each.name != "not measured")


def test_without_a_capacity_drives_of_data_are_kept():
    """Three of four drives in raid5 hold data; neither a mirrored pair nor three in raid1e do."""
    found = advisor.size(quiet(), response_time=100.0, vary=["disk.raid", "disk.drives"])
    best = dict(found.best.settings)
    raid, drives = best["disk.raid"], best["disk.drives"]
    assert LEVELS[raid].usable_share(drives) * drives >= 3.0


def test_who_arrives_is_not_counted(capsys):
    configuration = quiet(workload={"arrival_rate": "2 /s", "users": 200})
    found = advisor.size(configuration, response_time=10.0, vary=["server.cpus=1,2"])
    show_sizing(Console(), found)
    said = capsys.readouterr().out
    assert "2 requests/s" in said
    assert "200 users" not in said


@pytest.mark.parametrize(
    ("load", "target", "vary", "said", "unsaid"), rows(__file__, "what_all_candidates_miss")
)
def test_what_all_candidates_miss_is_said(capsys, load, target, vary, said, unsaid):
    """More --vary is proposed only where a key that varies is of what is missed."""
    configuration = quiet(workload=load, user={"cpu": "0.5 s", "disk_kb": 600, "write_share": 0.5})
    found = advisor.size(configuration, vary=vary, **target)
    show_sizing(Console(width=200), found)
    printed = capsys.readouterr().out
    assert found.best is None
    assert [text for text in said if text not in printed] == []
    assert unsaid not in printed


def test_of_a_container_the_quota_is_chosen_not_the_cores_of_its_host():
    shared = advisor.load_config(EXAMPLES / "container_quota.toml")
    found = advisor.size(shared, users=1500)
    ((key, quota),) = found.best.settings
    assert (key, found.best.state) == ("server.cpu_quota", "FITS")
    cheaper = [each for each in found.front if each.cost < found.best.cost]
    assert cheaper
    assert all(each.state != "FITS" for each in cheaper)
    assert all(0.625 <= value <= 10.0 for each in found.front for _, value in each.settings)
    half = advisor.size(shared, users=1500, vary=["server.cpu_quota=0.5,1,1.5"])
    assert half.best is None
    # A price of the processor is shared by the quota.
    full = advisor.size(
        shared, users=1500, prices=Prices({("processor", "present"): 1600.0}, "EUR")
    )
    assert full.best.cost == pytest.approx(1600.0 * float(quota) / 16)


def test_what_nobody_described_costs_nothing():
    bare = advisor.load_config(EXAMPLES / "container_quota.toml")
    assert [prices_of(bare).cost(kind, bare, bare) for kind in ("drive", "network")] == [0.0, 0.0]
