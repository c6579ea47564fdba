"""Create an environment and install this project into it: python3 scripts/make_venv.py [extra ...].

The versions are those of requirements/, each held to its digest; ``--lowest`` takes the oldest
that are supported, ``--latest`` whatever is newest today. Only the standard library is needed.
Where Python comes without pip (Debian's bare python3), the wheel in bootstrap/ serves once to
install it.
"""

import argparse
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ROOT / "requirements"
OLDEST = (3, 11)


def main():
    if sys.version_info < OLDEST:
        found = ".".join(map(str, sys.version_info[:2]))
        sys.exit("Python %d.%d or later is needed, this is %s" % (*OLDEST, found))
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("extras", nargs="*", help="of pyproject.toml: test, or docs and test")
    parser.add_argument("--into", type=Path, default=ROOT / ".venv", help="where it goes")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--lowest", action="store_true", help="the oldest supported versions")
    which.add_argument("--latest", action="store_true", help="the newest versions there are")
    arguments = parser.parse_args()
    python = environment(arguments.into)
    if arguments.latest:
        target = ".[{}]".format(",".join(arguments.extras)) if arguments.extras else "."
        pip(python, "install", "--upgrade", "--editable", target)
        return
    lock = LOCKS / lock_name(arguments.extras, lowest=arguments.lowest)
    pip(python, "install", "--require-hashes", "--requirement", lock)
    pip(python, "install", "--no-deps", "--no-build-isolation", "--editable", ".")


def lock_name(extras, *, lowest):
    """The lock that has some extras, as scripts/lock.py wrote it."""
    if lowest:
        return "lowest.txt"
    return {(): "run.txt", ("test",): "test.txt"}.get(tuple(extras), "docs.txt")


def environment(folder):
    """The Python of an environment that has pip."""
    python = folder.resolve() / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    if not python.exists():
        venv.create(folder, with_pip=False, symlinks=sys.platform != "win32")
    if subprocess.run([python, "-m", "pip", "--version"], capture_output=True).returncode:
        (wheel,) = (ROOT / "bootstrap").glob("pip-*.whl")
        install([python, wheel / "pip", "install", "--no-index", wheel])
    return python


def pip(python, *arguments):
    install([python, "-m", "pip", *arguments])


def install(command):
    done = subprocess.run([*map(str, command), "--quiet", "--disable-pip-version-check"], cwd=ROOT)
    if done.returncode:
        sys.exit("pip could not install what qmodel needs; its message is above")


if __name__ == "__main__":
    main()
