"""The parts of a live recording that need no server: replies, counters, plan, tables."""

import json
import random
import socket
import threading
import time
from contextlib import suppress
from importlib import import_module

import pytest

from calibration.recordings.user_table import parse_user_table
from scripts.live import client, ship
from scripts.live.counters import between, read_counters
from scripts.live.plan import BRIEF, Plan, Run
from scripts.live.record import Files, disturbed
from scripts.live.system import SYSTEMS, LiveSystem, Variant, load_live_system

REPLIES = {
    "http": [
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n",
    ],
    "redis": [b"+OK\r\n", b"$-1\r\n", b"*2\r\n$3\r\nabc\r\n*1\r\n:7\r\n", b"-ERR no\r\n"],
    "postgresql": [
        b"T\0\0\0\4D\0\0\0\7abcC\0\0\0\4Z\0\0\0\5I", b"E\0\0\0\4Z\0\0\0\5I",
    ],
    "mariadb": [
        b"\7\0\0\1\0\0\0\2\0\0\0",
        b"\1\0\0\1\1" b"\3\0\0\2def" b"\5\0\0\3\xfe\0\0\2\0" b"\2\0\0\4\1x" b"\5\0\0\5\xfe\0\0\2\0",
        b"\3\0\0\1\xff\1\2",
    ],
}  # fmt: skip


@pytest.mark.parametrize("protocol", REPLIES)
def test_a_reply_is_whole_when_its_last_byte_is_there(protocol):
    made = import_module(f"scripts.live.protocols.{protocol}").Reply()
    failed = []
    for reply in REPLIES[protocol]:
        for i in range(len(reply) - 1):
            assert not made.feed(reply[i : i + 1]), reply[: i + 1]
        assert made.feed(reply[-1:])
        failed.append(made.failed)
        assert made.feed(reply)  # at once, on the same connection
    assert failed == [False] * (len(failed) - 1) + [True]


def test_clients_think_and_ask(monkeypatch):
    """Three clients of 20 ms thinking at a server that takes one after the other for 5 ms."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve():
        lock = threading.Lock()

        def one(connection):
            with connection, suppress(ConnectionError):  # a client that leaves
                while connection.recv(100):
                    with lock:
                        time.sleep(0.005)
                    connection.sendall(b"+OK\r\n")

        for _ in range(3):
            threading.Thread(target=one, args=(listening.accept()[0],), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    made = LiveSystem("toy", {}, "", "redis", lambda _: None, lambda _: b"PING\r\n",
                      (Variant("a", "a"),), ())  # fmt: skip
    monkeypatch.setattr("scripts.live.system.load_live_system", lambda _: made)
    address = list(listening.getsockname())
    told = {"system": "toy", "address": address, "users": 3, "think": 0.02, "seconds": 0.5,
            "warm_up": 0.1, "seed": 1}  # fmt: skip
    found = client.drive(told)
    listening.close()
    assert found["errors"] == 0
    assert found["p50"] >= 0.005
    # Little's law holds of what was counted, but for who is under way at its ends.
    inside = found["throughput"] * (found["response_time"] + found["think_time"])
    assert inside == pytest.approx(3.0, rel=0.15)


def test_counters_are_read_and_subtracted(tmp_path):
    (tmp_path / "net").mkdir()

    def write(busy, idle, io, sent):
        (tmp_path / "stat").write_text(
            f"cpu 0 0 0 0 0 0 0 0 0 0\ncpu0 {busy} 0 0 {idle} 0 0 0 0 0 0\n"
            f"cpu1 0 0 0 {busy + idle} 0 0 0 0 0 0\nintr 1\n"
        )
        (tmp_path / "diskstats").write_text(f"254 0 vda {io} 0 {io} 0 {io} 0 {io} 0 0 {io} 0\n")
        (tmp_path / "net" / "dev").write_text(f"a\nb\nlo: 1 2 3 4 5 6 7 8 {sent} 0 0 0 0 0 0 0\n")
        return read_counters(tmp_path)

    first = write(0, 0, 0, 0)
    time.sleep(0.02)
    last = write(30, 70, 10, 1000)
    found = between(first, last, (0,))
    assert found["cpu"] == pytest.approx(0.3)
    assert between(first, last, (0, 1))["cpu"] == pytest.approx(0.15)
    passed = last.at - first.at
    assert found["disk_operations"] == pytest.approx(20 / passed)
    assert found["network_bytes"] == pytest.approx(1000 / passed)


def test_every_system_has_requests_a_change_and_a_package_for_each_program():
    for name in SYSTEMS:
        system = load_live_system(name)
        assert len(system.variants) > 1
        assert all(system.programs.values())
        assert len({system.request(random.Random(i)) for i in range(50)}) > 10


def test_the_plan_goes_up_and_down_and_takes_two_hours():
    plan = Plan()
    runs = plan.runs(2)
    assert [r.users for r in runs[:9]] == [r.users for r in reversed(runs[9:18])]
    assert len(set(runs)) == len(runs)
    every = sum(plan.duration(plan.runs(len(load_live_system(n).variants))) for n in SYSTEMS)
    assert every + 45.0 * len(SYSTEMS) < 110 * 60.0


def run_of(run, **more):
    said = {"seconds": 8.5, "errors": 0, "disk": 0.0, "stolen": 0.0, "think_time": 0.1,
            "throughput": 7.0 * run.users, "response_time": 0.002,
            "cpu": 0.01 * run.users}  # fmt: skip
    return {"variant": run.variant, "users": run.users, "round": run.round} | said | more


def test_a_recording_goes_on_where_it_stopped(tmp_path):
    files, system = Files(tmp_path, "redis"), load_live_system("redis")
    runs = BRIEF.runs(2)
    assert files.left(BRIEF, system) == list(runs)
    files.runs.write_text(json.dumps(run_of(runs[0])) + "\n")
    assert files.left(BRIEF, system) == list(runs[1:])


def test_what_disturbs_a_run():
    assert not disturbed(run_of(Run(0, 4, 1)))
    assert "other processes took 9.0%" in disturbed(run_of(Run(0, 4, 1), others=0.09))
    assert "a hypervisor took 2.0%" in disturbed(run_of(Run(0, 4, 1), stolen=0.02))


def test_tables_are_read_again(tmp_path):
    variants = [{"name": "one core", "says": "one core", "cores": 1, "change": {}},
                {"name": "two", "says": "two", "cores": 2,
                 "change": {"servers:cpu": 2}}]  # fmt: skip
    known = {"title": "toy", "workload": "a toy", "version": "1", "variants": variants,
             "known": {"pool": 16}, "machine": {"memory": "1 GB"}}  # fmt: skip
    runs = [run_of(each, disk=0.5, disk_operations=9.0) for each in BRIEF.runs(2)]
    Files(tmp_path, "redis").card.write_text(json.dumps(known))
    Files(tmp_path, "redis").runs.write_text("".join(json.dumps(run) + "\n" for run in runs))
    assert ship.main([str(tmp_path), "--into", str(tmp_path / "made")]) == 0
    found = parse_user_table((tmp_path / "made" / "redis.csv").read_text())
    assert found.values("population") == (4.0, 16.0, 64.0, 16.0)
    assert found.values("servers", "cpu") == (1.0, 1.0, 1.0, 2.0)
    assert found.values("utilization", "cpu")[0] == pytest.approx(0.04)
    assert found.values("utilization", "disk")[0] == pytest.approx(0.5)
    assert ship.noise(runs, "throughput") == 0.0
    assert ship.main([str(tmp_path / "nothing"), "--into", str(tmp_path / "made")]) == 2
