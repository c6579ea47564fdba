"""``qmodel handbook``: the built handbook in the browser, or where it is."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from advisor.cli.output import AsJson, AsSchema, print_json

if TYPE_CHECKING:
    from pathlib import Path

#: The first page, from the folder of the source that ``make book`` was run in.
FIRST_PAGE = ("book", "_build", "html", "index.html")
HOW_TO_BUILD = (
    "the handbook is not built yet: run `make book` in {}, then `qmodel handbook` again there"
)
#: Where the source is, for those who installed a wheel.
OF_A_WHEEL = (
    "the folder of qmodel's source (pip download --no-deps --no-binary :all: qmodel-capacity)"
)


def command(
    only_print: Annotated[
        bool, typer.Option("--print", help="Print where the handbook is, and open nothing.")
    ] = False,
    as_json: AsJson = False,
    schema: AsSchema = False,  # noqa: ARG001, done before the command
) -> None:
    """Open the handbook in the browser.

    It is served from here until Ctrl-C, and looked for in the source that qmodel runs from, then in
    the current folder and above it. Where no browser can be opened, its place is printed, as with
    --print. Where it is not built yet, one line says how to build it.

    Example: qmodel handbook --print
    """
    page = built_handbook()
    if as_json:
        print_json({"built": page is not None, "page": None if page is None else str(page)})
    elif page is None:
        source = _source()
        typer.echo(HOW_TO_BUILD.format(source if (source / "book").is_dir() else OF_A_WHEEL))
    elif only_print or not _can_show():
        typer.echo(str(page))
    else:
        _show(page)


def built_handbook() -> Path | None:
    """The first page of the built handbook, None if there is none."""
    from pathlib import Path

    here = Path.cwd()
    for folder in (_source(), here, *here.parents):
        page = folder.joinpath(*FIRST_PAGE)
        if page.is_file():
            return page
    return None


def _source() -> Path:
    """The folder that the package is in: of the source, or of installed packages."""
    from pathlib import Path

    return Path(__file__).resolve().parents[2]


def _can_show() -> bool:
    """Whether output goes to a terminal, and there is a browser that does not take the terminal."""
    if not sys.stdout.isatty():
        return False
    if sys.platform in {"win32", "darwin"} or os.environ.get("BROWSER"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _show(page: Path) -> None:
    """Serve the folder of the page to this machine alone, and open it; dials need a server."""
    import webbrowser
    from functools import partial
    from http.server import ThreadingHTTPServer

    folder = str(page.parent)
    try:
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_quiet(), directory=folder))
    except OSError:  # no network at all
        typer.echo(str(page))
        return
    with server:
        address = f"http://127.0.0.1:{server.server_port}/"
        try:
            opened = webbrowser.open(address)
        except (webbrowser.Error, OSError):
            opened = False
        if not opened:
            typer.echo(str(page))
            return
        typer.echo(f"the handbook is at {address} until Ctrl-C; its files are in {folder}")
        sys.stdout.flush()
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return


def _quiet() -> type:
    """A handler of requests that writes no line for each of them."""
    from http.server import SimpleHTTPRequestHandler

    class Quiet(SimpleHTTPRequestHandler):
        """Files of a folder, in the types that browsers insist on."""

        extensions_map = {  # noqa: RUF012, as its base has it
            **SimpleHTTPRequestHandler.extensions_map,
            ".mjs": "text/javascript",
            ".wasm": "application/wasm",
        }

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    return Quiet
