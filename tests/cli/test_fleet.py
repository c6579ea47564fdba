"""``qmodel fleet``: the answers of advise, for many servers, that nothing loses."""

import csv
import json
import os
import signal
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from advisor.fleet.answer import answer
from advisor.fleet.kept import answers
from advisor.fleet.services import Service, services_of
from tests.advisor.configurations import EXAMPLES
from tests.tables import rows

#: One of each kind, quick to answer.
SOME = (
    "new_server", "queue_worker", "etl_beside_users", "order_server_calibrated", "nightly_jobs",
    "groupwise52_netbench", "read_cache", "shop",
)  # fmt: skip


@pytest.mark.parametrize("name", SOME)
def test_a_service_answers_what_advise_answers(run, name):
    path = EXAMPLES / f"{name}.toml"
    row = answer(Service(name, str(path)))
    said = json.loads(run("advise", path, "--json").out)
    verdict = said["verdict"]
    assert row["state"] == verdict["state"]
    if name != "shop":
        steps = said["plan"]["steps"]
        fit = verdict.get("users_that_fit") or verdict["rate_that_fits"]
        assert row["fits"] == pytest.approx(fit["mid"], rel=1e-3)
        assert row["next"] == (steps[0]["title"] if steps else "")


def fleet_of(folder, count, **more):
    """So many servers with different users, as a table."""
    lines = ["config,name,workload.users"]
    lines += [f"{EXAMPLES}/new_server.toml,mail {i},{300 + 7 * i}" for i in range(count)]
    path = folder / "fleet.csv"
    path.write_text("\n".join([*lines, *more.get("lines", ())]) + "\n")
    return path


def test_the_worst_come_first_and_what_cannot_be_read_stands_above(run, tmp_path):
    path = fleet_of(tmp_path, 3, lines=["nothing.toml,gone,", f"{EXAMPLES}/new_server.toml,m,-4"])
    found = run("fleet", path, "-o", tmp_path / "a.csv")
    assert found.code == 0
    assert found.out.startswith("0 of 5 services do not fit; 2 cannot be read")
    rows = list(csv.DictReader((tmp_path / "a.csv").read_text().splitlines()))
    assert [row["state"] for row in rows] == ["NOT READ"] * 2 + ["FITS"] * 3
    assert [row["name"] for row in rows[2:]] == ["mail 2", "mail 1", "mail 0"]
    assert "workload.users" in rows[1]["problem"]
    assert "fleet.csv:6" in rows[1]["problem"]
    assert not list(tmp_path.glob("*.partial"))
    page = run("fleet", path, "--output", tmp_path / "a.html")
    assert page.code == 0
    text = (tmp_path / "a.html").read_text()
    assert "mail 2" in text
    assert "First to fill: cpu on 3" in text


@pytest.mark.parametrize(
    ("fail_on", "code"), [("never", 0), ("overloaded", 1), ("too-slow", 1), ("at-risk", 1)]
)
def test_the_exit_code_says_what_it_is_told_to(run, tmp_path, fail_on, code):
    path = fleet_of(tmp_path, 1, lines=[f"{EXAMPLES}/new_server.toml,late,900"])
    assert run("fleet", path, "--fail-on", fail_on).code == code


def test_a_folder_passes_over_what_is_no_server(run, tmp_path):
    for name in ("new_server", "two_tier", "queue_worker"):
        (tmp_path / f"{name}.toml").write_text((EXAMPLES / f"{name}.toml").read_text())
    (tmp_path / "bad.toml").write_text("broken = [")
    (tmp_path / "cut.json").write_text('{"stations": [')
    found = json.loads(run("fleet", tmp_path, "--json").out)
    assert [*(s["name"] for s in found["services"][:2]), found["passed_over"]] == ["bad", "cut", 1]
    assert "1 file without [workload] passed over: two_tier.toml\n" in run("fleet", tmp_path).out


def test_a_stopped_fleet_goes_on_and_asks_only_what_is_missing(tmp_path, monkeypatch):
    services, _ = services_of(fleet_of(tmp_path, 6))
    partial = tmp_path / "a.csv.partial"
    begun = answers(services, None, partial)
    first = [next(begun) for _ in range(3)]
    begun.close()
    with partial.open("a") as file:
        file.write('["cut off in the mid')
    asked = []
    monkeypatch.setattr(
        "advisor.fleet.kept.answer", lambda each: asked.append(each.name) or answer(each)
    )
    partial.write_text(partial.read_text() + "\n")
    found = dict(answers(services, None, partial))
    assert asked == ["mail 3", "mail 4", "mail 5"]
    assert sorted(found) == list(range(6))
    assert [found[i] for i, _ in first] == [row for _, row in first]


def losing_one(services, executor, victim):
    """All answers, while a worker is killed after the second."""
    found = []
    for i, row in answers(services, executor, None):
        found.append((i, row))
        if len(found) == 2:
            os.kill(victim, signal.SIGKILL)
    assert sorted(i for i, _ in found) == list(range(len(services)))
    assert dict(found)[5] == answer(services[5])


def test_a_killed_worker_loses_nothing_and_nothing_comes_twice(tmp_path):
    services, _ = services_of(fleet_of(tmp_path, 12))
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        losing_one(services, pool, pool.submit(os.getpid).result())


def test_a_cluster_that_loses_a_worker_answers_the_same(tmp_path):
    distributed = pytest.importorskip("distributed", reason="comes with the extra distributed")
    services, _ = services_of(fleet_of(tmp_path, 8))
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    )
    with cluster, distributed.Client(cluster) as client:
        losing_one(services, client.get_executor(), next(iter(client.run(os.getpid).values())))


@pytest.mark.parametrize(("text", "said"), rows(__file__, "bad_tables"))
def test_a_table_that_is_none_is_one_line(run, tmp_path, text, said):
    (tmp_path / "fleet.csv").write_text(text)
    found = run("fleet", tmp_path / "fleet.csv")
    assert (found.code, found.out) == (2, "")
    assert said in found.err
    assert found.err.count("\n") == 1
