"""``qmodel convert``: what it writes, what it names, and how it refuses."""

import json
from pathlib import Path

import pytest

import qmodel as qm

ROOT = Path(__file__).resolve().parents[2]
JMVA = ROOT / "tests" / "qmodel" / "formats" / "jmt" / "jmva"


@pytest.fixture
def convert(run):
    return lambda *arguments: run("convert", *arguments)


def test_a_model_goes_to_jmva_and_back(convert, tmp_path):
    source = ROOT / "examples" / "two_tier.toml"
    done = convert(source, tmp_path / "a.jmva")
    assert (done.code, done.err) == (0, f"wrote {tmp_path / 'a.jmva'}\n")
    assert convert(tmp_path / "a.jmva", tmp_path / "b.json").code == 0
    assert qm.load_network(tmp_path / "b.json") == qm.load_network(source)


def test_what_a_model_file_cannot_hold_is_named_one_line_each(convert, tmp_path):
    done = convert(JMVA / "mixed.jmva", tmp_path / "a.toml")
    lines = [line.removeprefix(f"{JMVA / 'mixed.jmva'}: ") for line in done.err.splitlines()]
    assert lines == [
        "the description is left out; a comment may hold it",
        'the what-if analysis "Arrival Rates" is left out; qmodel sweep does such things',
        'the name of the delay station "Editors" is left out; its times are think times',
        f"wrote {tmp_path / 'a.toml'}",
    ]


def test_a_conversion_to_jmva_names_what_jmva_cannot_hold(convert, tmp_path):
    (tmp_path / "a.toml").write_text(
        '[[station]]\nname = "array"\nkind = "load_dependent"\nrates = [1.0, 1.5, 1.9]\n'
        '[[class]]\nname = "a"\npopulation = 2\ndemand = { array = "0.3 s" }\n'
    )
    done = convert(tmp_path / "a.toml", tmp_path / "a.jmva")
    said = "has speeds for 3 customers, JMVA holds those for the 2 there are; 1 left out"
    assert said in done.err


def test_without_a_target_the_text_goes_to_standard_output(convert):
    done = convert("tests/qmodel/formats/jmt/jmva/open.jmva", "--to", "json")
    assert json.loads(done.out)["class"][0]["arrival_rate"] == "20 /s"
    assert "priority 2 of class" in done.err


@pytest.mark.parametrize(
    "name", ["fcfs_variable_service", "priority", "mirrored_disks", "memory_limit", "finite_buffer"]
)
def test_what_lies_beyond_product_form_is_kept_or_named(convert, tmp_path, name):
    source = ROOT / "examples" / f"{name}.toml"
    assert convert(source, tmp_path / "a.json").code == 0
    assert convert(tmp_path / "a.json", tmp_path / "b.toml").code == 0
    assert qm.load_network(tmp_path / "b.toml") == qm.load_network(source)
    done = convert(source, tmp_path / "a.jmva")
    assert done.code == 0
    assert "JMVA" in done.err
    assert qm.load_jmva(tmp_path / "a.jmva").network.has_product_form_kinds
