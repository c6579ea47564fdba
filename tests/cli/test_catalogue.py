"""``qmodel catalogue``: shipped parts and a user's own."""

import json

OWN = """
[[drive]]
name = "my drive"
seek_time = "4 ms"
rotation = "10000 RPM"
transfer_rate = "90 MB/s"
cost = "250 EUR 2026-11"
source = "its data sheet"
"""


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
        "disk.drive",
        "lan.network",
        "server.processor",
    ]
    (member,) = data["calibrations"]
    cpu = next(each for each in member["demands"] if each["resource"] == "cpu")
    assert abs(cpu["demand"] - 0.06 * 1.08) < 1e-12


def test_explain_puts_in_what_the_users_leave_of_a_shared_segment(run):
    found = run("explain", "--network", "examples/proliant2000_recommended.toml")
    assert "usable by" in found.out
