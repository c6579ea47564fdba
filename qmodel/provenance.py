"""Where a result comes from: the files it was read from, by digest, and the methods that solved it.

Nothing is kept unless somebody records; then the door for files and the check of answers say what
passes them. No clock and no machine: the same input gives the same provenance.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from qmodel.version import __version__


@dataclass(slots=True)
class Provenance:
    """What has been read and used so far.

    Attributes
    ----------
    inputs : dict of str to str
        SHA-256 of each file, in hexadecimal, by its path as given.
    methods : set of str
        Names of the methods whose answers were used.
    """

    inputs: dict[str, str] = field(default_factory=dict)
    methods: set[str] = field(default_factory=set)

    def to_dict(self) -> dict[str, Any]:
        """As plain data, in the same order whatever the order of the work."""
        return {
            "qmodel": __version__,
            "inputs": [
                {"path": path, "sha256": digest} for path, digest in sorted(self.inputs.items())
            ],
            "methods": sorted(self.methods),
        }


_OWN = str(Path(__file__).parent)
_RECORDING: ContextVar[Provenance | None] = ContextVar("recording", default=None)


@contextmanager
def recorded() -> Iterator[Provenance]:
    """Record what is read and which methods answer, until the block ends."""
    record = Provenance()
    token = _RECORDING.set(record)
    try:
        yield record
    finally:
        _RECORDING.reset(token)


def recording() -> Provenance | None:
    """What is being recorded, if anything is."""
    return _RECORDING.get()


def note_input(path: str, content: bytes) -> None:
    """Say that a file has been read; those of this package go with its version."""
    record = _RECORDING.get()
    if record is not None and not path.startswith(_OWN):
        from hashlib import sha256

        record.inputs[path] = sha256(content).hexdigest()


def note_method(name: str) -> None:
    """Say that a method has answered."""
    if (record := _RECORDING.get()) is not None:
        record.methods.add(name)
