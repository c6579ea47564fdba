"""SET001 to SET007: settings that a source documents and no model produces."""

import pytest

from advisor.rule_support.rule import LABEL
from advisor.rules.set001_documented_settings import SETTINGS
from calibration.printed_tables.table import load_table
from tests.advisor.cases import ask, reviewed, skipped
from tests.advisor.configurations import example, measured
from tests.advisor.speaking import NETBENCH, SPEAKING, mail_85

CODES = [f"SET00{n}" for n in range(1, 8)]


def netbench(**given):
    return example(NETBENCH, software={"settings": given})


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


@pytest.mark.parametrize(("setting", "fires"), [("default", False), ("changed", True)])
def test_set006_the_default(setting, fires):
    found = ask("SET006", netbench(read_ahead_cache=setting))
    assert bool(found) is fires
    assert all("15 to 20 %" in option.benefit for f in found for option in f.options)
