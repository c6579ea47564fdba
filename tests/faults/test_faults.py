"""The list of planted faults is in order; `make faults` plants them and takes minutes."""

from __future__ import annotations

import pytest

from tests.faults.runner import ROOT, faults

FAULTS = faults()


def test_there_are_twenty():
    assert len(FAULTS) >= 20
    assert len({(f.file, f.text, f.replacement) for f in FAULTS}) == len(FAULTS)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda f: f"{f.file}: {f.breaks}")
def test_fault_can_be_planted(fault):
    source = (ROOT / fault.file).read_text()
    assert source.count(fault.text) == 1
    assert fault.replacement != fault.text
    assert fault.breaks
    compile(source.replace(fault.text, fault.replacement), fault.file, "exec")
