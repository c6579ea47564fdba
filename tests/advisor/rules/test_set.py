"""SET001 to SET007: settings that a source documents and no model produces."""

import pytest

from advisor.findings.words import percent
from advisor.rule_support.rule import LABEL
from advisor.rules.set001_documented_settings import SETTINGS
from calibration.printed_tables.table import load_table
from tests.advisor.cases import ask, reviewed, skipped
from tests.advisor.configurations import example, measured
from tests.advisor.speaking import DOMINO_46, NETBENCH, SPEAKING, mail_85, settings

CODES = [f"SET00{n}" for n in range(1, 8)]


def netbench(**given):
    return example(NETBENCH, software={"settings": given})


def pool(size, memory="512 MB"):
    return example(DOMINO_46, software={"buffer_pool": size}, server={"memory": memory})


@pytest.mark.parametrize("code", CODES)
def test_the_option_ends_the_finding_and_is_no_prediction(code):
    configuration = SPEAKING[code]()
    (found,) = ask(code, configuration)
    assert found.level == "note"
    (option,) = found.options
    assert option.benefit.startswith(LABEL)
    assert ask(code, option.change.apply(configuration)) == []


@pytest.mark.parametrize("code", ["SET001", "SET003", "SET004", "SET006"])
def test_what_it_documents_is_nothing_to_the_model(code):
    """The advice stands, all its effects are nought, and it is called what it is."""
    found = reviewed(code, SPEAKING[code]())
    (advice,) = [each for each in found.advice if each.rule == code]
    assert {effect.change.mid for effect in advice.effect} == {0.0}
    assert advice.option.benefit.startswith(LABEL)


@pytest.mark.parametrize(
    ("given", "fires"),
    [
        ({"dirty_cache_delay_time": "7.5 s"}, False), ({"dirty_cache_delay_time": "7.4 s"}, True),
        ({"dirty_cache_delay_time": "7.6 s"}, True), ({"minimum_file_cache_buffers": 999}, True),
        ({"minimum_file_cache_buffers": 1000}, False),
        ({"minimum_file_cache_buffers": 1001}, False),
        ({"maximum_alloc_short_term_memory": "4999999 bytes"}, True),
        ({"maximum_alloc_short_term_memory": "5000000 bytes"}, False),
        ({"cache_buffer_size": "16 KB"}, False), ({"cache_buffer_size": "17 KB"}, True),
        ({"cache_buffer_size": "4 KB"}, False),
    ],
)  # fmt: skip
def test_set001_boundaries(given, fires):
    assert bool(ask("SET001", settings(measured, **given))) is fires


@pytest.mark.parametrize("name", SETTINGS["domino85"])
@pytest.mark.parametrize(("more", "fires"), [(-1, True), (0, False), (1, True)])
def test_set001_domino_settings_are_meant_as_they_are(name, more, fires):
    value = int(load_table("domino85/table_2").cell(name, "domino_85").value) + more
    written = f"{value} bytes" if SETTINGS["domino85"][name][0] == "bytes" else value
    assert bool(ask("SET001", mail_85(software={"settings": {name: written}}))) is fires


def test_set001_names_all_that_differ_and_sets_them_together():
    given = {"server_pool_tasks": 40, "nlcache_size": "1 MB", "router_db_cache_size": 6100}
    (found,) = ask("SET001", mail_85(software={"settings": given}))
    (option,) = found.options
    table = load_table("domino85/table_2")
    assert dict(option.change.settings) == {
        ("software", "settings", "nlcache_size"): "159383552 bytes",
        ("software", "settings", "server_pool_tasks"): 80,
    }
    assert table.cell("server_pool_tasks", "domino_85").value == 80


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"minimum_packet_receive_buffers": 499}, {"minimum_packet_receive_buffers": 500}),
        ({"minimum_packet_receive_buffers": 500}, {}),
        ({"maximum_packet_receive_buffers": 999}, {"maximum_packet_receive_buffers": 1000}),
        # The server's own number is followed where it is known.
        (
            {"minimum_packet_receive_buffers": 100, "packet_receive_buffers_in_use": 120},
            {"minimum_packet_receive_buffers": 120},
        ),
        (
            {"minimum_packet_receive_buffers": 500, "packet_receive_buffers_in_use": 620},
            {"minimum_packet_receive_buffers": 620},
        ),
        ({"minimum_packet_receive_buffers": 300, "packet_receive_buffers_in_use": 300}, {}),
    ],
)
def test_set002_whose_number_is_followed(given, wanted):
    found = ask("SET002", settings(measured, **given))
    offered = {key[-1]: v for f in found for o in f.options for key, v in o.change.settings}
    assert offered == wanted


