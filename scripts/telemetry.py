"""Demands of two classes from what monitors record, against each class alone.

    python -m scripts.telemetry [--repetitions 10] [--seconds 20] [--keep FOLDER]
    python -m scripts.telemetry --again FOLDER

A mix of two pgbench scripts is recorded at once as node_exporter's text, by Prometheus and as
pgbench's log; each class alone, before it, in its middle, where all three pause, and after it, says
what the truth is. Needed on the PATH: PostgreSQL, prometheus and node_exporter. Nothing else should
be busy on the machine: it would be counted as background. The truth is the processor time of
PostgreSQL's processes and pgbench, whatever else is busy. Machines whose speed changes while they
are recorded make that truth uncertain: how far the times alone are apart is printed, and so is what
each class took in the mix.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from contextlib import ExitStack, suppress
from pathlib import Path

from calibration.estimation.fit import NotCalibratable
from calibration.fitting.calibrate import calibrate
from calibration.recordings.importing import import_files
from scripts.coverage_study import of_worlds
from scripts.live.database import running
from scripts.live.programs import programs, unprivileged
from scripts.record_telemetry.__main__ import EXPORTER, MONITOR, answers, start

#: Rows that each class sums, transactions of it alone [1/s], and length of that [s]. Alone it keeps
#: the processors as busy as the mix does in the mean: an idle one takes longer for a request.
CLASSES, ALONE, TRUTH = {"script 1": 20_000, "script 2": 80_000}, (280, 80), 20
#: Rates of both classes in each part of the mix [1/s], and its length [s]. Two parts are quiet as
#: a night is: without any, what the server does besides is in the demands.
MIX = (
    (10, 2),
    (40, 40),
    (240, 16),
    (80, 80),
    (320, 8),
    (20, 56),
    (160, 64),
    (280, 40),
    (60, 20),
    (200, 88),
    (120, 32),
    (8, 4),
)
PART = 20
#: Processors that the part with most work keeps busy, which all rates are scaled to.
BUSIEST, TRIAL = 1.4, 4
#: What is close to the truth; share of demands that must be, and have it in their 90 % interval.
CLOSE, ENOUGH = 0.10, 0.85
#: What each monitor's recording is called.
MONITORS = "node.prom", "prometheus.json"
#: Processors that other work may use.
BUSY = 0.1
NEEDED = dict.fromkeys(("initdb", "postgres", "pgbench", "createdb"), "postgresql")
NEEDED["timeout"] = "coreutils"
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def scrape(until, path):
    """node_exporter's text again and again, as a script of cron would keep it."""
    with path.open("ab") as file:
        while not until.wait(1.0):
            with urllib.request.urlopen(f"http://127.0.0.1:{EXPORTER}/metrics", timeout=5) as reply:
                file.write(reply.read() + b"# EOF\n")


def busy():
    """Processor time that was used since the machine started. [s]"""
    ticks = [int(word) for word in Path("/proc/stat").read_text().split("\n")[0].split()[1:8]]
    return (sum(ticks) - ticks[3] - ticks[4]) / 100.0


def ticks(pid):
    """Parent and processor time of one process and of its children that ended. [ticks]"""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(words[1]), int(words[11]) + int(words[12]), int(words[13]) + int(words[14])


def watch(until, database, used):
    """What the server processes of each class have used, as long as they live. [ticks]"""
    while not until.wait(0.5):
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):
                parent, own, _ = ticks(path.parent.name)
                name = re.search(r"^postgres: .*\bclass(\d)", path.read_bytes().decode())
                if parent == database.pid and name:
                    used[path.parent.name] = int(name[1]), own


