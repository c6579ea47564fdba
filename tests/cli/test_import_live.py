"""``qmodel import prometheus``: a real server with node_exporter, and servers that misbehave."""

import json
import re
import shutil
import socket
import subprocess
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from urllib.parse import unquote_plus
from urllib.request import urlopen

import pytest

from calibration.recordings import asking_prometheus

PROGRAMS = [shutil.which("prometheus"),
            shutil.which("node_exporter") or shutil.which("prometheus-node-exporter")]  # fmt: skip
SECRET = "s3cret-word"


def free_port():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return server.getsockname()[1]


@pytest.fixture
def real(tmp_path):
    """The address of a Prometheus that scrapes a node_exporter every second."""
    ports = free_port(), free_port()
    (tmp_path / "p.yml").write_text(
        "global: {scrape_interval: 400ms}\nscrape_configs: [{job_name: node, static_configs: "
        f'[{{targets: ["127.0.0.1:{ports[1]}"]}}]}}]\n'
    )
    monitor, exporter = PROGRAMS
    commands = (
        [exporter, f"--web.listen-address=127.0.0.1:{ports[1]}"],
        [monitor, f"--config.file={tmp_path}/p.yml", f"--storage.tsdb.path={tmp_path}/tsdb",
         f"--web.listen-address=127.0.0.1:{ports[0]}"],
    )  # fmt: skip
    quiet = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    running = [subprocess.Popen(command, **quiet) for command in commands]
    yield f"http://127.0.0.1:{ports[0]}"
    for process in running:
        process.terminate()
    for process in running:
        process.wait(20)


@pytest.mark.skipif(None in PROGRAMS, reason="no prometheus and node_exporter on the PATH")
def test_a_real_server(run, real, tmp_path):
    address = f"{real}/api/v1/query?query=count_over_time(node_time_seconds[1m])"
    until, kept = time.monotonic() + 60, 0
    while kept < 12 and time.monotonic() < until:
        time.sleep(0.5)
        with suppress(OSError), urlopen(address, timeout=5) as reply:
            result = json.load(reply)["data"]["result"]
            kept = int(result[0]["value"][1]) if result else 0
    assert kept >= 12
    runs = tmp_path / "runs.csv"
    outcome = run("import", "prometheus", "--url", real, "--range", "5m", "-o", runs)
    assert outcome.code == 0
    assert f"{real}: Prometheus query_range" in " ".join(outcome.out.split())
    head, *rows = runs.read_text().splitlines()
    assert "utilization:cpu [%]" in head
    assert rows
    busy = head.split(",").index("utilization:cpu [%]")
    assert all(0.0 < float(row.split(",")[busy]) <= 100.0 for row in rows)
    outcome = run("import", "prometheus", "--url", f"{real}/graph", "--range", "5m")
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)


def answer(*results, kind="matrix"):
    data = {"resultType": kind, "result": list(results)}
    return 200, json.dumps({"status": "success", "data": data}).encode()


UP = answer({"metric": {"__name__": "up"}, "values": [[t, "1"] for t in (0, 15, 30)]})
#: What a server answers to the first and to all further questions, and what is said of it.
STUBS = {
    "no credentials": ([(401, b"")], "refused (401); set QMODEL_PROMETHEUS_TOKEN, or"),
    "no Prometheus": ([(200, b"<html>Welcome</html>")], "not as Prometheus does"),
    "another page": ([(404, b"<html>")], "answered with 404: is it the address of"),
    "its own error": ([UP, (422, b'{"status":"error","error":"too\\nmany"}')], "422: too many"),
    "nothing scraped": ([answer()], "no data: nothing was scraped"),
    "no metrics": ([UP, answer()], "no data: neither node_exporter's"),
    "cut off": ([(200, b'{"status":"success","data":{"resul')], "truncated?"),
    "other data": ([UP, answer(kind="vector")], "expected a range of samples"),
    "other JSON": ([(200, b'{"status":"success"}')], "not what Prometheus"),
}


