"""The page's Python: what stands in for pydantic there reads configurations as pydantic does."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import advisor
from tests.tables import rows, text_of

ROOT = Path(__file__).parents[2]
CONFIGURATIONS = ["new_server", "nightly_jobs", "proliant2000_as_tested", "mail_server_calibrated",
                  "order_server_calibrated", "overloaded"]  # fmt: skip
DUMP = text_of(__file__, "dump")


@pytest.fixture(scope="module")
def stand_in(tmp_path_factory):
    """A folder with the modules as the browser has them."""
    sys.path.append(str(ROOT / "scripts"))
    from browser_python import BESIDE, WRITTEN

    folder = tmp_path_factory.mktemp("beside")
    for name, source in BESIDE.items():
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / source, folder / name)
    for name, text in WRITTEN.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return folder


def dumped(paths, *before):
    found = subprocess.run(
        [sys.executable, "-c", DUMP, *map(str, paths)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, [*before, ROOT]))},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return found.stdout.splitlines(), found.stderr


def test_configurations_are_read_alike(stand_in):
    paths = [ROOT / "examples" / f"{name}.toml" for name in CONFIGURATIONS]
    wanted = [repr(advisor.load_config(path).settings) for path in paths]
    found, used = dumped(paths, stand_in)
    assert str(stand_in) in used
    assert len(wanted) == len(paths)
    for one, other in zip(found, wanted, strict=True):
        assert one == other
        assert one.startswith("ServerConfig(")


@pytest.mark.parametrize(("text", "words"), rows(__file__, "a_mistake_is_a_sentence_with_its_key"))
def test_a_mistake_is_a_sentence_with_its_key(stand_in, tmp_path, text, words):
    path = tmp_path / "bad.toml"
    rest = '[workload]\nusers = 3\n[[workload.class]]\nname = "x"\ncpu = "5 ms"\n'
    path.write_text(text + rest)
    ((line,), _) = dumped([path], stand_in)
    assert words in line
