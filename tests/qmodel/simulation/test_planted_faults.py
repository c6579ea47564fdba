"""Two of the forty faults of `benchmarks.simulation_faults`; a sound network is not flagged."""

import pickle

import qmodel as qm
from benchmarks.simulation_faults import compared, networks, planted, seen
from tests.faults.runner import ROOT

WANTED = ("arrivals taken for Poisson", "closed customers do not see the open ones")


def test_faults_are_flagged_and_sound_networks_are_not(tmp_path):
    answers = tmp_path / "simulated"
    pool = networks()
    few = [pool[i] for i in (17, 36)]
    found = [qm.simulate(n, precision=1e-9, events=40_000, seconds=None) for n in few]
    answers.write_bytes(pickle.dumps(found))
    sound = compared(str(answers))
    assert "differs" not in sound.values()
    for fault in planted():
        if fault.breaks in WANTED:
            assert seen(fault, answers, sound), fault.breaks
    assert len(planted()) == 40
    assert all((ROOT / f.file).read_text().count(f.text) == 1 for f in planted())