def load(database, found, identity, home, rates, seconds, prefix):
    """Transactions of each class at its rate: the lines of pgbench's logs, and each class's
    processor time. [s]"""
    until, used = threading.Event(), {}
    thread = threading.Thread(target=watch, args=(until, database, used), daemon=True)
    _, own, ended = ticks(database.pid)
    thread.start()
    running = {}
    for i, rate in enumerate(rates):
        if rate:
            files = [word for j in range(2) for word in ("-f", f"{j}.sql@{int(i == j)}")]
            command = [found["pgbench"], *database.connection, "-n", *files, "-c", "8",
                       "-R", f"{rate:.1f}", "-T", str(seconds), "-l",
                       f"--log-prefix={prefix}_{i}", f"class{i}"]  # fmt: skip
            running[i] = subprocess.Popen(command, cwd=home, stdin=subprocess.DEVNULL, **QUIET,
                                          **identity)  # fmt: skip
    clients = [0.0, 0.0]
    for i, process in running.items():
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise RuntimeError(f"pgbench ended with {process.returncode}")
        clients[i] = usage.ru_utime + usage.ru_stime
    time.sleep(0.5)  # until its backends have ended
    until.set()
    thread.join()
    _, own_after, ended_after = ticks(database.pid)
    whole = (own_after - own + ended_after - ended) / os.sysconf("SC_CLK_TCK")
    seen = [sum(time for c, time in used.values() if c == i) for i in range(2)]
    lines = [line for path in sorted(home.glob(f"{prefix}_*")) for line in path.open()]
    return lines, [s / max(1, sum(seen)) * whole + c for s, c in zip(seen, clients, strict=True)]


def counted(lines):
    """How many requests of each class a log holds."""
    return [sum(line.split()[3] == str(i) for line in lines) for i in range(2)]


def asked(began, ended):
    """What Prometheus has of the processors, of a second each."""
    query = "query=node_cpu_seconds_total%7Bmode%3D~%22idle%7Ciowait%22%7D"
    span = f"start={began:.0f}&end={ended:.0f}&step=1"
    address = f"http://127.0.0.1:{MONITOR}/api/v1/query_range?{query}&{span}"
    with urllib.request.urlopen(address, timeout=10) as reply:
        return json.load(reply)


