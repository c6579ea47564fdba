"""A table as planners have one, without think times or numbers of cores: every command takes it."""

TABLE = """\
VUs,req/s,avg latency (ms),p95 (ms),p99 (ms),CPU %,Disk %
10,95,5,12,20,10,3
50,470,6,14,25,48,15
100,900,11,30,52,91,29
"""


def test_no_command_ends_without_saying_what_is_missing(run, tmp_path):
    measured, kept, server = (tmp_path / name for name in ("t.csv", "c.json", "s.toml"))
    measured.write_text(TABLE, encoding="utf-8")
    said = run("calibrate", measured, "-o", kept).out
    assert "measured percentiles are met within" in said
    assert run("init", "--from", kept, "-o", server).code == 0
    said = " ".join(run("advise", server).out.split())
    assert "Next add a column servers:cpu to the table; then more can be tried" in said
    assert "\n200*" in run("advise", server, "--users", "50,200").out
    assert "is HTML; write it to .html" in run("report", server, "-o", tmp_path / "a.pdf").err
    rows = run("predict", server, "--users", "50,100", "--percentiles", "95,99").out
    assert {"p95", "p99"} <= set(rows.split())
    assert "requests/s fit" in run("predict", server, "--rate", "100,900").out
    assert "missed in" in run("predict", server, "--growth", "3%/month").out
    said = " ".join(run("size", server, "--users", "200").out.split())
    assert "nothing of it varies: say its parts, or how many in a column servers:cpu" in said
