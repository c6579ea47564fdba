"""Which files are of layered queueing networks, by their names."""

from os import PathLike, fspath
from pathlib import PurePath

#: Extensions: those of XML, and that of text.
XML, TEXT = (".lqnx", ".lqxo"), (".lqn",)


def is_lqn(path: str | PathLike[str]) -> bool:
    """Whether a file is one by its name."""
    return PurePath(fspath(path)).suffix.lower() in XML + TEXT
