"""Put the built handbook into the site of all versions: python scripts/publish_book.py SITE.

The site has a folder for each released version, `latest/` for what stands on the main branch, a
list of them, and a page for wrong addresses. Folders of other versions are left as they are.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
from html import escape
from pathlib import Path

BUILT = Path(__file__).resolve().parents[1] / "book" / "_build" / "html"
LATEST = "latest"
#: A release, by its major and minor number; corrections take the place of what they correct.
RELEASE = re.compile(r"v(\d+)\.(\d+)(?:\.\d+)?$")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site", type=Path, help="the folder of the whole site")
    parser.add_argument("--tag", default="", help="of a release, such as v1.2.0; latest if none")
    parser.add_argument("--book", type=Path, default=BUILT, help="the built handbook")
    arguments = parser.parse_args()
    try:
        publish(arguments.book, arguments.site, folder_of(arguments.tag))
    except ValueError as error:
        parser.error(str(error))


def folder_of(tag: str) -> str:
    """The folder of a tag: v1.2 for v1.2.3, latest for none."""
    if not tag:
        return LATEST
    found = RELEASE.match(tag)
    if found is None:
        raise ValueError(f"tag {tag!r} is no release, expected one such as v1.2.0")
    return f"v{int(found[1])}.{int(found[2])}"


def publish(book: Path, site: Path, folder: str) -> None:
    """Copy the book, and write what the site has once: first page, versions, wrong addresses."""
    if not (book / "index.html").is_file():
        raise ValueError(f"{book}: no handbook there; run `make book`")
    shutil.rmtree(site / folder, ignore_errors=True)
    shutil.copytree(book, site / folder)
    share_packages(site, folder)
    names = versions(site)
    start = LATEST if LATEST in names else names[0]
    (site / "versions.json").write_text(json.dumps(names) + "\n", encoding="utf-8")
    (site / "versions.html").write_text(_list(names), encoding="utf-8")
    (site / "index.html").write_text(_forward(start), encoding="utf-8")
    (site / ".nojekyll").touch()  # folders whose names begin with _ are served as well
    shutil.copy(site / start / "404.html", site / "404.html")


def share_packages(site: Path, folder: str) -> None:
    """Packages of Python, which are large and seldom change, once for all versions.

    They lie under their digests, where each version's list of packages leads.
    """
    home = site / folder / "pyodide"
    listed = home / "pyodide-lock.json"
    if not listed.exists():
        return
    lock = json.loads(listed.read_text(encoding="utf-8"))
    for package in lock["packages"].values():
        name, digest = package["file_name"], package["sha256"][:16]
        if package["name"] == "qmodel-capacity":
            continue  # each version has its own
        shared = site / "python" / digest / name
        shared.parent.mkdir(parents=True, exist_ok=True)
        (home / name).replace(shared)
        package["file_name"] = f"../../python/{digest}/{name}"
    listed.write_text(json.dumps(lock), encoding="utf-8")


def versions(site: Path) -> list[str]:
    """The folders of the site that are versions: latest first, then from new to old."""
    found = [p.parent.name for p in site.glob("*/index.html")]
    releases = [name for name in found if RELEASE.match(name)]
    releases.sort(key=lambda name: [int(n) for n in name[1:].split(".")], reverse=True)
    return [LATEST] * (LATEST in found) + releases


def _page(title: str, head: str, body: str) -> str:
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{head}'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>:root {{ color-scheme: light dark; }} "
        "body { font: 1.05rem/1.6 system-ui, sans-serif; max-width: 42rem; margin: 2rem auto; "
        "padding: 0 1rem; }</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _list(names: list[str]) -> str:
    words = {LATEST: "latest: the main branch, as it is today"}
    rows = "\n".join(
        f'<li><a href="{escape(n)}/index.html">{escape(words.get(n, n))}</a></li>' for n in names
    )
    title = "Versions of the handbook"
    return _page(title, "", f"<h1>{title}</h1>\n<ul>\n{rows}\n</ul>")


def _forward(start: str) -> str:
    head = f'<meta http-equiv="refresh" content="0; url={start}/index.html">\n'
    title = "Queueing for people who run servers"
    body = (
        f'<h1>{title}</h1>\n<p><a href="{start}/index.html">The handbook</a>, and '
        '<a href="versions.html">all its versions</a>.</p>'
    )
    return _page(title, head, body)


if __name__ == "__main__":
    main()
