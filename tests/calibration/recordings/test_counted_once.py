"""Requests of applications as their libraries count them: once each, at all instances."""

import numpy as np
import pytest

from calibration.recordings.counted_once import together
from calibration.recordings.counters import Metrics
from calibration.recordings.importing import import_files
from calibration.recordings.joining import joined
from calibration.recordings.load_levels import with_means
from calibration.recordings.metric_names import recording_of
from calibration.recordings.user_table import UserTable
from qmodel.errors import FileError
from tests.tables import rows, text_of

SECONDS = np.arange(0.0, 601.0, 15.0)
DOCKER = text_of(__file__, "docker")


def recorded(*counters):
    """A recording of counters: name, labels, their growth per second, and when they began."""
    metrics = Metrics("Prometheus", "shop.json")
    for name, labels, rate, *begun in counters:
        times = SECONDS[(begun or [0.0])[0] <= SECONDS]
        metrics.add(name, labels, times, rate * (times - times[0]))
    return recording_of(metrics)


def timed(name, labels, rate, mean):
    return (f"{name}_count", labels, rate), (f"{name}_sum", labels, rate * mean)


def means(recording, hosts=()):
    return {s.name: s.mean(0.0, 600.0) for s in joined([recording], hosts).series}


def test_names_that_libraries_give():
    for name in ("http_server_requests_seconds", "http_request_duration_seconds",
                 "grpc_server_handling_seconds", "http_server_duration_milliseconds"):  # fmt: skip
        unit = 1000.0 if name.endswith("milliseconds") else 1.0
        found = means(recorded(*timed(name, {"job": "shop"}, 20.0, 0.05 * unit)))
        assert (found["throughput"], found["response_time"]) == pytest.approx((20.0, 0.05))
    with pytest.raises(
        FileError, match='mean would be 50 s; give it: --columns "http_request_duration_s'
    ):
        recorded(*timed("http_request_duration", {}, 20.0, 50.0))


def test_a_request_that_has_several_names_is_counted_once():
    """As of an instrumented application behind a proxy that asks others in its turn."""
    usual = timed("http_request_duration_seconds", {"handler": "/a"}, 20.0, 0.05)
    again = timed("http_request_duration_highr_seconds", {}, 20.0, 0.05)
    asked = timed("http_client_request_duration_seconds", {}, 90.0, 0.01)
    proxy, busy = ("nginx_http_requests_total", {}, 25.0), ("requests_active_time_count", {}, -1.0)
    mesh = [("istio_request_time_ms_count", {"reporter": e}, 7.0) for e in ("source", "other")]
    recording = recorded(*usual, *again, *asked, proxy, busy)
    for name in ("throughput", "throughput:/a"):
        assert means(recording)[name] == pytest.approx(20.0)
    assert "not of http_request_duration_highr_seconds, nginx_http_req" in recording.notes[0]
    assert means(recorded(*mesh))["throughput"] == pytest.approx(7.0)


def test_instances_of_a_service_answer_together():
    """One of three begins late, and errors are first seen later still."""
    of = [{"job": "shop", "instance": f"10.0.0.{n}:8080"} for n in range(3)]
    late = [("http_requests_total", {**of[0], "status": "500"}, 2.0, 450.0),
            ("http_requests_total", {**of[2], "status": "200"}, 10.0, 300.0)]  # fmt: skip
    first = [("http_requests_total", {**each, "status": "200"}, 10.0) for each in of[:2]]
    (found,) = joined([recorded(*first, *late)]).series
    assert [found.mean(*each) for each in ((0, 300), (300, 450), (450, 600))] == [20.0, 30.0, 32.0]


def test_instances_that_are_asked_at_times_of_their_own():
    one = np.array([10.0, 20.0, 30.0]), np.full(3, 10.0), np.array([1.0, 2.0, 3.0])
    other = np.array([15.0, 25.0]), np.full(2, 10.0), np.array([4.0, 8.0])
    end, interval, value = together([one, other])
    assert end.tolist() == [10.0, 15.0, 20.0, 25.0, 30.0]
    assert interval.tolist() == [10.0, 5.0, 5.0, 5.0, 5.0]
    assert value.tolist() == [5.0, 6.0, 10.0, 11.0, 3.0]


def test_which_of_several_services_users_ask():
    both = [row for job, rate in (("shop", 20.0), ("payments", 60.0))
            for row in timed("http_request_duration_ms", {"job": job}, rate, 50.0)]  # fmt: skip
    with pytest.raises(FileError, match=r"2 services that count requests \(shop, payments\); with"):
        joined([recording := recorded(*both)])
    assert means(recording, ["payments"])["throughput"] == pytest.approx(60.0)
    users = recorded(*timed("request_time", {}, 19.0, 1.0))
    assert joined([users, recording]).series[0].mean(0.0, 600.0) == pytest.approx(19.0)


