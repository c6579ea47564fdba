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


CLASSES = """\
users:a,users:b,req/s:a,req/s:b,latency:a [ms],latency:b [ms],cpu [%],disk [%],servers:cpu
50,10,9.8,0.98,45,180,18,11,4
100,20,19.4,1.93,52,210,36,22,4
200,40,37.5,3.7,75,330,70,43,4
230,46,41.9,4.1,110,480,79,48,4
"""


def test_classes_that_rise_together_are_no_reason_to_refuse(run, tmp_path):
    measured, server = tmp_path / "t.csv", tmp_path / "s.toml"
    measured.write_text(CLASSES, encoding="utf-8")
    outcome = run("calibrate", measured, "-o", tmp_path / "c.json")
    assert outcome.code == 0
    said = " ".join(outcome.out.split())
    assert "demand of disk (a) came out as none; a run with another mix" in said
    assert run("init", "--from", tmp_path / "c.json", "-o", server).code == 0
    assert "276 users" in run("advise", server).out
