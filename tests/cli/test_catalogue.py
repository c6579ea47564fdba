"""``qmodel catalogue``: shipped parts and a user's own."""

import json

import pytest

from qmodel.devices.catalogue import Processor, load_catalogue
from tests.tables import rows, text_of

OWN = text_of(__file__, "own")


def test_the_command_lists_shows_and_prints_json(run):
    first = run("catalogue").out
    assert len(first.splitlines()) <= 24
    assert "1995-2025" in first
    epyc = run("catalogue", "epyc").out.splitlines()
    years = [
        int(word) for line in epyc for word in line.split() if word in {"2019", "2021", "2025"}
    ]
    assert years == sorted(years, reverse=True)
    assert len(set(years)) == 3
    assert "AnandTech" in run("catalogue", "sata ssd").out
    data = json.loads(run("catalogue", "ProLiant", "--json").out)
    assert {part["kind"] for part in data["parts"]} == {"machine"}
    missing = run("catalogue", "nothing like it")
    assert missing.code == 2
    assert len(missing.err.splitlines()) == 1


def test_the_command_reads_a_users_file(run, tmp_path):
    path = tmp_path / "parts.toml"
    path.write_text(OWN)
    found = run("catalogue", "my drive", "--file", str(path), "--json")
    (part,) = json.loads(found.out)["parts"]
    assert part["values"]["cost"] == "250 EUR 2026-11"
    assert part["sources"]["cost"] == "its data sheet"


def test_tables_of_others_become_a_catalogue(run, tmp_path):
    """Instances with prices, SPEC's export with its highest result, and a package's two files."""
    instances, spec = tmp_path / "cloud.csv", tmp_path / "spec.csv"
    instances.write_text("Instance type,vCPUs,On-Demand cost\nx1.large,2,$70.1\n")
    spec.write_text(
        "Benchmark,System,Base Result,# Cores,# Chips ,# Enabled Threads Per Core,Processor\n"
        "CINT2017rate,A,430,64,2,2,Gold 6338\nCINT2017rate,B,438,64,2,2,Gold 6338\n"
        "CFP2017rate,C,900,64,2,2,Gold 6338\n"
    )
    shapes, prices = tmp_path / "shapes.json", tmp_path / "prices.json"
    shapes.write_text('{"instances": {"m.large": {"cpu": 2, "cpu_cores": 1, "cpu_ghz": 3.5}}}')
    prices.write_text('{"east": {"instances": {"m.large": {"annual_cost": 555.0}}}}')
    options = [word for path in (instances, spec, shapes, prices) for word in ("--from", path)]
    found = run("catalogue", *options, "--price-unit", "USD 2026-11")
    assert found.code == 0
    path = tmp_path / "parts.toml"
    path.write_text(found.out)
    parts = {part.name: part for part in load_catalogue(path).of(Processor)}
    assert parts["x1.large"].cost == "70.1 USD 2026-11"
    assert parts["Gold 6338"].specrate == 438.0
    assert parts["Gold 6338"].speed == pytest.approx(438 / 64 / 10)
    assert (parts["m.large"].cores, parts["m.large"].threads) == (1, 2)
    assert parts["m.large"].cost == "555.0 USD 2026-11"


@pytest.mark.parametrize(
    ("name", "text", "said"), rows(__file__, "a_table_that_is_none_is_one_line")
)
def test_a_table_that_is_none_is_one_line(run, tmp_path, name, text, said):
    (tmp_path / name).write_text(text)
    found = run("catalogue", "--from", tmp_path / name)
    assert found.code == 2
    assert said in found.err
    assert found.err.count("\n") == 1


def test_explain_names_the_parts_and_puts_the_numbers_in(run):
    found = run("explain", "--network", "examples/new_server.toml")
    assert found.code == 0
    text = " ".join(found.out.split())
    assert "disk.drive 'SATA SSD': typical" in text
    assert "0.06 s on the reference processor x (1 + 0.08 encryption) / speed 1" in text
    assert "900 KB in blocks of 8 KiB, 63 % writes (given), 60 % of reads cached" in text
    assert "300 KB / 125000 KB/s over 1 segment(s), 50 % each way" in text
    data = json.loads(run("explain", "--network", "examples/new_server.toml", "--json").out)
    assert [part["key"] for part in data["parts"]] == [
        "disk.drive", "lan.network", "server.processor",
    ]  # fmt: skip
    (member,) = data["calibrations"]
    cpu = next(each for each in member["demands"] if each["resource"] == "cpu")
    assert abs(cpu["demand"] - 0.06 * 1.08) < 1e-12


def test_explain_puts_in_what_the_users_leave_of_a_shared_segment(run):
    found = run("explain", "--network", "examples/proliant2000_recommended.toml")
    assert "usable by" in found.out


def test_a_plan_says_what_its_parts_cost(run, tmp_path):
    """A part of the user's file has a price, and so has the step that takes it."""
    own = [
        '[[processor]]\nname = "now"\nspeed = 1.0\nrelative_to = "now"\ncores = 8\nsource = "own"',
        '[[processor]]\nname = "next"\nspeed = 3.0\nrelative_to = "now"\ncores = 8\nsource = "own"',
    ]
    (tmp_path / "parts.toml").write_text(
        f'{own[0]}\ncost = "500 EUR 2026-11"\n{own[1]}\ncost = "1800 EUR 2026-11"\n'
    )
    (tmp_path / "server.toml").write_text(
        '[catalogue]\nfile = "parts.toml"\n[server]\nprocessor = "now"\n'
        'reference_processor = "now"\n[workload]\nusers = 900\nthink_time = "2 s"\n'
        '[[workload.class]]\nname = "page"\ncpu = "25 ms"\n[targets]\nresponse_time = "60 ms"\n'
    )
    said = run("advise", tmp_path / "server.toml").out
    assert "a part, 500 EUR" in said or "a part, 1,800 EUR" in said
    assert "a part, 500 EUR" not in run("advise", "examples/processor_of_today.toml").out
