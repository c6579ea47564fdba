"""The built handbook, served as on the web, in a browser that reaches nothing else."""

from __future__ import annotations

import functools
import shutil
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Response, Route, sync_playwright

BUILT = Path(__file__).parents[1] / "_build" / "html"
#: Where browsers of the usual kind are found.
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def pages() -> list[str]:
    """Every page of the built handbook, without those that Sphinx makes for itself."""
    made = {"genindex.html", "search.html"}
    found = [p.relative_to(BUILT).as_posix() for p in BUILT.rglob("*.html")]
    aside = ("_static/", "lite/", "pyodide/", "reports/")
    return sorted(p for p in found if p not in made and not p.startswith(aside))


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def translate_path(self, path: str) -> str:
        """The site lies under /qmodel/, as on the web."""
        within = path if path.startswith("/qmodel/") else "/qmodel/no such page"
        return super().translate_path(within.removeprefix("/qmodel"))


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """Address of the served handbook."""
    if not (BUILT / "index.html").exists():
        pytest.fail("the handbook is not built: run `make book`")
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(BUILT)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/qmodel/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Headless Chromium of this machine, or the one that Playwright installed."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield started
        started.close()


class Watched:
    """A page, and all it did that it should not."""

    def __init__(self, context: BrowserContext, site: str) -> None:
        self.faults: list[str] = []
        self._site = site
        context.route("**/*", self._pass)
        self.page: Page = context.new_page()
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.page.on("console", self._listen)
        self.page.on("response", self._answered)

    def open(self, path: str) -> Page:
        """The page, with every dial on it started."""
        self.page.goto(self._site + path, wait_until="load")
        self.page.wait_for_function(
            "[...document.querySelectorAll('figure[data-dial]')].every(f => f.dataset.ready)"
        )
        return self.page

    def _pass(self, route: Route) -> None:
        if route.request.url.startswith((self._site.removesuffix("qmodel/"), "data:", "blob:")):
            route.continue_()
        else:
            self.faults.append(f"asked {route.request.url}")
            route.abort()

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self.faults.append(f"{response.status} {response.url}")

    def _listen(self, message: object) -> None:
        if getattr(message, "type", "") in {"error", "warning"}:
            self.faults.append(f"console: {getattr(message, 'text', '')}")


@pytest.fixture
def watched(browser: Browser, site: str) -> Iterator[Watched]:
    """A page of desktop size."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    yield Watched(context, site)
    context.close()
