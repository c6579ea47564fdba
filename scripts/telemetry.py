"""Demands of two classes from what monitors record, against each class alone.

    python -m scripts.telemetry [--repetitions 10] [--keep FOLDER]
    python -m scripts.telemetry --again FOLDER

A mix of two pgbench scripts is recorded at once as node_exporter's text, by Prometheus and as
pgbench's log; each class alone says what the truth is. Needed on the PATH: PostgreSQL, prometheus
and node_exporter. Nothing else should be busy on the machine: it would be counted as background.
The truth is the processor time of PostgreSQL's processes and pgbench, whatever else is busy.
"""

import argparse
import json
import os
import resource
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
#: the processors as busy as the mix does in the mean: an idle processor takes longer for a request.
CLASSES, ALONE, TRUTH = {"script 1": 20_000, "script 2": 80_000}, (280, 80), 15
#: Rates of both classes in each part of the mix [1/s], and its length. [s]
MIX = (
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
)
PART = 10
#: Share of demands that must be within `CLOSE` of the truth, and have it in their 90 % interval.
CLOSE, INSIDE = 0.10, 0.85
#: What each monitor's recording is called.
MONITORS = "node.prom", "prometheus.json"
#: Processors that other work may use.
BUSY = 0.1


def scrape(until, path):
    """node_exporter's text again and again, as a script of cron would keep it."""
    with path.open("wb") as file:
        while not until.wait(1.0):
            with urllib.request.urlopen(f"http://127.0.0.1:{EXPORTER}/metrics", timeout=5) as reply:
                file.write(reply.read() + b"# EOF\n")


def busy():
    """Processor time that was used since the machine started. [s]"""
    ticks = [int(word) for word in Path("/proc/stat").read_text().split("\n")[0].split()[1:8]]
    return (sum(ticks) - ticks[3] - ticks[4]) / 100.0


def used(database):
    """Processor time of PostgreSQL's processes, and of pgbench so far. [s]"""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            words = path.read_text().rpartition(")")[2].split()
            if int(path.parent.name) == database.pid:
                ticks += sum(int(word) for word in words[11:15])  # with backends that have ended
            elif int(words[1]) == database.pid:
                ticks += int(words[11]) + int(words[12])
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ticks / os.sysconf("SC_CLK_TCK") + ended.ru_utime + ended.ru_stime


def load(database, found, identity, home, rates, seconds, prefix):
    """Transactions of each class at its rate; the lines of pgbench's log."""
    files = [w for i, r in enumerate(rates) if r for w in ("-f", f"{i}.sql@{r}")]
    command = [found["pgbench"], *database.connection, "-n", *files, "-c", "16", "-j", "2",
               "-R", str(sum(rates)), "-T", str(seconds), "-l", f"--log-prefix={prefix}",
               "postgres"]  # fmt: skip
    subprocess.run(command, cwd=home, check=True, timeout=seconds + 60, stdin=subprocess.DEVNULL,
                   capture_output=True, **identity)  # fmt: skip
    return [line for path in sorted(home.glob(f"{prefix}.*")) for line in path.open()]


def record(home, keep):
    """One mix recorded by pgbench and both monitors, and the truth, into the folder `keep`."""
    found, identity = programs(), unprivileged()
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
    truth = []
    with ExitStack() as stack:
        database = stack.enter_context(running(found, home, identity, 600))
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
        if idle > BUSY:
            print(
                f"  {idle:.2f} processors were busy before the load: do not trust this repetition"
            )
        for i, rate in enumerate(ALONE):
            rates = [rate if i == j else 0 for j in range(2)]
            before = used(database)
            lines = load(database, found, identity, home, rates, TRUTH, f"alone{i}")
            time.sleep(1.0)  # until its backends have ended
            truth.append((used(database) - before) / len(lines))
        until = threading.Event()
        thread = threading.Thread(target=scrape, args=(until, home / "node.prom"))
        thread.start()
        began = time.time()
        log = [
            line
            for number, rates in enumerate(MIX)
            for line in load(database, found, identity, home, rates, PART, f"mix{number}_")
        ]
        until.set()
        thread.join()
        query = "query=node_cpu_seconds_total%7Bmode%3D~%22idle%7Ciowait%22%7D"
        span = f"start={began:.0f}&end={time.time():.0f}&step=1"
        address = f"http://127.0.0.1:{MONITOR}/api/v1/query_range?{query}&{span}"
        with urllib.request.urlopen(address, timeout=10) as reply:
            (home / "prometheus.json").write_bytes(reply.read())
    (home / "pgbench_log").write_text("".join(log))
    (home / "truth.json").write_text(json.dumps(truth))
    for name in (*MONITORS, "pgbench_log", "truth.json"):
        shutil.copyfile(home / name, keep / name)


def demands(home, monitor):
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
    for name, rate in zip(CLASSES, ALONE, strict=True):
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
    parser.add_argument("--keep", type=Path, help="where the recordings are kept")
    parser.add_argument("--again", type=Path, help="recordings that were kept, fitted again")
    given = parser.parse_args()
    kept = given.again or given.keep or Path(tempfile.mkdtemp(prefix="telemetry-"))
    close, inside, apart = [], [], []
    for number in range(1, given.repetitions + 1):
        keep = kept / str(number)
        if not given.again:
            keep.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix="telemetry-") as folder:
                home = Path(folder) / "home"
                home.mkdir()
                record(home, keep)
        truth = json.loads((keep / "truth.json").read_text())
        found = {name: demands(keep, name) for name in MONITORS}
        for name, alone in zip(CLASSES, truth, strict=True):
            for monitor, each in found.items():
                value, low, high = each.get(name, (0.0, 0.0, 0.0))
                close.append(abs(value / alone - 1.0) <= CLOSE)
                inside.append(low <= alone <= high)
                print(f"{number}  {name}  alone {1e3 * alone:.2f} ms  {monitor} {1e3 * value:.2f} "
                      f"({1e3 * low:.2f} to {1e3 * high:.2f}) ms")  # fmt: skip
            values = [each.get(name, (0.0,))[0] for each in found.values()]
            apart.append(abs(values[0] - values[1]) / alone)
    shares = sum(close) / len(close), sum(inside) / len(inside)
    print(f"within 10 %: {shares[0]:.0%}; truth in the 90 % interval: {shares[1]:.0%}; "
          f"text and Prometheus apart by {max(apart):.1%} at most")  # fmt: skip
    sys.exit(0 if shares[0] == 1.0 and shares[1] >= INSIDE else 1)


if __name__ == "__main__":
    main()
