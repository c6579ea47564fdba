"""JMVA files of other people: what they mean, and what is refused, in one line."""

import tomllib
from pathlib import Path

import pytest

import qmodel as qm
from qmodel.errors import FileError
from qmodel.formats.jmt.read import read_jmva

FILES = Path(__file__).parent / "jmva"


def model(name):
    return qm.load_jmva(FILES / f"{name}.jmva")


def test_a_reference_delay_is_the_think_time():
    network = model("interactive").network
    assert network.station_names == ("cpu", "disk_a", "disk_b")
    assert network.classes == (qm.ClosedClass("users", 3, think_time=4.68),)
    # R. Jain, The Art of Computer Systems Performance Analysis, 1991, example 35.5: 6.694 s.
    assert round(qm.solve(network)["users"].response_time, 3) == 6.694


def test_visits_times_service_time():
    found = model("interactive")
    assert found.visit_ratio == ((20.0, 13.0, 6.0),)
    assert found.service_time == ((0.039, 0.18, 0.26),)
    assert found.network.demand == ((20 * 0.039, 13 * 0.18, 6 * 0.26),)
    assert found.description == "Terminals, a processor & two disks <visits as measured>."


def test_the_answer_is_that_of_jmt():
    # Solved by JMT's exact mean value analysis; printed in the file complex.jmva of the
    # regression tests of the LQNS distribution (qnsolver), digit by digit.
    solution = qm.solve(model("six_stations").network)
    assert solution.throughputs == pytest.approx((2.320122772829486, 7.38617536578876), rel=1e-13)
    queues = {
        "WS": (15.232212690164783, 12.553289819011217),
        "DB": (0.03509096825242798, 0.2221810559129078),
        "Disk1": (0.04077647107702428, 0.1294509720380722),
        "Disk2": (0.02013516148842739, 0.06401235414507839),
        "Disk3": (0.03153916335837081, 0.1001889699489199),
    }
    for station, printed in queues.items():
        found = [solution[name, station].queue_length for name in ("Class1", "Class2")]
        assert found == pytest.approx(printed, rel=1e-12)
    assert solution["Class1", "WS"].residence_time == pytest.approx(6.565261488980803, rel=1e-12)
    assert solution["Class2", "DB"].utilization == pytest.approx(0.17726820877893024, rel=1e-12)


def test_a_delay_where_others_pass_stays_a_station():
    network = model("mixed").network
    assert network.station_names == ("cpu", "disk", "lan")
    assert network.classes == (
        qm.ClosedClass("edit", 25, think_time=12.5),
        qm.OpenClass("mail", 3.5),
        qm.ClosedClass("backup", 1),
    )
    assert network.stations[0] == qm.QueueingStation("cpu", servers=4)
    assert network.demand[2] == (2 * 0.3, 1.5, 0.0)


def test_service_times_of_each_population_become_speeds():
    network = model("disk_array").network
    times = [0.3, 0.17, 0.13, 0.11, 0.1]
    assert network.stations[0].rates == tuple(0.3 / time for time in times)
    assert network.demand == ((4 * 0.3, 0.45),)


def test_what_is_not_kept_is_named_with_its_line():
    assert model("six_stations").warnings == ()
    (solved,) = model("disk_array").warnings
    assert solved.endswith(
        "disk_array.jmva:23: results in the file are left out; solve the model anew"
    )
    (priority,) = model("open").warnings
    assert ':5: priority 2 of class "write" is left out' in priority


def test_the_what_if_analysis_is_kept():
    what_if = model("mixed").what_if
    assert what_if.tag == "whatIf"
    assert what_if.get("type") == "Arrival Rates"
    assert what_if.get("values") == "1.0;2.0;3.5"
    assert model("open").what_if is None


def text(name, *changes):
    content = (FILES / f"{name}.jmva").read_text(encoding="utf-8")
    for before, after in changes:
        assert before in content
        content = content.replace(before, after, 1)
    return content.encode()


def test_interactions_are_visits_of_the_reference_station():
    plain = read_jmva(text("disk_array"), "a.jmva")
    doubled = read_jmva(text("disk_array", (">1.0<", ">2.0<"), (">4.0<", ">8.0<")), "a.jmva")
    assert doubled.network == plain.network
    assert doubled.visit_ratio == plain.visit_ratio


