"""A call of each command that prints JSON, for the forms that are written and held to."""

from pathlib import Path

import qmodel as qm
from tests.cli.test_schedule import job, written
from tests.qmodel.formats.test_lqn import RESULTS

NEW, SHOP, MODEL = "examples/new_server.toml", "examples/shop.toml", "examples/two_tier.toml"
LEARNT, NIGHT = "examples/calibrated/load_test.json", "examples/nightly_jobs.toml"
RECORDED = "tests/calibration/recordings/telemetry"
#: Runs whose percentiles were measured.
PERCENTILES = """users,think_time [s],throughput [1/s],response_time [ms],cpu [%],p95 [ms]
5,1,4.8878,20.864,9.78,27.965
20,1,19.4778,25.636,38.96,46.900
35,1,33.7138,37.850,67.43,82.494
"""

#: Words of a call without ``--json``, in the order of the help.
CALLS: tuple[tuple[str, ...], ...] = (
    ("advise", NEW), ("advise", SHOP), ("advise", "examples/mail_server_calibrated.toml"),
    ("solve", MODEL), ("solve", MODEL, "--percentiles", "95"), ("solve", MODEL, "--check"),
    ("solve", "examples/open_ggm.toml", "--percentiles", "95"),
    ("solve", "{delays}"), ("solve", "examples/pools.toml"), ("solve", "{layered}"),
    ("solve", "{layered}", "--percentiles", "95"), ("solve", "examples/bookstore.lqnx"),
    ("simulate", MODEL, "--events", "5000"), ("simulate", "{layered}", "--events", "5000"),
    ("simulate", MODEL, "--until", "9s"), ("simulate", MODEL, "--events", "5000", "--target", "2s"),
    ("sweep", MODEL, "--vary", "population.edit=1:3"),
    ("sweep", MODEL, "--vary", "population.edit=1:3", "--to", "{folder}/a.csv"),
    ("sweep", "examples/open_mail.toml", "--vary", "arrival_rate.read=1/s,9/s"),
    ("agree", "{results}"), ("convert", MODEL, "--to", "jmva"),
    ("convert", MODEL, "{folder}/a.jmva"),
    ("agreement", "domino5_raid"), ("agreement",),
    ("import", "examples/telemetry/k6.csv.gz"),
    ("import", "examples/telemetry/k6.csv.gz", "examples/telemetry/prometheus.json"),
    ("import", f"{RECORDED}/sar.txt"), ("import", f"{RECORDED}/otlp_traces.json"),
    ("import", "examples/load_test.csv"), ("audit", "examples/load_test.csv"), ("audit", "--all"),
    ("audit", "examples/load_test_doubtful.csv"),
    ("calibrate", "examples/load_test.csv"),
    ("calibrate", "examples/load_test_doubtful.csv", "--anyway"),
    ("calibrate", "examples/load_test.csv", "--profile"), ("calibrate", "{percentiles}"),
    ("predict", NEW, "--users", "100,400"), ("predict", LEARNT, "--users", "20"),
    ("predict", NEW, "--growth", "3%/month"), ("predict", SHOP, "--percentiles", "95"),
    ("predict", SHOP, "--growth", "3%/month"),
    ("whatif", NEW, "--set", "server.cpus=4"), ("size", NEW, "--users", "500"),
    ("schedule", NIGHT, "--slot", "60"), ("schedule", "{conflict}"),
    ("budget", NIGHT, "--slo", "99 % under 1 s"),
    ("budget", NEW, "--slo", "99 % under 1 s", "--set", "server.cpus=2", "--growth", "3%/month"),
    ("catalogue",), ("catalogue", "Pentium/66"),
    ("fleet", "examples/fleet.csv"), ("fleet", "{folder}"),
    ("rules",), ("rules", NEW), ("explain", "CPU001"), ("explain", "monitored"),
    ("explain", "server.replicas"), ("explain", "CPU001", "examples/overloaded.toml"),
    ("explain", "--network", NEW), ("explain", "--network", SHOP), ("examples",),
)  # fmt: skip


def called(words, folder):
    """The words with the names of files that are made for them."""
    layered = folder / "layered.toml"
    if any("{layered}" in word for word in words):
        web = qm.Service("web", (qm.Entry("page", 0.02),), threads=4, processor="cpu")
        users = qm.Users("buyers", 20, 1.0, {"page": 1.0})
        model = qm.Layered([users], [web], [qm.Processor("cpu")])
        layered.write_text(qm.layered_text(model, "toml"), encoding="utf-8")
    delays = folder / "delays.toml"  # nothing of it can be a bottleneck
    if "{delays}" in words:
        text = '[[station]]\nname = "net"\nkind = "delay"\n[[class]]\nname = "edit"\n'
        text += 'population = 20\nthink_time = "9 s"\ndemand = { net = "1 s" }\n'
        delays.write_text(text, encoding="utf-8")
    results = folder / "a.lqxo"
    if any("{results}" in word for word in words):
        results.write_text(RESULTS, encoding="utf-8")
    if "{conflict}" in words:
        written(folder, job(), job("report", ["22:00", "00:00"], after=["backup"]))
    percentiles = folder / "percentiles.csv"
    if "{percentiles}" in words:
        percentiles.write_text(PERCENTILES, encoding="utf-8")
    if "{folder}" in words and words[0] == "fleet":
        text = Path(NEW).read_text(encoding="utf-8")
        (folder / "one.toml").write_text(text, encoding="utf-8")
        (folder / "two.toml").write_text("[workload]\n", encoding="utf-8")
    names = {"layered": layered, "delays": delays, "results": results, "folder": folder,
             "conflict": folder / "server.json", "percentiles": percentiles}  # fmt: skip
    return [word.format(**names) for word in words]
