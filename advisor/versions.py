"""Versions of all that a number may depend on, read without importing any of it."""

#: Distributions whose version may show in the last digits, in a message or in a picture.
COUNTED = (
    "numpy", "scipy", "sympy", "networkx", "pandas", "pint", "pydantic", "pydantic-core",
    "tree-sitter", "tree-sitter-json", "tree-sitter-toml", "jinja2", "matplotlib", "rich", "typer",
    "dask", "distributed",
)  # fmt: skip


def versions() -> dict[str, str | dict[str, str | None]]:
    """Versions of qmodel, of Python, and of packages it computes with; None if not installed."""
    from importlib.metadata import PackageNotFoundError, version
    from platform import python_version

    from qmodel.version import __version__

    found: dict[str, str | None] = {}
    for name in COUNTED:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    return {"qmodel": __version__, "python": python_version(), "packages": found}
