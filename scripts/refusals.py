"""Every refusal that the test suite meets, one example of each place that refuses.

    python -m scripts.refusals [--all] [TESTS]

Printed are those whose text names no way out; `--all` prints each.
"""

import argparse
import inspect
import json
import re
import tempfile
from pathlib import Path

import pytest

from qmodel.errors import QmodelError

ROOT = Path(__file__).resolve().parents[1]
#: Words by which a refusal says what would be right.
WAY_OUT = re.compile(
    r"\b(expected|use|give|write|say|add|set|choose|take|leave|leave out|need|needs|must|only|at "
    r"least|at most|did you mean|see|ask|run|install|make|keep|try|instead|there is|there are|"
    r"remove|known|start|pass|put|name|has|solve|simulate|simulate\(\)|goes? without|behind|"
    r"calibrate|measure|lower|raise|free|it takes|takes|allowed|stands?|--\w[\w-]*)\b"
)


class Recorder:
    """A plugin of pytest that keeps the first text of each place that refuses."""

    def __init__(self, folder):
        self.folder, self.texts = folder, {}

    def pytest_configure(self):
        """Listen to every refusal that is made."""
        plain = QmodelError.__init__

        def listening(error, *words, **options):
            plain(error, *words, **options)
            frame = inspect.currentframe().f_back
            while frame and ("errors.py" in frame.f_code.co_filename
                             or frame.f_code.co_name == "__init__"):  # fmt: skip
                frame = frame.f_back
            path = Path(frame.f_code.co_filename)
            if path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] != "tests":
                place = f"{path.relative_to(ROOT)}:{frame.f_code.co_name} {type(error).__name__}"
                self.texts.setdefault(f"{place} {frame.f_lineno}", str(error))

        QmodelError.__init__ = listening

    def pytest_sessionfinish(self, session):
        """Write what this process met."""
        name = getattr(session.config, "workerinput", {}).get("workerid", "main")
        (self.folder / f"{name}.json").write_text(json.dumps(self.texts))


def main():
    """Run the tests, and print the refusals."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--all", action="store_true")
    parser.add_argument("tests", nargs="*", default=["tests"])
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        pytest.main(["-q", "-x", *given.tests], plugins=[Recorder(Path(folder))])
        texts = {}
        for path in sorted(Path(folder).glob("*.json")):
            texts |= json.loads(path.read_text())
    shown = {k: v for k, v in texts.items() if given.all or not WAY_OUT.search(v)}
    for place, text in sorted(shown.items()):
        print(f"{place}\n    {text}")
    print(f"{len(texts)} refusals, {len(shown)} shown")


if __name__ == "__main__":
    main()
