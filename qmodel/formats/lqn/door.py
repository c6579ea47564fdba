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


def load_lqn(path: str | PathLike[str]) -> LqnModel:
    """The layered model that an LQNX file or an LQN text describes.

    Raises `FileError`, one line with file, line and name: what is wrong, or is not read.
    """
    shown = str(fspath(path))
    content = read_bytes(shown)
    if PurePath(shown).suffix.lower() in TEXT:
        return model_of(read_lqn(decode(content, shown), shown))
    return model_of(read_lqnx(content, shown))


def lqn_written(model: Layered, path: str, xml: bool) -> str:
    """A layered model as LQNX or as LQN text.

    Raises `FileError` if the format has no place for something in the model.
    """
    try:
        file = lqn_of(model, path)
    except InvalidNetwork as error:
        raise FileError(path, str(error)) from None
    return lqnx_text(file) if xml else lqn_text(file)