def test_control_groups_that_contain_each_other():
    """As cAdvisor has them: a shop of two containers in a pod, other pods, and the machine."""
    name = "container_cpu_usage_seconds_total"
    pod = [(name, {"id": "/k/p", "pod": "shop-1"}, 1.5), (name, {"id": "/k"}, 1.9),
           (name, {"id": "/k/p/a", "pod": "shop-1", "container": "app"}, 1.0),
           (name, {"id": "/k/p/b", "pod": "shop-1", "container": "proxy"}, 0.5),
           (name, {"id": "/k/p/c", "pod": "shop-1", "container": "POD"}, 0.0),
           ("process_cpu_seconds_total", {"job": "shop"}, 0.9)]  # fmt: skip
    whole = (name, {"id": "/"}, 2.0)
    for some, used in ((pod, 1.5), ([*pod, whole], 2.0), (pod[:2], 1.5), (pod[-1:], 0.9)):
        found = recorded(*some, *timed("http_request_duration_seconds", {}, 20.0, 0.05))
        busy = [s for s in found.series if s.quantity == "processors"]
        assert sum(s.mean(0.0, 600.0) for s in busy) == pytest.approx(used)


def test_a_limit_of_some_containers_is_none_of_all():
    metrics = Metrics("Prometheus", "shop.json")
    for name, cores in (("app", 3.0), ("proxy", 0.1)):
        labels = {"id": f"/k/p/{name}", "container": name, "instance": "n1:10250"}
        metrics.add("container_cpu_usage_seconds_total", labels, SECONDS, cores * SECONDS)
    metrics.add("container_spec_cpu_quota", labels, SECONDS, 0.0 * SECONDS + 5e4)
    metrics.add("machine_cpu_cores", {"instance": "n1:10250"}, SECONDS, 0.0 * SECONDS + 4.0)
    assert means(recording_of(metrics))["utilization:cpu"] == pytest.approx(3.1 / 4.0)


@pytest.mark.parametrize(("samples", "hosts", "columns", "said"), rows(__file__, "columns"))
def test_columns_of_pods_beside_another_computer_and_of_pools(samples, hosts, columns, said):
    metrics = Metrics("Prometheus", "shop.json")
    for name, rate, level, labels in samples:
        metrics.add(name, labels, SECONDS, rate * SECONDS + level)
    found = joined([recording_of(metrics)], hosts)
    blank = UserTable("", (), (2,), ((),), ((),))
    table = with_means(blank, found.series, [(0.0, 600.0)])
    assert {c.text: row for c, row in zip(table.columns, *table.texts, strict=True)
            if c.quantity != "error"} == columns  # fmt: skip
    assert said in str(found.notes)


@pytest.mark.parametrize(("name", "modes"), rows(__file__, "modes"))
def test_modes_of_processors_that_two_jobs_ask(name, modes):
    rows = [
        (name, {"cpu": core, "mode": mode}, part) for core in "01" for mode, part in modes.items()
    ]
    rows.append(("node_disk_io_time_seconds_total", {"device": "sda"}, 0.4))
    found = recorded(*((name, {**label, "instance": "web1:9100", "job": job}, part)
                       for name, label, part in rows for job in ("node", "other")))  # fmt: skip
    assert [s.mean(0.0, 600.0) for s in found.series] == pytest.approx([0.3, 2.0, 0.4])


def test_a_limit_that_is_no_whole_number_of_processors(tmp_path):
    lines = (f"{1795472200 + 5 * i}\nusage_usec {6 * i}000000\n150000 100000\n" for i in range(99))
    (tmp_path / "cgroup.txt").write_text("".join(lines))  # 1.2 of 1.5
    found = import_files([str(tmp_path / "cgroup.txt")])
    assert found.table.values("servers", "cpu")[0] == 2.0
    assert found.table.values("utilization", "cpu")[0] == pytest.approx(0.6)
    assert "a limit of 1.5 processors is read as 2, of which 75% can be used" in found.notes


def test_containers_of_docker_share_the_processors_of_their_host(written):
    """Two that use a core of four each, and are asked at times of their own."""
    at = [(i, *who) for i in range(60) for who in ((100, "web"), (500, "db"))]
    lines = (DOCKER % {"s": s, "part": part, "name": name} for s, part, name in at)
    table = import_files([str(written("stats.json", "".join(lines)))]).table
    assert set(table.values("servers", "cpu")) == {4.0}
    assert table.values("utilization", "cpu") == pytest.approx([0.5] * len(table.rows), rel=0.1)


@pytest.mark.parametrize(("step", "scrape"), [(15, 60), (25, 60), (90, 60), (20, 15)])
def test_scrapes_that_are_no_steps_of_a_query(step, scrape):
    """A processor of 10 %, a disk that never rests, five requests a second."""
    metrics, times = Metrics("Prometheus", "shop.json"), np.arange(0.0, 7200.0, step)
    labels = {"cpu": "0", "mode": "idle", "device": "sda", "instance": "web1:9100"}
    for name, rate in (("node_cpu_seconds", 0.9), ("node_disk_io_time_seconds", 1.0),
                       ("http_requests", 5.0)):  # fmt: skip
        metrics.add(f"{name}_total", labels, times, rate * (times // scrape) * scrape)
    metrics.add("machine_cpu_cores", {"instance": "web1:10250"}, times, times * 0.0 + 1.0)
    cpu, cores, disk, *_, rate = joined([recording_of(metrics)]).series
    assert (cores.name, cores.mean(600.0, 6600.0)) == ("servers:cpu", 1.0)
    assert cpu.mean(600.0, 6600.0) == pytest.approx(0.1, abs=0.01)
    assert 0.99 < disk.mean(600.0, 6600.0) <= 1.0 >= disk.mean(600.0, 900.0)
    assert rate.mean(600.0, 6600.0) == pytest.approx(5.0, rel=0.02)
    assert scrape % step or cpu.mean(600.0, 900.0) == pytest.approx(0.1)
