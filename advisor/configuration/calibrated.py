"""The calibration that a configuration refers to, read once for each file."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from qmodel.documents.document import Document, file_beside
from qmodel.errors import FileError

if TYPE_CHECKING:
    from calibration.fitting.fitted_model import Calibration


def calibration_beside(document: Document, file: str) -> Calibration:
    """The calibration in a file, whose place is told from that of the configuration."""
    place = file_beside(document, ("workload", "calibration"), file)
    if not place.exists():
        problem = f"no file {file} beside this one; qmodel calibrate TABLE -o {file} writes it"
        raise document.error(("workload", "calibration"), problem)
    return _load(document, place)


@lru_cache(maxsize=64)
def _load(_document: Document, path: Path) -> Calibration:
    # By document, which is compared by identity: a file that changes is read anew.
    return usable(path)


def usable(path: Path) -> Calibration:
    """The calibration in a file; FileError where nothing of it limits a load."""
    from calibration.fitting.saved import load_calibration

    found = load_calibration(path)
    queues = [any(found.service(each).hidden_queue) for each in found.admissible]
    if not found.data.stations and not any(queues):
        problem = "nothing that was measured is ever full; measure the processors' utilization too"
        raise FileError(str(path), f"{problem}, or ask qmodel predict {path}")
    return found