@pytest.fixture
def stub():
    """A server that gives answers one after the other, the last again, and what it was asked."""
    servers = []

    def serve(answers):
        asked = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append((self.path, dict(self.headers)))
                code, body = answers[min(len(asked), len(answers)) - 1]
                self.send_response(code)
                if 300 <= code < 400:
                    self.send_header("Location", body.decode())
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        server = HTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}", asked

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("name", STUBS)
def test_what_may_be_wrong_is_one_line(run, stub, monkeypatch, name):
    monkeypatch.setenv(asking_prometheus.TOKEN, SECRET)
    answers, words = STUBS[name]
    url, asked = stub(answers)
    outcome = run("import", "prometheus", "--url", url)
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert outcome.err.startswith(f"{url}:")
    assert words in outcome.err
    assert SECRET not in outcome.err
    assert asked[0][1]["Authorization"] == f"Bearer {SECRET}"


def test_credentials_go_to_the_server_that_was_named_alone(run, stub, monkeypatch, tmp_path):
    monkeypatch.setenv(asking_prometheus.USER, "ann")
    monkeypatch.setenv(asking_prometheus.PASSWORD, SECRET)
    idle = [{"metric": {"__name__": "node_cpu_seconds_total", "cpu": "0", "mode": "idle"},
             "values": [[1_795_472_200 + 15 * i, str(6.0 * i)] for i in range(20)]}]  # fmt: skip
    other, seen = stub([UP])
    monkeypatch.setenv("http_proxy", other)
    url, _ = stub([(302, other.replace("127.0.0.1", "localhost").encode())])
    outcome = run("import", "prometheus", "--url", url)
    assert "redirects to http://localhost, which is not followed" in outcome.err
    url, asked = stub([UP, answer(*idle), answer()])
    runs = tmp_path / "runs.csv"
    outcome = run("import", "prometheus", "--url", url, "--range", "24h", "--json", "-o", runs)
    assert outcome.code == 0
    assert asked[0][1]["Authorization"].startswith("Basic ")
    assert "step=90" in asked[1][0]  # a multiple of the 15 s between scrapes
    assert SECRET not in outcome.out + outcome.err + runs.read_text()
    assert seen == []


def test_each_job_is_asked_for_at_the_interval_of_its_scrapes(run, stub):
    up = [{"metric": {"__name__": "up", "job": job}, "values": [[t, "1"] for t in range(0, 300, n)]}
          for job, n in (("node", 60), ("the.shop", 15))]  # fmt: skip
    url, asked = stub([answer(*up), answer()])
    run("import", "prometheus", "--url", url, "--range", "24h")
    said = {re.search(r".*,job(.*?)}.*step=(.*)", unquote_plus(p)).groups() for p, _ in asked[1:]}
    assert said == {('!~"node"', "90"), ('=~"node"', "120")}


def test_addresses_and_times(run, monkeypatch):
    url = f"http://127.0.0.1:{free_port()}"
    for words, said in {
        ("prometheus", "--url", url): f"{url}: no answer: Connection refused",
        ("prometheus",): "give its address with --url",
        ("a.csv", "--url", url): "give prometheus as a file",
        ("prometheus", "--url", f"http://ann:{SECRET}@localhost"): "no name or password in it",
        ("prometheus", "--url", "file:///etc/passwd"): "expected an address such as",
        ("prometheus", "--url", "http://localhost:x"): "expected an address such as",
        ("prometheus", "--url", url, "--range", "soon"): "expected a time such as 30m",
    }.items():
        outcome = run("import", *words)
        assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
        assert said in outcome.err
        assert SECRET not in outcome.err
    monkeypatch.setattr(asking_prometheus, "SILENCE", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        outcome = run("import", "prometheus", "--url", url)
    assert "no answer: timed out" in outcome.err
