"""The catalogue: complete, sourced, strict, and a user's own file beside it."""

import re

import pytest

import advisor
from advisor.predicting.hardware import hardware_of, speed_of
from qmodel import FileError, InvalidInput
from qmodel.devices import catalogue as cat
from qmodel.devices.disk import Disk
from qmodel.devices.ssd import SolidStateDrive
from qmodel.documents.toml_text import toml_text
from tests.advisor.configurations import QUIET, varied
from tests.tables import asked, rows, text_of

PARTS = cat.load_catalogue().parts


@pytest.mark.parametrize("part", PARTS, ids=lambda part: f"{part.kind} {part.name}")
def test_every_value_has_a_source_or_is_typical(part):
    assert part.values
    for key in part.values:
        source = part.source_of(key)
        assert "typical" in source or re.search(
            r"\b(19|20)\d\d\b|mean of|follows from|specification|data sheet|Iris|Intel", source
        )


def test_machines_are_made_of_parts_that_are_there():
    catalogue = cat.load_catalogue()
    for machine in catalogue.of(cat.Machine):
        catalogue.find(cat.Processor, machine.processor)
        for kind, name in (
            (cat.Drive, machine.drive),
            (cat.Controller, machine.controller),
            (cat.NetworkPart, machine.network),
        ):
            if name is not None:
                catalogue.find(kind, name)


def test_the_1995_speeds():
    catalogue = cat.load_catalogue()
    speed = {part.name: part.speed for part in catalogue.of(cat.Processor) if part.speed}
    assert speed["Pentium/100"] / speed["Pentium/66"] == 1.20
    assert round(speed["Pentium/100"] / speed["486DX/50"], 2) == 2.56


def test_every_kind_is_there_and_no_name_twice():
    assert {type(part) for part in PARTS} == set(cat.KINDS)
    names = [(part.kind, part.name.casefold()) for part in PARTS]
    assert len(set(names)) == len(names)


OWN = text_of(__file__, "own")


def test_a_users_file_adds_and_replaces(written):
    own = cat.load_catalogue(written("parts.toml", OWN))
    assert own.find(cat.Drive, "MY DRIVE").cost == "250 EUR 2026-11"
    assert own.find(cat.NetworkPart, "1 Gb Ethernet").duplex == "half"
    assert len(own.parts) == len(PARTS) + 1


@pytest.mark.parametrize(
    ("text", "line", "said"), rows(__file__, "a_faulty_file_is_one_line_with_its_place")
)
def test_a_faulty_file_is_one_line_with_its_place(written, text, line, said):
    path = written("parts.toml", text)
    with pytest.raises(FileError) as raised:
        cat.load_catalogue(path)
    assert raised.value.line == line, raised.value
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_name_that_is_not_there():
    with pytest.raises(InvalidInput, match='no drive "SATA SSDD" in the catalogue; did you mean'):
        cat.load_catalogue().find(cat.Drive, "SATA SSDD")


def loaded(tmp_path, **tables):
    path = tmp_path / "server.toml"
    path.write_text(toml_text(varied(QUIET, **tables)))
    return advisor.load_config(path)


def test_a_configuration_names_parts(tmp_path):
    found = loaded(
        tmp_path,
        disk={"drive": "SATA SSD", "raid": "raid10"},
        lan={"network": "1 Gb Ethernet", "rate": None},
    )
    hardware = hardware_of(found)
    assert hardware.disk.drive == SolidStateDrive(150e-6, 60e-6, 500e6, 11, 36e3)
    assert (hardware.lan.rate, hardware.lan.full_duplex, hardware.lan.usable_share) == (
        1e9, True, 1.0,
    )  # fmt: skip
    assert advisor.predict(found).outlook.resource("disk").utilization.mid < 0.01


def test_what_is_given_wins_over_the_part(tmp_path):
    found = loaded(tmp_path, disk={"drive": "SATA 7200 rpm", "seek_time": "4 ms"})
    assert hardware_of(found).disk.drive == Disk(0.004, 60 / 7200, 150e6)


def test_processors_of_the_catalogue(tmp_path):
    keys = {"cpu_speed": None, "processor": "Pentium/100", "reference_processor": "486DX/50"}
    assert speed_of(loaded(tmp_path, server=keys)) == pytest.approx(2.56)
    keys = {"cpu_speed": 3.0, "processor": "server 16 cores", "cpus": 2, "hyper_threads": True}
    hardware = hardware_of(loaded(tmp_path, server=keys))
    assert (hardware.processors, hardware.speed, hardware.thread_gain) == (32, 3.0, 1.21)
    keys = {"processor": "AMD EPYC 7763", "reference_processor": "Ampere Altra Q80-30"}
    for threads in (False, True):  # published of both: 408 with two threads of 64 cores, 285 of 80
        server = {"cpu_speed": None, "hyper_threads": threads, **keys}
        found = hardware_of(loaded(tmp_path, server=server))
        whole = found.processors * found.speed * (found.thread_gain or 1.0)
        assert whole / 80.0 == pytest.approx(408.0 / 285.0)


@pytest.mark.parametrize(
    ("tables", "said"), rows(__file__, "a_part_that_is_not_there_has_its_line")
)
def test_a_part_that_is_not_there_has_its_line(tmp_path, tables, said):
    tables = asked(tables, globals())
    with pytest.raises(FileError) as raised:
        loaded(tmp_path, **tables)
    assert said in str(raised.value)
    if "catalogue" not in tables:
        assert raised.value.line
