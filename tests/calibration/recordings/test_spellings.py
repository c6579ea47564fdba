"""A planner's table: headings, separators and numbers as they come."""

import pytest

from calibration.recordings.header import read_heading
from calibration.recordings.spellings import to_paste
from calibration.recordings.user_table import load_user_table, parse_user_table
from qmodel.errors import FileError
from tests.tables import rows


@pytest.mark.parametrize(
    ("heading", "wanted"), [(text, key) for key, texts in rows(__file__, "spelt") for text in texts]
)
def test_headings_as_planners_write_them(heading, wanted):
    found = read_heading(heading)
    if wanted[2] == "1/s":
        assert float(found.factor) == 1.0
    else:
        assert found.unit.replace("percent", "%").replace("pct", "%") == wanted[2]
    assert [found.quantity, found.of] == wanted[:2]


@pytest.mark.parametrize(
    "heading",
    ["p97 (ms)", "Latency", "Errors", "max [ms]", "load", "[%]", "Apdex %", "Failure rate %",
     "Throttling %", "battery_pct", "Packet loss %", "disk_used_percent", "Storage usage (%)",
     "Threads", "Active connections", "disk usage now:sda (%)"],
)  # fmt: skip
def test_what_is_no_mean_or_names_no_unit_is_asked_for(heading):
    with pytest.raises(ValueError, match=r"unknown|unit|empty|time is meant|each is a user"):
        read_heading(heading)
    assert read_heading(to_paste(heading))


PLAIN = "users,throughput [1/s],response_time [ms],cpu\n10,1234.5,33,57.5\n20,2000,40.25,88\n"


@pytest.mark.parametrize("text", [
    PLAIN,
    "VUs;RPS;Latency (ms);CPU %\n10;1.234,5;33;57,5\n20;2000;40,25;88\n",
    "\ufeffVUs\tRPS\tavg latency ms\tCPU %\r\n10\t1,234.5\t33\t57.5\r\n20\t2,000\t40.25\t88\n",
    "Clients|TPS|RT [ms]|CPU [%]\n10|1 234.5|33|57.5 %\n20|2'000|40.25|88 %\n",
    "VUs;RPS;Latency (ms);CPU %\n10;1\u202f234,5;33;57,5 %\n20;2000;40,25;88\n",
    'Users,"Throughput (req/s)",Mean (ms),"%CPU"\n10,"1,234.5",33,57.5\n20,"2,000",40.25,88\n',
])  # fmt: skip
def test_the_same_table_in_other_countries_and_programs(written, text):
    found, wanted = load_user_table(written("runs.csv", text.encode())), parse_user_table(PLAIN)
    for name in (("population",), ("throughput",), ("response_time",), ("utilization", "cpu")):
        assert found.values(*name) == pytest.approx(wanted.values(*name))


@pytest.mark.parametrize(
    "columns",
    ["CPU idle %\n10,60", "CPU (% of one core),cores\n10,160,4", "cpu cores used,vCPUs\n10,1.6,4",
     "CPU millicores,cores\n10,1600,4", "CPU(cores),Physical cores\n10,1600m,4"],
)  # fmt: skip
def test_what_is_left_and_busy_cores_are_utilizations(columns):
    table = parse_user_table(f"VUs,{columns}\n")
    assert table.values("utilization", "cpu") == (pytest.approx(0.4),)
    with pytest.raises(FileError, match="counts busy servers; add servers:cpu, their number"):
        parse_user_table("users,cpu [cores]\n10,1.6\n")
    with pytest.raises(FileError, match='nothing is measured at "foo"; there is cpu'):
        parse_user_table("users,cpu [%],cores:foo\n10,16,4\n")


def test_a_thousand_or_a_decimal_is_asked():
    with pytest.raises(FileError, match=r"is 1,234 more than a thousand.*write 1234 or 1\.234"):
        parse_user_table("users;response_time [ms]\n10;1,234\n")


def test_all_bad_headings_at_once_with_a_header_that_is_accepted():
    text = "VUs,Latency,p95,CPU,Fehler\n10,33,50,57,0\n20,40,60,88,1\n"
    with pytest.raises(FileError) as caught:
        parse_user_table(text, "t.csv")
    lines = [str(caught.value), *map(str, caught.value.others)]
    assert [line[:9] for line in lines] == ["t.csv:1:2", "t.csv:1:3", "t.csv:1:5", "t.csv:1: "]
    header = lines[-1].partition("a header to paste: ")[2]
    assert header == "VUs,response_time [ms],p95 [ms],CPU,ignore:Fehler"
    table = parse_user_table(f"{header}\n{text.partition(chr(10))[2]}")
    assert table.values("response_time") == pytest.approx((0.033, 0.040))


def test_the_header_to_paste_is_what_the_messages_say():
    names = "think_time,throughput,response_time,p99,utilization:cpu,utilization:disk"
    with pytest.raises(FileError) as caught:
        parse_user_table(f"users,{names}\n10,1,9,20,30,50,5\n", "t.csv")
    *each, last = (str(line) for line in (caught.value, *caught.value.others))
    asked = [line.partition("; write ")[2] for line in each]
    assert last.partition("to paste: ")[2] == ",".join(["users", *asked])
