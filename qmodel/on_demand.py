"""Names of a package that are imported when they are asked for: no command waits for the rest."""

from collections.abc import Callable, Mapping
from importlib import import_module
from sys import modules


def on_demand(
    package: str, homes: Mapping[str, str], rooms: Mapping[str, str] | None = None
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """The ``__getattr__`` and ``__dir__`` of a package, the latter for tab completion.

    ``homes`` are names, with spaces between them, by the module below the package that has them;
    ``rooms`` are modules that are names of the package themselves.
    """
    home = {name: module for module, names in homes.items() for name in names.split()}

    def __getattr__(name: str) -> object:  # noqa: N807
        if rooms and name in rooms:
            return import_module(f"{package}.{rooms[name]}")
        if name in home:
            found: object = getattr(import_module(f"{package}.{home[name]}"), name)
            setattr(modules[package], name, found)
            return found
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return __getattr__, lambda: sorted(modules[package].__all__)
