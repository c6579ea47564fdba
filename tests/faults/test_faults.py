"""The list of planted faults is in order; `make faults` plants them and takes minutes."""

import pytest

from tests.faults.runner import ROOT, faults

FAULTS = faults()


def test_there_are_some_everywhere():
    for place, least in {"qmodel/solvers": 18, "qmodel/kernels": 15, "qmodel/devices": 12,
                         "calibration": 12, "advisor/rules": 7, "": 80}.items():  # fmt: skip
        assert sum(f.file.startswith(place) for f in FAULTS) >= least, place
    assert len({(f.file, f.text, f.replacement) for f in FAULTS}) == len(FAULTS)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda f: f"{f.file}: {f.breaks}")
def test_fault_can_be_planted(fault):
    source = (ROOT / fault.file).read_text()
    assert source.count(fault.text) == 1
    assert fault.replacement != fault.text
    assert fault.breaks
    assert all((ROOT / name).exists() for name in fault.tests)
    compile(source.replace(fault.text, fault.replacement), fault.file, "exec")
