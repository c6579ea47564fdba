"""The model of a file of any kind; what reads layered models is imported for them only."""

from os import PathLike
from typing import TYPE_CHECKING

from qmodel.documents.document import read_document
from qmodel.formats.lqn.extensions import is_lqn
from qmodel.formats.model_file import is_layered, network_of
from qmodel.model.network import Network

if TYPE_CHECKING:
    from qmodel.model.layered_model import Layered


def load_model(path: str | PathLike[str], format: str | None = None) -> "Network | Layered":  # noqa: A002
    """The network or the layered model that a file describes: TOML, JSON, LQNX or LQN text.

    Parameters
    ----------
    path : path-like
        The file; "-" reads standard input and needs ``format``. A file with a ``[[service]]`` is a
        layered model.
    format : str, optional
        "toml" or "json"; told from the extension if not given.

    Raises
    ------
    FileError
        One line with file, line, key and what would be right.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from qmodel import solve_layers
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "web.toml")
    ...     _ = path.write_text('''
    ... [[users]]
    ... name = "clients"
    ... population = 3
    ... think_time = "1 s"
    ... calls = { page = 1 }
    ... [[service]]
    ... name = "web"
    ... threads = 1
    ... processor = "cpu"
    ... [[entry]]
    ... name = "page"
    ... service = "web"
    ... demand = "200 ms"
    ... [[processor]]
    ... name = "cpu"
    ... ''')
    ...     solve_layers(load_model(path)).bottleneck
    'web'
    """
    if format is None and is_lqn(path):
        from qmodel.formats.lqn.door import load_lqn

        return load_lqn(path).model
    document = read_document(path, format)
    if not is_layered(document):
        return network_of(document)
    from qmodel.formats.layered_file import layered_of

    return layered_of(document)
