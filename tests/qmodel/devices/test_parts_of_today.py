"""Parts of today against published figures that none of them was made from."""

from itertools import pairwise

import numpy as np
import pytest

from qmodel import ClosedClass, Network, QueueingStation, solve
from qmodel.devices.catalogue import Drive, Processor, load_catalogue
from qmodel.devices.catalogue.parts import SPECRATE_CORE, CatalogueFile
from tests.tables import rows

CATALOGUE = load_catalogue()

#: SPECrate 2017 integer base of several processors, each published by the maker of a system.
SEVERAL = dict(rows(__file__, "several"))
#: Processors of one generation by their cores.
GENERATIONS = [
    ("7302P", "7402P", "7502P", "7702P"), ("7313P", "7443P", "7543P", "7713P"),
    ("9124", "9354P", "9454P", "9554P", "9654"), ("9255", "9355P", "9455P", "9555P", "9655P"),
]  # fmt: skip


def processor(name: str) -> Processor:
    return CATALOGUE.find(Processor, name)


def test_there_are_enough_and_each_has_its_year():
    of_today = [p for p in CATALOGUE.of(Processor) if p.specrate]
    assert len(of_today) >= 40
    assert all(p.year and p.relative_to == SPECRATE_CORE for p in of_today)
    assert len([d for d in CATALOGUE.of(Drive) if d.iops and d.year]) >= 25
    altra = [p for p in of_today if p.name.startswith("Ampere Altra")]  # whose names tell the clock
    assert [p.clock for p in altra] == [1e8 * int(p.name[-2:]) for p in altra]


@pytest.mark.parametrize(("name", "several"), SEVERAL.items(), ids=list(SEVERAL))
def test_several_processors_do_as_many_times_as_much(name, several):
    chips, published = several
    part = processor(name)
    assert chips * part.cores * part.speed * 10.0 == pytest.approx(published, rel=0.06)


@pytest.mark.parametrize("names", GENERATIONS)
def test_another_core_count_lies_between_its_neighbours(names):
    parts = [processor(f"AMD EPYC {name}") for name in names]
    for left, held_back, right in zip(parts, parts[1:], parts[2:], strict=False):
        speed = np.interp(
            np.log(held_back.cores), np.log([left.cores, right.cores]), [left.speed, right.speed]
        )
        assert held_back.cores * speed * 10.0 == pytest.approx(held_back.specrate, rel=0.10)
    assert all(one.cores < other.cores for one, other in pairwise(parts))


def test_optane_with_sixteen_reads_outstanding():
    """AnandTech 11209 (2017) measured 584,800 a second; the part has Intel's 550,000."""
    part = CATALOGUE.find(Drive, "Intel Optane DC P4800X 375 GB")
    station = QueueingStation("ssd", part.parallelism)
    network = Network([station], [ClosedClass("reads", 16)], [[part.read_latency]])
    assert solve(network).throughputs[0] == pytest.approx(584_800, rel=0.10)


def test_sustained_writes_are_told_of_most_drives_and_of_no_volume():
    known = [d for d in CATALOGUE.of(Drive) if d.write_iops]
    assert len(known) >= 19
    assert not any(d.provider for d in known)
    assert all(d.source_of("write_iops") not in {"", "typical"} for d in known)
    assert all(0.02 < d.write_iops * d.read_latency / d.parallelism <= 1.0 for d in known)


def test_a_volume_does_what_its_limit_says():
    for volume in (d for d in CATALOGUE.of(Drive) if d.provider):
        assert volume.parallelism / volume.read_latency == pytest.approx(volume.iops, rel=1e-5)
        assert volume.write_latency == volume.read_latency


def test_what_may_take_the_place_of_a_part():
    def names(name):
        return {d.name for d in CATALOGUE.instead_of(Drive, name)}

    assert {"AWS gp2 5.4 TB", "AWS gp3 16000"} <= names("AWS gp2 5.4 TB")
    assert all(name.startswith("AWS") for name in names("AWS gp2 5.4 TB"))
    assert "AWS gp2 5.4 TB" not in names("AWS gp3 16000")
    assert not any(name.startswith(("AWS", "SCSI")) for name in names("SATA SSD"))
    assert "HP 97560" in names(None)


def test_a_speed_that_is_given_stays():
    given = {"name": "own", "cores": 8, "specrate": 80.0, "source": "ours"}
    (plain,) = CatalogueFile(processor=[given]).processor
    assert (plain.speed, plain.relative_to) == (1.0, SPECRATE_CORE)
    (own,) = CatalogueFile(
        processor=[given | {"speed": 2.0, "relative_to": "our old server"}]
    ).processor
    assert (own.speed, own.relative_to) == (2.0, "our old server")