def record(home, keep, part):
    """One mix recorded by pgbench and both monitors, and the truth, into the folder `keep`."""
    found, identity = programs(NEEDED), unprivileged()
    if identity:
        for folder in (home, home.parent):
            shutil.chown(folder, identity["user"], identity["group"])
    for i, rows in enumerate(CLASSES.values()):
        (home / f"{i}.sql").write_text(f"SELECT sum(i) FROM generate_series(1, {rows}) i;\n")
    (home / "prometheus.yml").write_text(
        "global: {scrape_interval: 1s}\nscrape_configs: [{job_name: node, static_configs: "
        f'[{{targets: ["127.0.0.1:{EXPORTER}"]}}]}}]\n'
    )
    exporter = shutil.which("node_exporter") or "prometheus-node-exporter"
    with ExitStack() as stack:
        database = stack.enter_context(running(found, home, identity, 300 + 2 * len(MIX) * part))
        start(stack, [exporter, f"--web.listen-address=127.0.0.1:{EXPORTER}",
                      "--collector.disable-defaults", "--collector.cpu", "--collector.time",
                      "--web.disable-exporter-metrics"])  # fmt: skip
        start(stack, ["prometheus", f"--config.file={home}/prometheus.yml",
                      f"--storage.tsdb.path={home}/tsdb",
                      f"--web.listen-address=127.0.0.1:{MONITOR}"])  # fmt: skip
        answers(EXPORTER)
        answers(MONITOR)
        time.sleep(5.0)
        before = busy()
        time.sleep(10.0)
        idle = (busy() - before) / 10.0
        print(f"  {idle:.3f} processors were busy before the load"
              + ": do not trust this repetition" * (idle > BUSY))  # fmt: skip
        for i in range(2):
            subprocess.run([found["createdb"], *database.connection,
                            f"class{i}"], check=True, **QUIET, **identity)  # fmt: skip

        def requests(rates, seconds, name):
            return load(database, found, identity, home, rates, seconds, name)

        def alone(i, rate, seconds, name):
            lines, used = requests([rate if i == j else 0 for j in range(2)], seconds, name)
            return used[i] / len(lines)

        trial = [alone(i, rate / 2, TRIAL, f"trial{i}") for i, rate in enumerate(ALONE)]
        busiest = max(sum(r * d for r, d in zip(rates, trial, strict=True)) for rates in MIX)
        scale = BUSIEST / busiest
        times, log, within, series = [], [], [0.0, 0.0], []

        def both_alone():
            number = len(times)
            times.append([alone(i, scale * r, TRUTH, f"alone{number}_{i}")
                          for i, r in enumerate(ALONE)])  # fmt: skip

        for half in MIX[: len(MIX) // 2], MIX[len(MIX) // 2 :]:
            both_alone()
            until = threading.Event()
            thread = threading.Thread(target=scrape, args=(until, home / "node.prom"))
            thread.start()
            began = time.time()
            for rates in half:
                name = f"mix{len(times)}_{len(log)}"
                lines, used = requests([scale * rate for rate in rates], part, name)
                log += sorted(lines, key=lambda line: [int(w) for w in line.split()[4:6]])
                within = [a + b for a, b in zip(within, used, strict=True)]
            until.set()
            thread.join()
            series.append(asked(began, time.time()))
        both_alone()
        within = [time / n for time, n in zip(within, counted(log), strict=True)]
        truth = {"alone": times, "mix": within, "rates": [scale * r for r in ALONE]}
        for first, second in zip(*(each["data"]["result"] for each in series), strict=True):
            first["values"] += second["values"]
        (home / "prometheus.json").write_text(json.dumps(series[0]))
    (home / "pgbench_log").write_text("".join(log))
    (home / "truth.json").write_text(json.dumps(truth))
    for name in (*MONITORS, "pgbench_log", "truth.json"):
        shutil.copyfile(home / name, keep / name)


def demands(home, monitor, alone_at):
    """Each class's demand at the processors alone and its 90 % interval, by all models. [s]"""
    taken = import_files([str(home / "pgbench_log"), str(home / monitor)], classwise=True)
    for note in taken.notes:
        print(f"  {monitor}: {note}")
    try:
        calibration = calibrate(taken.table)
    except NotCalibratable as error:
        print(f"  {error}")
        return {}
    classes, cpu = calibration.data.classes, calibration.data.stations.index("cpu")
    found = {}
    servers = calibration.data.runs[-1].servers
    for name, rate in zip(CLASSES, alone_at, strict=True):
        if name not in classes:
            continue
        c = classes.index(name)
        rates = [rate if i == c else 0.0 for i in range(len(classes))]

        def alone(service, c=c, rates=rates):
            return service.demand_at(service.load_of_rates(rates, servers))[c][cpu]

        one = of_worlds(calibration, alone)
        found[name] = (one.mid, one.low, one.high)
    return found


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--repetitions", type=int, default=10)
    parser.add_argument("--seconds", type=int, default=PART, help="of each part of the mix")
    parser.add_argument("--keep", type=Path, help="where the recordings are kept")
    parser.add_argument("--again", type=Path, help="recordings that were kept, fitted again")
    given = parser.parse_args()
    kept = given.again or given.keep or Path(tempfile.mkdtemp(prefix="telemetry-"))
    judged_alone, judged_mixed, strays, apart = [], [], [], []
    for number in range(1, given.repetitions + 1):
        keep = kept / str(number)
        if not given.again:
            keep.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix="telemetry-") as folder:
                home = Path(folder) / "home"
                home.mkdir()
                record(home, keep, given.seconds)
        truth = json.loads((keep / "truth.json").read_text())
        found = {name: demands(keep, name, truth["rates"]) for name in MONITORS}
        for c, name in enumerate(CLASSES):
            times = [each[c] for each in truth["alone"]]
            alone = (times[0] + 2.0 * times[1] + times[2]) / 4.0  # a half of the mix between two
            mixed = truth["mix"][c]
            strays.append((max(times) - min(times)) / alone)
            print(f"{number}  {name}  alone {1e3 * alone:.2f} ms ("
                  + ", ".join(f"{1e3 * each:.2f}" for each in times)
                  + f" in turn), in the mix {1e3 * mixed:.2f}")  # fmt: skip
            for monitor, each in found.items():
                value, low, high = each.get(name, (0.0, 0.0, 0.0))
                for true, judged in (alone, judged_alone), (mixed, judged_mixed):
                    judged.append((abs(value / true - 1.0) <= CLOSE, low <= true <= high))
                print(f"      {monitor} {1e3 * value:.2f} ({1e3 * low:.2f} to {1e3 * high:.2f}) ms")
            values = [each.get(name, (0.0,))[0] for each in found.values()]
            apart.append(abs(values[0] - values[1]) / alone)
    print(f"alone apart by {sum(strays) / len(strays):.1%} in the mean, "
          f"{max(strays):.1%} at most; "
          f"text and Prometheus by {max(apart):.1%} at most")  # fmt: skip
    for what, judged in ("in the mix", judged_mixed), ("alone", judged_alone):
        close, inside = (sum(each) / len(judged) for each in zip(*judged, strict=True))
        print(f"{what}: within 10 % {close:.0%}; in the 90 % interval {inside:.0%}")
    sys.exit(0 if min(close, inside) >= ENOUGH else 1)  # of each class alone


if __name__ == "__main__":
    main()
