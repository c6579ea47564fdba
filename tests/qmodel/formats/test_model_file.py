"""Networks in files: what is read, what is refused and on which line, and the way back."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import qmodel
import qmodel as qm
import tests.strategies  # noqa: F401, loads the suite's profile of hypothesis
from qmodel.documents.document import parse_document
from qmodel.errors import hidden_character
from qmodel.formats.model_file import network_of, network_text
from tests.tables import rows

MODEL = Path(__file__).with_name("whole_model.toml").read_text(encoding="utf-8")
NETWORK = qm.Network(
    [
        qm.QueueingStation("cpu", 2),
        qm.LoadDependentStation("disk", (1.0, 1.7, 2.0)),
        qm.DelayStation("lan"),
    ],
    [qm.ClosedClass("edit", 20, 917.0), qm.OpenClass("mail", 0.5)],
    [[68.0, 12.0, 0.0], [0.2, 10.5 * 0.02, 0.0]],
    visit_ratio=[[1.0, 1.0, 0.0], [2.0, 10.5, 0.0]],
)


def lines(text):
    with pytest.raises(qm.FileError) as caught:
        network_of(parse_document(text, path="F"))
    return [str(error) for error in (caught.value, *caught.value.others)]


def changed(*changes):
    text = MODEL
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return lines(text)


def test_a_model_is_read(written, tmp_path):
    path = written("model.toml", MODEL)
    assert qm.load_network(path) == NETWORK
    path = written("model.json", json.dumps(tomllib.loads(MODEL)))
    assert qm.load_network(str(path)) == NETWORK
    path = path.rename(tmp_path / "model")
    assert qm.load_network(path, format="json") == NETWORK


DEMAND = 'demand = { cpu = "68 s", disk = "12 s" }'
VISITS = "visits = { cpu = 2, disk = 10.5 }"
TIMES = 'service_time = { cpu = "0.1 s", disk = "20 ms" }'


@pytest.mark.parametrize(("changes", "line"), rows(__file__, "mistakes"))
def test_one_mistake_one_line(changes, line):
    found = changed(*changes)
    assert len(found) == 1
    assert found[0].startswith(line)


def test_several_mistakes_come_in_the_order_of_the_file():
    assert changed(
        ("servers = 2", "servers = 0"),
        ('name = "mail"', "name = 5"),
        ("population = 20", "population = 2.5"),
    ) == [
        "F:4: station[0].servers: must be >= 1, got 0",
        "F:14: class[0].population: must be a whole number for a closed class, got 2.5",
        "F:18: class[1].name: expected text, got integer 5 (quote it)",
    ]  # fmt: skip


def test_files_that_are_no_model():
    assert lines("") == ["F: empty model; required table [[station]] missing"]
    assert lines('station = []\nclass = "x"') == [
        "F:1: station: number of entries must be >= 1, got 0",
        'F:2: class: expected array, got text "x"',
    ]
    assert (
        lines("[server]\ncpus = 1")[0] == "F:1: server: unknown key; there is station, class, limit"
    )
    assert lines('[station]\nname = "cpu"')[0] == (
        "F:1: station: expected array, got table (in TOML: [[station]])"
    )


def test_a_network_of_millions_of_demands_is_refused():
    stations = "".join(f'[[station]]\nname = "s{i}"\nkind = "delay"\n' for i in range(2000))
    one_class = '[[class]]\nname = "c{}"\npopulation = 1\ndemand = {{ s0 = "1 s" }}\n'
    (line,) = lines(stations + "".join(one_class.format(i) for i in range(501)))
    assert (
        line == "F:6001: class: stations times classes is 1002000, more than the 1000000 of a file"
    )


_names = st.text(min_size=1, max_size=8).filter(
    lambda name: name.strip() and not hidden_character(name)
)
_times = st.just(0.0) | st.floats(1e-100, allow_infinity=False, allow_nan=False)
_positive = st.floats(0, exclude_min=True, allow_infinity=False, allow_nan=False)


def _named(names, kinds):
    return st.tuples(*(st.sampled_from(kinds).flatmap(lambda kind, n=n: kind(n)) for n in names))


def _stations(names):
    disciplines = st.sampled_from(["any", "fcfs", "ps", "priority", "preemptive"])
    rooms, rates = st.none() | st.integers(4, 9), st.lists(_positive, min_size=1, max_size=4)
    return _named(names, [
        lambda n: st.integers(1, 10**30).map(lambda servers: qm.QueueingStation(n, servers)),
        lambda n: st.builds(qm.QueueingStation, st.just(n), st.integers(1, 4), disciplines, rooms),
        lambda n: st.builds(qm.ForkJoinStation, st.just(n), st.integers(1, 5)),
        lambda n: st.just(qm.DelayStation(n)),
        lambda n: rates.map(lambda rates: qm.LoadDependentStation(n, rates)),
    ])  # fmt: skip


def _classes(names):
    built, few, one, three = st.builds, st.integers(0, 9), st.just(1.0), st.integers(-3, 3)
    some, many = st.floats(0, exclude_min=True, allow_infinity=False), st.integers(0, 10**15)
    return _named(names, [
        lambda n: built(qm.ClosedClass, st.just(n), many, some),
        lambda n: built(qm.ClosedClass, st.just(n), st.integers(0, 10**6)),
        lambda n: built(qm.ClosedClass, st.just(n), few, one, three),
        lambda n: built(qm.OpenClass, st.just(n), _times),
        lambda n: built(qm.OpenClass, st.just(n), _times, three, st.floats(0.0, 9.0)),
    ])  # fmt: skip


@st.composite
def networks(draw):
    stations = draw(st.lists(_names, min_size=1, max_size=4, unique=True).flatmap(_stations))
    classes = draw(st.lists(_names, min_size=1, max_size=3, unique=True).flatmap(_classes))
    demand = [[draw(_times) for _ in stations] for _ in classes]
    for customer_class, row in zip(classes, demand, strict=True):
        if isinstance(customer_class, qm.ClosedClass) and not customer_class.think_time:
            row[0] = row[0] or 1.0
    if not draw(st.booleans()):
        return qm.Network(stations, classes, demand)
    factors = st.one_of(st.just(1.0), st.floats(0.25, 4.0))
    shape = [[draw(factors) for _ in stations] for _ in classes]
    scv = [[draw(factors) for _ in stations] for _ in classes]
    inside = [s.name for s in stations[:2]]
    name = draw(_names.filter(lambda n: n not in {s.name for s in stations}))
    limit = qm.PopulationLimit(
        name, draw(st.integers(1, 9)), inside, draw(st.sampled_from([None, [classes[0].name]]))
    )
    limits = draw(st.sampled_from([(), (limit,)]))
    return qm.Network(stations, classes, demand, visit_ratio=shape, scv=scv, limits=limits)


@pytest.mark.parametrize("file_format", ["toml", "json"])
@given(network=networks())
def test_a_written_network_reads_back_equal(file_format, network):
    document = parse_document(network_text(network, file_format), file_format)
    assert network_of(document) == network


@pytest.mark.parametrize("name", ["model.toml", "model.json"])
def test_a_network_goes_to_a_file_and_back(tmp_path, name):
    path = tmp_path / name
    qm.dump_network(NETWORK, path)
    assert qm.load_network(path) == NETWORK
    with pytest.raises(qm.FileError, match="exists already; use --force"):
        qm.dump_network(NETWORK, path)
    smaller = NETWORK.with_population(1)
    qm.dump_network(smaller, path, force=True)
    assert qm.load_network(path) == smaller
    with pytest.raises(qm.FileError, match="cannot tell the format"):
        qm.dump_network(NETWORK, tmp_path / "model.yaml")
    with pytest.raises(qm.InvalidInput, match="unknown format"):
        network_text(NETWORK, "yaml")


def modules_after(code, *arguments):
    done = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}\nprint(*sorted(sys.modules))", *arguments],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return set(done.stdout.split())


HEAVY = {"numpy", "scipy", "pandas", "sympy", "networkx", "pint", "tree_sitter", "difflib"}


def test_a_small_model_loads_nothing_heavy(tmp_path):
    path = tmp_path / "model.toml"
    qm.dump_network(NETWORK, path)  # all in seconds
    loaded = modules_after("import qmodel; qmodel.load_network(sys.argv[1])", str(path))
    assert not loaded & HEAVY
    assert "pydantic" in loaded


def test_the_lazy_names_are_public():
    assert {"load_network", "dump_network", "FileError"} <= set(qmodel.__all__)
    with pytest.raises(AttributeError, match="no attribute 'lode_network'"):
        qmodel.lode_network  # noqa: B018, the access is the test
