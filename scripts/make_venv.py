"""Create .venv and install this project into it: python3 scripts/make_venv.py [extra ...].

Only the standard library is needed. Where Python comes without pip (Debian's bare python3), the
wheel in bootstrap/ serves once to install it.
"""

import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
OLDEST = (3, 11)


def main(extras):
    if sys.version_info < OLDEST:
        found = ".".join(map(str, sys.version_info[:2]))
        sys.exit("Python %d.%d or later is needed, this is %s" % (*OLDEST, found))
    bin_dir = VENV / ("Scripts" if sys.platform == "win32" else "bin")
    python = bin_dir / "python"
    if not python.exists():
        venv.create(VENV, with_pip=False, symlinks=sys.platform != "win32")
    if subprocess.run([python, "-m", "pip", "--version"], capture_output=True).returncode:
        (wheel,) = (ROOT / "bootstrap").glob("pip-*.whl")
        pip("install", "--no-index", wheel, program=[python, wheel / "pip"])
    target = ".[{}]".format(",".join(extras)) if extras else "."
    pip("install", "--editable", target, program=[python, "-m", "pip"])


def pip(*arguments, program):
    command = [*program, "--quiet", "--disable-pip-version-check", *arguments]
    done = subprocess.run(list(map(str, command)), cwd=ROOT)
    if done.returncode:
        sys.exit("pip could not install what qmodel needs; its message is above")


if __name__ == "__main__":
    main(sys.argv[1:])