def test_set002_without_the_number_in_use_the_paper_of_1997_says_nothing():
    state, reason = skipped("SET002", netbench(minimum_packet_receive_buffers=10))
    assert state == "no-evidence"
    assert "in_use" in reason
    given = {"minimum_packet_receive_buffers": 10, "packet_receive_buffers_in_use": 11}
    assert len(ask("SET002", netbench(**given))) == 1


@pytest.mark.parametrize(
    ("release", "fires"), [("NetWare 3.11", True), ("NetWare 3.12", False), ("NetWare 4.1", False)]
)
def test_set003_releases(release, fires):
    assert bool(ask("SET003", measured(software={"operating_system": release}))) is fires


def test_set004_counts_what_is_missing():
    files = list(load_table("notes31/table_4_6").rows)
    assert len(files) == 14
    assert ask("SET004", measured(software={"patches": [f.lower() for f in files]})) == []
    (found,) = ask("SET004", measured(software={"patches": files[1:]}))
    assert found.message == f"{files[0]} of the source's list is missing"
    (found,) = ask("SET004", measured(software={"patches": files[2:]}))
    assert found.message == f"{files[0]} and 1 other of the source's list are missing"
    (found,) = ask("SET004", measured(software={"patches": files[3:]}))
    assert found.message == f"{files[0]} and 2 others of the source's list are missing"
    state, _ = skipped(
        "SET004", measured(software={"patches": [], "operating_system": "NetWare 4.1"})
    )
    assert state == "not-applicable"


@pytest.mark.parametrize(
    ("size", "fires"),
    [("128 MB", False), ("127 MB", False), ("126 MB", True), ("129 MB", False), ("131 MB", True)],
)
def test_set005_a_quarter_of_memory(size, fires):
    assert bool(ask("SET005", pool(size))) is fires


@pytest.mark.parametrize(("size", "fires"), [("250 MB", False), ("2 GB", True), ("64 MB", True)])
def test_set005_the_later_paper_where_its_system_is_named(size, fires):
    found = ask("SET005", mail_85(software={"buffer_pool": size}))
    assert bool(found) is fires
    for finding in found:
        assert "250 MB" in finding.message


@pytest.mark.parametrize(("setting", "fires"), [("default", False), ("changed", True)])
def test_set006_the_default(setting, fires):
    found = ask("SET006", netbench(read_ahead_cache=setting))
    assert bool(found) is fires
    assert all("15 to 20 %" in option.benefit for f in found for option in f.options)


@pytest.mark.parametrize(
    ("style", "fires"),
    [("favor runtime", False), ("off", True), ("standard", True), ("favor restart", True)],
)
def test_set007_styles(style, fires):
    found = ask("SET007", mail_85(software={"transaction_log": style}))
    assert bool(found) is fires
    now = "off" if style == "off" else f"set to {style}"
    assert all(f.message.startswith(f"the transaction log is {now};") for f in found)


def test_set003_says_the_release_that_is_given_and_the_one_that_would_do():
    (found,) = ask("SET003", SPEAKING["SET003"]())
    (evidence,) = found.evidence
    assert (evidence.value, evidence.threshold) == (3.11, 3.12)


def test_set005_says_what_share_the_pool_takes():
    memory = float(pool("8 MB").settings.server.memory)
    (found,) = ask("SET005", pool("8 MB"))
    share = pool("8 MB").settings.software.buffer_pool / memory
    assert 0.0 < share < 0.25
    assert found.message.startswith(f"the buffer pool takes {percent(share)} of the memory")
    assert found.evidence[0].value == pytest.approx(100.0 * share, rel=1e-12)
    assert found.evidence[0].threshold == pytest.approx(25.0)
