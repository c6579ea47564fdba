"""Files that are known and not read: what to give in their place.

`unread.toml` tells each kind by its first lines, as a reader would, and has its remedy.
"""

import re
import tomllib
from pathlib import Path

from calibration.recordings.reader import Reader
from calibration.recordings.series import Recording
from calibration.recordings.source import Source
from qmodel.errors import FileError

_DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def read(source: Source) -> Recording:
    """FileError that says what the file is, and what is read."""
    name, _, remedy = next(kind for kind in _DATA["kind"] if re.match(kind[1], source.head))
    raise FileError(source.path, f"{name} is not read; {remedy.format(table=_DATA['table'])}")


READER = Reader("a file that is not read", "|".join(begins for _, begins, _ in _DATA["kind"]), read)
