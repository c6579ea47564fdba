"""W7: what a process pays before it solves anything, and the whole command."""

import subprocess
import sys
import tempfile
from pathlib import Path

import workloads as w


def timeraw_import_qmodel():
    return "import qmodel"


def timeraw_solve_one_class():
    return (
        "import qmodel as qm\n"
        "qm.solve(qm.Network([qm.QueueingStation('cpu')], [qm.ClosedClass('users', 20)], [0.2]))"
    )


class WholeCommand:
    def setup(self):
        self.folder = tempfile.TemporaryDirectory()
        self.model = Path(self.folder.name) / "small.toml"
        self.model.write_text(w.w7_model())

    def teardown(self):
        self.folder.cleanup()

    def time_solve(self):
        command = [sys.executable, "-m", "advisor.cli", "solve", str(self.model)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
