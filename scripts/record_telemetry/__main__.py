"""Record the telemetry files of the tests from the tools that write them.

    python -m scripts.record_telemetry FOLDER [--only web,generators,pgbench]

Needed on the PATH: nginx, wrk, prometheus, prometheus-node-exporter, sysstat and procps (packages
of Debian), k6 (``go install go.k6.io/k6@v0.49.0``), JMeter as ``jmeter`` (Maven:
com.lazerycode.jmeter:jmeter-maven-plugin:3.6.1, goal configure), and of PyPI locust,
prometheus-client, opentelemetry-sdk and opentelemetry-exporter-otlp-json-file; PostgreSQL is found
where Debian puts it. A tool that is missing is named and its files are left as they are. Traffic
goes to 127.0.0.1 alone, and every load ends by itself.
"""

import argparse
import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, suppress
from pathlib import Path

from scripts.record_telemetry import files

PORT, FRONT, EXPORTER, MONITOR = 8101, 8100, 9101, 9091
#: Users at each step, and its length. [s]
STEPS, STEP = (1, 4, 8, 12, 16), 12


def start(stack, command, *, out=None, **options):
    """A process that ends with the stack."""
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=out or subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, **options,
    )  # fmt: skip

    def stop():
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(15)
        process.kill()

    stack.callback(stop)
    return process


def answers(port, patience=20.0):
    """Wait until something listens."""
    import socket

    until = time.monotonic() + patience
    while time.monotonic() < until:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1.0):
            return
        time.sleep(0.1)
    sys.exit(f"nothing answers on port {port}")


def application(stack, home):
    """Two processes of the application behind nginx, which writes access logs."""
    for number in range(2):
        folder = home / f"app{number}"
        folder.mkdir()
        start(stack, [sys.executable, str(Path(__file__).with_name("app.py")),
                      str(PORT + number), str(folder)])  # fmt: skip
        answers(PORT + number)
    (home / "logs").mkdir()
    (home / "nginx.conf").write_text(files.nginx(FRONT, (PORT, PORT + 1), home))
    start(stack, ["nginx", "-p", str(home), "-c", str(home / "nginx.conf"), "-e",
                  str(home / "logs/error.log")])  # fmt: skip
    answers(FRONT)


