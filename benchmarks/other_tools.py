"""Other people's tools from their packages, each in an environment of its own below ``.peers``."""

import os
import subprocess
import sys
import venv
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PEERS = ROOT / ".peers"
LINE = "line-solver==3.0.8"
CIW = "ciw==3.2.7"


def line_python():
    """The Python of LINE's own environment, made if need be; None if it cannot be made."""
    given = os.environ.get("LINE_PYTHON")
    if given:
        return given
    python = PEERS / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    if not (PEERS / "ready").exists():
        print(f"installing {LINE} into {PEERS.name}/ (once, about a minute)", file=sys.stderr)
        venv.create(PEERS, with_pip=False, symlinks=sys.platform != "win32")
        if not _installed(python, LINE):
            return None
        (PEERS / "ready").touch()
    return str(python)


def with_ciw():
    """Whether Ciw can be imported here, from a folder of its own if need be."""
    if find_spec("ciw") is None:
        folder = PEERS / "ciw"
        if not folder.exists():
            print(f"installing {CIW} into {PEERS.name}/ciw (once)", file=sys.stderr)
            if not _installed(sys.executable, "--target", folder, CIW):
                return False
        sys.path.append(str(folder))  # last: numpy stays the one that is here
    return True


def _installed(python, *what):
    (wheel,) = (ROOT / "bootstrap").glob("pip-*.whl")
    done = subprocess.run([python, wheel / "pip", "install", "--quiet", *what], check=False)
    if done.returncode:
        print(f"{what[-1]} could not be installed; going on without it", file=sys.stderr)
    return not done.returncode
