"""What only a published handbook needs: a page for wrong addresses, a feed of changes, a footer."""

from __future__ import annotations

import os
import subprocess
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[2]
FEED = "changes.atom"
#: The page for wrong addresses may be shown at any depth and under any path: it looks upwards for
#: the folder that has the book, and leads all its links there.
ROOT_OF_BOOK = """(async () => {
  const steps = location.pathname.split("/").slice(0, -1);
  for (let n = steps.length; n >= 1; n--) {
    const root = `${steps.slice(0, n).join("/")}/`;
    for (const folder of [root, `${root}latest/`]) {
      const found = await fetch(`${folder}searchindex.js`, { method: "HEAD" }).catch(() => null);
      if (!found || !found.ok) continue;
      const led = (name) => name.replace("%s", folder);
      for (const a of document.querySelectorAll("a")) a.href = led(a.getAttribute("href"));
      const form = document.querySelector("form");
      form.action = led(form.getAttribute("action"));
      return;
    }
  }
})();"""
#: Where the site lies on its host; a page for wrong addresses may be shown at any depth.
BASE = "HANDBOOK_BASE"


def in_order(app: Sphinx) -> list[str]:
    """The pages in the order of the table of contents."""
    found, waiting = [], [app.config.root_doc]
    while waiting:
        name = waiting.pop(0)
        found.append(name)
        waiting[:0] = app.env.toctree_includes.get(name, [])
    return found


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("html-page-context", _links, priority=900)
    app.connect("build-finished", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _links(app: Sphinx, page: str, _template: str, context: dict[str, Any], _: Any) -> None:
    """The feed in the head of each page, and the ways out in its footer."""
    to = context["pathto"]
    feed = escape(to(FEED, resource=True))
    context["metatags"] = context.get("metatags", "") + (
        f'<link rel="alternate" type="application/atom+xml" title="Changes" href="{feed}">'
    )
    links = [(feed, "Changes as a feed")]
    if (Path(app.srcdir) / "wheels.txt").exists():
        notebook = page in app.env.found_docs and page.startswith(("learn/", "decide/"))
        start = (
            f"lite/notebooks/index.html?path={page}.ipynb" if notebook else "lite/lab/index.html"
        )
        words = "This chapter as a notebook" if notebook else "Notebooks"
        links.append((escape(to(start, resource=True)), f"{words} in your browser"))
    if BASE in os.environ:  # published, and so beside other versions
        links.append((escape(to("../versions.html", resource=True)), "All versions"))
        app.add_js_file("versions.mjs", type="module")
    context["theme_extra_footer"] = (
        '<p>{} | Text and code under the MIT licence</p><span class="versions"></span>'.format(
            " | ".join(f'<a href="{address}">{text}</a>' for address, text in links)
        )
    )


def _write(app: Sphinx, error: Exception | None) -> None:
    """Write the files that are no pages of the book."""
    if error is not None or app.builder.format != "html":
        return
    out = Path(app.outdir)
    titles = {
        name: app.env.titles[name].astext() for name in in_order(app) if name != app.config.root_doc
    }
    base = os.environ.get(BASE, "/qmodel/")
    (out / "404.html").write_text(not_found(base, titles), encoding="utf-8", newline="\n")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    text = feed(changes, _last_change(), app.config.author)
    (out / FEED).write_text(text, encoding="utf-8", newline="\n")


def not_found(base: str, titles: dict[str, str]) -> str:
    """The page for wrong addresses: all in one file, every link from the root of the host."""
    base = escape(base)
    rows = "\n".join(
        f'<li><a href="{base}{escape(name)}.html">{escape(title)}</a></li>'
        for name, title in titles.items()
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>No such page: Queueing for people who run servers</title>
<style>
:root {{ color-scheme: light dark; --ink: #1b1f24; --ground: #fff; --link: #0b5394; }}
@media (prefers-color-scheme: dark) {{
  :root {{ --ink: #e6e6e6; --ground: #14181e; --link: #8ab8ff; }}
}}
body {{ font: 1.05rem/1.6 system-ui, sans-serif; max-width: 42rem; margin: 0 auto;
  padding: 2rem 1rem; color: var(--ink); background: var(--ground); }}
a {{ color: var(--link); }}
input, button {{ font: inherit; padding: .35rem .7rem; max-width: 100%; box-sizing: border-box; }}
</style>
</head>
<body>
<main>
<h1>There is no such page</h1>
<p>The address may be misspelt, or the page may have moved when the handbook was rearranged. The
search knows every page that there is today, and so does the list below it.</p>
<form action="{base}search.html" role="search">
<p><label for="q">Search the handbook</label><br>
<input id="q" name="q" type="search"> <button>Search</button></p>
</form>
<h2>Every chapter</h2>
<ul>
<li><a href="{base}index.html">The first page</a></li>
{rows}
</ul>
</main>
<script>{ROOT_OF_BOOK % base}</script>
</body>
</html>
"""


def feed(changelog: str, undated: str | None, author: str) -> str:
    """The changelog as an Atom feed, an entry a version; ``undated`` dates what is not released.

    Nothing in it comes from the clock: the same changelog gives the same bytes.
    """
    from markdown_it import MarkdownIt

    entries, dates = [], []
    for version, day, text in sections(changelog):
        when = f"{day}T00:00:00Z" if day else undated
        if when is None or not text:
            continue
        dates.append(when)
        entries.append(
            f"<entry>\n<id>{_identity(version)}</id>\n<title>qmodel: {escape(version)}</title>\n"
            f"<updated>{when}</updated>\n"
            '<link rel="alternate" type="text/html" href="index.html"/>\n'
            f'<content type="html">{escape(MarkdownIt().render(text), quote=False)}</content>\n'
            "</entry>\n"
        )
    newest = max(dates, default="1970-01-01T00:00:00Z")
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">\n'
        f"<id>{_identity('changes')}</id>\n<title>Changes of qmodel</title>\n"
        f"<updated>{newest}</updated>\n<author><name>{escape(author)}</name></author>\n"
        f'<link rel="self" type="application/atom+xml" href="{FEED}"/>\n'
        f"{''.join(entries)}</feed>\n"
    )


def sections(changelog: str) -> list[tuple[str, str | None, str]]:
    """Version, day if it has one, and text of each section, as the file has them."""
    found = []
    for part in changelog.split("\n## ")[1:]:
        head, _, text = part.partition("\n")
        version, _, day = head.partition(" - ")
        found.append((version.strip("[] "), day.strip() or None, text.strip()))
    return found


def _identity(name: str) -> str:
    from uuid import NAMESPACE_DNS, uuid5

    return uuid5(NAMESPACE_DNS, f"qmodel-capacity/{name}").urn


def _last_change() -> str | None:
    """When the changelog was last changed, as git has it; None where there is no git."""
    command = ["git", "log", "-1", "--date=format-local:%Y-%m-%dT%H:%M:%SZ", "--format=%cd"]
    try:
        done = subprocess.run(
            [*command, "--", "CHANGELOG.md"],
            cwd=ROOT,
            env={**os.environ, "TZ": "UTC0"},
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except OSError:
        return None
    return done.stdout.strip() or None