def web(home, kept):
    """Steps of k6 on the application, watched by every monitor there is."""
    with ExitStack() as stack:
        application(stack, home)
        start(stack, ["prometheus-node-exporter", f"--web.listen-address=127.0.0.1:{EXPORTER}",
                      "--collector.disable-defaults", "--web.disable-exporter-metrics",
                      *(f"--collector.{c}" for c in
                        ("cpu", "diskstats", "netdev", "meminfo", "pressure", "time")),
                      "--collector.netdev.device-exclude=^(ifb|sit|ip6).*$"])  # fmt: skip
        (home / "prometheus.yml").write_text(files.prometheus(EXPORTER, (PORT, PORT + 1), home))
        start(
            stack,
            [
                "prometheus",
                f"--config.file={home}/prometheus.yml",
                f"--storage.tsdb.path={home}/tsdb",
                f"--web.listen-address=127.0.0.1:{MONITOR}",
            ],
        )
        answers(EXPORTER)
        answers(MONITOR)
        long = {**os.environ, "S_TIME_FORMAT": "ISO", "TZ": "UTC", "LC_ALL": "C"}
        seconds = str(len(STEPS) * STEP + 4)
        half = str(len(STEPS) * STEP // 2)
        for name, command in {
            "sar.bin": None,
            "vmstat.txt": ["vmstat", "-n", "2", half],
            "vmstat_t.txt": ["vmstat", "-n", "-t", "2", half],
            "iostat.txt": ["iostat", "-x", "-c", "-d", "-t", "3", "8"],
            "iostat.json": ["iostat", "-x", "-c", "-d", "-t", "-o", "JSON", "3", "8"],
            "pidstat.txt": ["pidstat", "-u", "-C", "nginx|python", "3", "6"],
            "pidstat_h.txt": ["pidstat", "-u", "-h", "-H", "-C", "nginx|python", "3", "6"],
        }.items():
            if name == "sar.bin":
                words = ["-u", "-d", "-n", "DEV", "-o", str(home / name), "2", half]
                start(stack, ["sar", *words], env=long)
            else:
                start(stack, command, out=(home / name).open("wb"), env=long)
        start(stack, ["sh", "-c", files.CGROUP % seconds], out=(home / "cgroup.txt").open("wb"))
        start(stack, ["sh", "-c", files.SCRAPES % EXPORTER], out=(home / "node.prom").open("wb"))
        (home / "steps.js").write_text(files.k6(FRONT, STEPS, STEP))
        time.sleep(2)
        began = time.time()
        run(["k6", "run", "-q", "--out", f"csv={home}/k6.csv.gz",
             "--out", f"json={home}/k6.json.gz", "--summary-export", f"{home}/k6_summary.json",
             str(home / "steps.js")])  # fmt: skip
        time.sleep(4)
        query(home, began - 4, time.time())
    for name, words in {
        "sadf.json": ["-j"], "sadf.csv": ["-d"], "sar.txt": None,
    }.items():  # fmt: skip
        sar = ["sar", "-f"]
        for part in ("-u", "-d", "-n DEV") if name == "sadf.csv" else ("-u -d -n DEV",):
            out = "sadf_disk.csv" if part == "-d" else "sadf_net.csv" if part == "-n DEV" else name
            command = (
                ["sadf", *words, str(home / "sar.bin"), "--", *part.split()]
                if words
                else [*sar, str(home / "sar.bin"), *part.split()]
            )
            with (home / out).open("wb") as file:
                subprocess.run(command, stdout=file, env=long, check=True)
    for name in ("common", "combined", "json"):
        lines = (home / f"logs/{name}.log").read_text().splitlines(keepends=True)
        (home / f"access_{name}.log").write_text("".join(lines[: files.KEPT]))
    for name in ("traces", "metrics"):
        text = (home / f"app0/{name}.json").read_text().splitlines(keepends=True)
        (home / f"otlp_{name}.json").write_text("".join(text[: files.MESSAGES]))
    with gzip.open(home / "k6.json.gz", "rt") as file:
        text = [line for _, line in zip(range(files.POINTS), file, strict=False)]
    with gzip.open(home / "k6.json.gz", "wt") as file:
        file.writelines(text)
    for name in files.WEB:
        keep(home / name, kept)


def query(home, began, ended):
    """What Prometheus recorded, as its HTTP interface gives it."""
    import urllib.parse
    import urllib.request

    for name, wanted in files.QUERIES.items():
        words = urllib.parse.urlencode(
            {"query": wanted, "start": f"{began:.0f}", "end": f"{ended:.0f}", "step": "3"}
        )
        address = f"http://127.0.0.1:{MONITOR}/api/v1/query_range?{words}"
        with urllib.request.urlopen(address, timeout=10) as reply:
            (home / name).write_bytes(reply.read())


def generators(home, kept):
    """wrk, JMeter and Locust, each for some seconds."""
    with ExitStack() as stack:
        application(stack, home)
        for users in (2, 8):
            run(["wrk", "-t2", f"-c{users}", "-d5s", "--latency", f"http://127.0.0.1:{FRONT}/search"],
                home / f"wrk_{users}.txt")  # fmt: skip
        run(
            ["wrk", "-t2", "-c4", "-d3s", f"http://127.0.0.1:{FRONT}/search"],
            home / "wrk_short.txt",
        )
        (home / "plan.jmx").write_text(files.jmeter(FRONT))
        for form in ("csv", "xml"):
            run(["jmeter", "-n", "-t", str(home / "plan.jmx"), "-j", str(home / "jmeter.log"),
                 "-l", str(home / f"jmeter_{form}.jtl"),
                 f"-Jjmeter.save.saveservice.output_format={form}"])  # fmt: skip
        (home / "locustfile.py").write_text(files.LOCUST)
        run([str(Path(sys.executable).parent / "locust"), "-f", str(home / "locustfile.py"),
             "--headless", "--host", f"http://127.0.0.1:{FRONT}", "--csv", str(home / "locust"),
             "--csv-full-history", "--loglevel", "ERROR"])  # fmt: skip
    for name in files.GENERATORS:
        keep(home / name, kept)


def pgbench(home, kept):
    """The summary, the progress and the two logs of pgbench."""
    from scripts.live.database import running
    from scripts.live.programs import programs, unprivileged

    found, identity = programs(), unprivileged()
    if identity:
        for folder in (home, home.parent):
            shutil.chown(folder, identity["user"], identity["group"])
    (home / "mix.sql").write_text("SELECT sum(i) FROM generate_series(1, 2000) i;\n")
    (home / "long.sql").write_text("SELECT sum(i) FROM generate_series(1, 8000) i;\n")
    with running(found, home, identity, 120) as database:
        base = [found["pgbench"], *database.connection, "-n", "-f", "mix.sql@3", "-f", "long.sql"]
        for name, words in {
            "pgbench.txt": ["-c", "4", "-T", "4"],
            "pgbench_rate.txt": ["-c", "4", "-T", "4", "-R", "100"],
            "pgbench_progress.txt": ["-c", "4", "-T", "10", "-P", "1"],
            "pgbench_stamps.txt": ["-c", "2", "-T", "6", "-P", "1", "--progress-timestamp"],
            "pgbench_log": ["-c", "2", "-T", "4", "-R", "150", "-l"],
            "pgbench_aggregated": ["-c", "2", "-T", "8", "-l", "--aggregate-interval=1"],
        }.items():
            prefix = [f"--log-prefix={name}"] if "-l" in words else []
            with (home / "said.txt").open("wb") as out:
                subprocess.run(
                    [*base, *words, *prefix, "postgres"], cwd=home, stdin=subprocess.DEVNULL,
                    stdout=out, stderr=subprocess.STDOUT, check=True, timeout=60, **identity,
                )  # fmt: skip
            logged = sorted(home.glob(f"{name}.[0-9]*"))
            shutil.copyfile(logged[0] if logged else home / "said.txt", home / name)
    for name in files.PGBENCH:
        keep(home / name, kept)


def run(command, out=None):
    """A load; what it says goes to a file or nowhere."""
    with (out or Path(os.devnull)).open("wb") as file:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT, timeout=180
        )
    if done.returncode not in {0, 1, 99}:
        print(f"{command[0]} ended with {done.returncode}")


def keep(path, kept):
    """A file without what names this machine, and how large it is."""
    if not path.exists() or not path.stat().st_size:
        print(f"  no {path.name}: its tool is missing or recorded nothing")
        return
    content = path.read_bytes()
    if path.suffix != ".gz":
        text = content.decode()
        text = re.sub(rf"\b{re.escape(os.uname().nodename)}\b", "server", text)
        text = text.replace(os.uname().release, "6.1.0").replace(str(path.parent), "/recorded")
        content = text.encode()
    (kept / path.name).write_bytes(content)
    print(f"  {path.name}: {len(content)} bytes")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="where the files go")
    parser.add_argument("--only", default="web,generators,pgbench")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for name in given.only.split(","):
        print(name)
        with tempfile.TemporaryDirectory(prefix="telemetry-") as folder:
            home = Path(folder) / "home"
            home.mkdir()
            {"web": web, "generators": generators, "pgbench": pgbench}[name](home, given.folder)


if __name__ == "__main__":
    main()
