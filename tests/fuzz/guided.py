"""Loaders fuzzed by coverage, with atheris: what it has not seen yet leads it on.

``python -m tests.fuzz SECONDS --guided`` runs each loader in a process of its own, because the
fuzzer ends the process it runs in. Needs the extra ``fuzz``.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tests.fuzz.targets import TARGETS

#: Targets whose file a loader reads by itself, without the command around it.
LOADED = {
    "model, TOML": "model",
    "model, JSON": "model",
    "model of JMT": "jmva",
    "table of measurements": "table",
    "recording of sysstat": "recording",
    "calibration": "calibration",
    "configuration, TOML": "configuration",
}


def guided(seconds: float, only: str) -> int:
    """Each loader for its share of the time; 1 if one of them crashed."""
    names = [name for name in LOADED if only in name]
    failed = 0
    for name in names:
        command = [sys.executable, "-m", "tests.fuzz.guided", name, str(seconds / len(names))]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        failed += done.returncode != 0
        runs = [line for line in done.stderr.splitlines() if line.startswith("Done ")]
        print(f"{name:<28} {runs[0] if runs else done.stderr[-2000:]}", flush=True)
    return 1 if failed else 0


def loader(name: str) -> tuple[str, Callable[[Path], object]]:
    """The ending of the file, and what reads it."""
    target = next(each for each in TARGETS if each.name == name)

    def load(path: Path) -> object:
        match LOADED[name]:
            case "model":
                from qmodel.formats.model_file import load_network

                return load_network(path)
            case "jmva":
                from qmodel.formats.jmt.read import load_jmva

                return load_jmva(path)
            case "table":
                from calibration.recordings.user_table import load_user_table

                return load_user_table(path)
            case "recording":
                from calibration.recordings.sysstat import load_sar

                return load_sar(path)
            case "calibration":
                from calibration.fitting.saved import load_calibration

                return load_calibration(path)
        from advisor.loading import load_config

        return load_config(path)

    return target.kind, load


def main() -> None:
    """One loader until the time is over."""
    import atheris

    name, seconds = sys.argv[1], float(sys.argv[2])
    with atheris.instrument_imports(
        include=["qmodel.formats", "calibration", "advisor.configuration"]
    ):
        kind, load = loader(name)
        import qmodel.formats.jmt.read
        import qmodel.formats.model_file  # noqa: F401
    from calibration.printed_tables.table import TableError
    from qmodel import QmodelError

    folder = Path(tempfile.mkdtemp(prefix="qmodel-guided-"))
    corpus = folder / "corpus"
    corpus.mkdir()
    target = next(each for each in TARGETS if each.name == name)
    for number, text in enumerate(target.good()):
        (corpus / str(number)).write_text(text, encoding="utf-8")
    file = folder / f"spoilt.{kind}"

    def once(content: bytes) -> None:
        file.write_bytes(content)
        with suppress(QmodelError, TableError):
            load(file)

    options = [f"-max_total_time={max(1, int(seconds))}", "-max_len=8192", "-timeout=10"]
    atheris.Setup([sys.argv[0], *options, str(corpus)], once)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
