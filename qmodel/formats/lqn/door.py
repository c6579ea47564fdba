"""Files of layered queueing networks, read as layered models and written from them."""

from os import PathLike, fspath
from pathlib import PurePath

from qmodel.documents.syntax import decode, read_bytes
from qmodel.errors import FileError, InvalidNetwork
from qmodel.formats.lqn.extensions import TEXT
from qmodel.formats.lqn.model import LqnModel, lqn_of, model_of
from qmodel.formats.lqn.read_text import read_lqn
from qmodel.formats.lqn.read_xml import read_lqnx
from qmodel.formats.lqn.write import lqn_text, lqnx_text
from qmodel.model.layered_model import Layered


def lqn_bytes(path: str | PathLike[str]) -> tuple[bytes, str]:
    """What a file holds, at most 1 MB, and its name."""
    shown = str(fspath(path))
    return read_bytes(shown), shown


def load_lqn(path: str | PathLike[str]) -> LqnModel:
    """The layered model that an LQNX file or an LQN text describes.

    Raises
    ------
    FileError
        One line with file, line and name: what is wrong, or is not read.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> text = '''G "" 1e-5 50 -1
    ... P 2  p home i  p cpu s 0  -1
    ... T 2  t people r think -1 home z 1 m 3   t web n page -1 cpu  -1
    ... E 2  s think 0 -1  y think page 1 -1  s page 0.2 -1  -1'''
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "web.lqn").write_text(text)
    ...     load_lqn(Path(folder, "web.lqn")).model.users[0]
    Users(name='people', population=3, think_time=1.0, calls=(('page', 1.0),), fixed=False)
    """
    content, shown = lqn_bytes(path)
    if PurePath(shown).suffix.lower() in TEXT:
        return model_of(read_lqn(decode(content, shown), shown))
    return model_of(read_lqnx(content, shown))


def lqn_written(model: Layered, path: str, xml: bool) -> str:
    """A layered model as LQNX or as LQN text.

    Raises
    ------
    FileError
        If the format has no place for something in the model.
    """
    try:
        file = lqn_of(model, path)
    except InvalidNetwork as error:
        raise FileError(path, str(error)) from None
    return lqnx_text(file) if xml else lqn_text(file)