def test_a_delay_that_another_class_passes_is_no_think_time():
    passing = text(
        "mixed",
        (
            '>0.0</servicetime>\n          <servicetime customerclass="backup">0.0',
            '>0.7</servicetime>\n          <servicetime customerclass="backup">0.0',
        ),
        (">0.0</visit>", ">1.0</visit>"),
    )
    found = read_jmva(passing, "a.jmva")
    assert "Editors" in found.network.station_names
    assert found.network.think_time == (0.0, 0.0, 0.0)
    (warning,) = found.warnings
    assert 'class "edit" thinks at "Editors", where class "mail" passes as well' in warning


def test_without_reference_stations_the_first_station_is_it_as_in_jmt():
    head, rest = text("interactive").decode().split("    <ReferenceStation")
    tail = rest.split("</ReferenceStation>\n")[1]
    assert read_jmva((head + tail).encode(), "a.jmva").network == model("interactive").network


def test_times_beyond_the_population_are_named():
    found = read_jmva(text("disk_array", ('population="6"', 'population="4"')), "a.jmva")
    assert 'station "array" has 6 service times, there are 4 customers' in found.warnings[0]


def test_other_encodings_are_read():
    content = text("interactive", ("users", "bürö")).decode().replace("users", "bürö")
    latin = content.replace("UTF-8", "ISO-8859-1").encode("latin-1")
    utf_16 = content.replace("UTF-8", "UTF-16").encode("utf-16")
    for encoded in (latin, utf_16, content.encode()):
        assert read_jmva(encoded, "a.jmva").network.class_names == ("bürö",)


#: What is said of a file, and what in it is replaced so that it is.
MISTAKES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("said", MISTAKES)
def test_a_mistake_is_one_line_with_its_place(said):
    with pytest.raises(FileError) as caught:
        read_jmva(text("interactive", *MISTAKES[said]), "shop.jmva")
    message = str(caught.value)
    assert message.startswith("shop.jmva")
    assert said in message
    assert "\n" not in message


LOAD_DEPENDENT = {
    "expected one speed for all": ("0.3;0.17", "0.6;0.3"),
    "service time is 0 with 2 customers": ("0.3;0.0", "0.3;0.1"),
}


@pytest.mark.parametrize("said", LOAD_DEPENDENT)
def test_speeds_that_no_station_has_here_are_refused(said):
    mine, others = LOAD_DEPENDENT[said]
    both = f'{mine}</servicetimes><servicetimes customerclass="b">{others}'
    content = text(
        "disk_array",
        ("0.3;0.17;0.13;0.11;0.1;0.1", both),
        ('<classes number="1">', '<classes number="2"><closedclass name="b" population="1"/>'),
        ("</visit>", '</visit><visit customerclass="b">1</visit>'),
        ("</servicetime>", '</servicetime><servicetime customerclass="b">1</servicetime>'),
        (">1.0</visit>", '>1.0</visit><visit customerclass="b">1</visit>'),
    )
    with pytest.raises(FileError, match=said):
        read_jmva(content, "a.jmva")


def test_servers_besides_speeds_are_refused():
    with pytest.raises(FileError, match=r"3 servers besides service times .* expected servers="):
        read_jmva(text("disk_array", ('servers="1"', 'servers="3"')), "a.jmva")


@pytest.mark.parametrize(("content", "said"), [
    (b"<m>" * 200, "nested deeper than 100 levels"),
    (b"<m>" + b"<a/>" * 100_001, "more than 100000 elements"),
    (b"<?xml version='1.0' encoding='klingon'?><m/>", "unknown encoding"),
    (b"\xff\xfe\x00", "not XML"),
    (b"", "not XML: no element found"),
    (b"<m>&laugh;</m>", "not XML: undefined entity"),
])  # fmt: skip
def test_no_file_of_a_stranger_does_harm(content, said):
    with pytest.raises(FileError, match=said):
        read_jmva(content, "a.jmva")


def test_a_large_file_is_not_read(tmp_path):
    (tmp_path / "large.jmva").write_bytes(b"<m/>" + b" " * 2**20)
    with pytest.raises(FileError, match="exceeds the 1 MB limit"):
        qm.load_jmva(tmp_path / "large.jmva")


def message_of(content):
    try:
        read_jmva(content, "a.jmva")
    except FileError as error:
        return str(error)
    return ""


def test_no_truncation_and_no_changed_byte_raises_anything_but_a_file_error():
    content = text("mixed")
    for end in range(0, len(content), 97):
        assert message_of(content[:end]).startswith("a.jmva")
        assert "\n" not in message_of(content[:end] + b'\x00<&"' + content[end + 1 :])
