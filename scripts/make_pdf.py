"""The built handbook as one tagged PDF with an outline: `make book-pdf`, after `make book`."""

from __future__ import annotations

import functools
import shutil
import sys
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import Any

import yaml

BOOK = Path(__file__).resolve().parents[1] / "book"
BUILT = BOOK / "_build" / "html"
PDF = BOOK / "_build" / "pdf" / "qmodel-handbook.pdf"
#: Where browsers of the usual kind are found; otherwise the one that Playwright installed.
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FOOTER = (
    '<div style="font-size:8px;width:100%;text-align:center"><span class="pageNumber"></span></div>'
)
#: What the dials of a page show as they are first set, on paper: state, sentence, figures, chart.
DIALS = """() => {
  dispatchEvent(new Event("beforeprint"));
  return [...document.querySelectorAll("figure[data-dial] .dial-stage")].map((stage) => {
    const copy = stage.cloneNode(true);
    copy.querySelectorAll(".dial-controls, .dial-actions, .crowd, .chart-readout")
      .forEach((e) => e.remove());
    return copy.innerHTML;
  });
}"""
READY = "[...document.querySelectorAll('figure[data-dial]')].every(f => f.dataset.ready)"
#: Every chapter in one document: Chromium tags one document, and tags do not survive a merge.
#: Ids are made different, links between chapters lead within the document, the rest of a page
#: (sidebars, buttons) stays behind, and folded answers are open.
COLLECT = """async ([names, dials]) => {
  const marked = (name, id) => `${name.replaceAll("/", "-")}--${id}`;
  const found = [];
  for (const name of names) {
    const address = new URL(`${name}.html`, document.baseURI);
    const page = new DOMParser().parseFromString(await (await fetch(address)).text(), "text/html");
    const article = page.querySelector("article.bd-article") ?? page.querySelector("main");
    article.querySelectorAll(".headerlink, button, script, .run-bar").forEach((e) => e.remove());
    article.querySelectorAll("details").forEach((e) => { e.open = true; });
    article.querySelectorAll("figure[data-dial] .dial-stage").forEach((e, i) => {
      e.innerHTML = dials[name][i];
    });
    article.querySelectorAll("figure").forEach((e) => {  // else a picture without a description
      const box = document.createElement("div");
      box.className = e.className;
      box.append(...e.childNodes);
      e.replaceWith(box);
    });
    article.querySelectorAll("noscript").forEach((e) => {
      const said = document.createElement("div");
      said.innerHTML = e.textContent.trim() || e.innerHTML;
      e.replaceWith(said);
    });
    article.querySelectorAll("img").forEach((e) => {
      e.src = new URL(e.getAttribute("src"), address);
      e.loading = "eager";
    });
    for (const a of article.querySelectorAll("a[href]")) {
      const to = new URL(a.getAttribute("href"), address);
      const at = names.find((n) => new URL(`${n}.html`, document.baseURI).pathname === to.pathname);
      a.href = at ? `#${marked(at, to.hash.slice(1))}` : to.href;
    }
    article.querySelectorAll("[id]").forEach((e) => { e.id = marked(name, e.id); });
    article.id = marked(name, "");
    article.style.breakAfter = "page";
    found.push(document.importNode(article, true));
  }
  const all = document.createElement("main");
  all.append(...found);
  document.body.replaceChildren(all);
  document.documentElement.dataset.theme = "light";
  await Promise.all([...document.images].map((image) => image.decode().catch(() => null)));
  await document.fonts.ready;
  return [...all.querySelectorAll("h1, h2, h3, h4, h5, h6")].map((e) => e.textContent.trim());
}"""
STYLE = """main { max-width: none; } pre { white-space: pre-wrap; }
.dial-stage { min-height: 0; } .dial, .cell { break-inside: avoid; }
h1, h2, h3, h4 { break-after: avoid; }
h2 { font-size: 1.6rem !important; } h3 { font-size: 1.25rem !important; }
.bd-article :is(img, svg:not(.chart)) { max-height: 230mm; }"""


def main() -> int:
    """Print the chapters of the table of contents, and see that all of them are there."""
    if not (BUILT / "index.html").exists():
        sys.exit("the handbook is not built: run `make book`")
    PDF.parent.mkdir(parents=True, exist_ok=True)
    names = chapters()
    PDF.write_bytes(printed(names))
    missing = unfinished(PDF.read_bytes(), len(names))
    if missing:
        sys.exit(f"{PDF}: {missing}")
    print(f"{PDF}: {PDF.stat().st_size / 1e6:.1f} MB, {len(names)} chapters, tagged")
    return 0


def chapters() -> list[str]:
    """The pages of the book in the order of its table of contents."""
    contents = yaml.safe_load((BOOK / "_toc.yml").read_text(encoding="utf-8"))
    files = [chapter["file"] for part in contents["parts"] for chapter in part["chapters"]]
    return [contents["root"], *files]


def printed(names: list[str]) -> bytes:
    """The chapters as Chromium prints them: one tagged document with an outline."""
    from playwright.sync_api import sync_playwright

    handler = functools.partial(_Quiet, directory=str(BUILT))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        page = browser.new_page(color_scheme="light")
        page.set_default_timeout(240_000)
        dials = {}
        for name in reversed(names):  # the first page stays open, and takes the others in
            page.goto(f"http://127.0.0.1:{server.server_port}/{name}.html")
            page.wait_for_function(READY)
            dials[name] = page.evaluate(DIALS)
        headings = page.evaluate(COLLECT, [names, dials])
        page.add_style_tag(content=STYLE)
        made = page.pdf(
            format="A4",
            tagged=True,
            outline=True,
            print_background=True,
            display_header_footer=True,
            header_template="<span></span>",
            footer_template=FOOTER,
            margin={"top": "18mm", "bottom": "18mm", "left": "16mm", "right": "16mm"},
        )
        browser.close()
    server.shutdown()
    return titled(made, headings)


def titled(pdf: bytes, headings: list[str]) -> bytes:
    """The outline in the words of the headings; Chromium runs their lines together."""
    from pypdf import PdfReader, PdfWriter
    from pypdf.generic import NameObject, TextStringObject

    writer = PdfWriter(clone_from=PdfReader(BytesIO(pdf)))
    outlines: Any = writer.root_object["/Outlines"]
    waiting = [outlines["/First"]]
    entries = []
    while waiting:  # in the order of the document
        entry = waiting.pop().get_object()
        entries.append(entry)
        waiting += [entry[key] for key in ("/Next", "/First") if key in entry]
    if len(entries) != len(headings):
        raise SystemExit(f"the outline has {len(entries)} entries, expected {len(headings)}")
    for entry, heading in zip(entries, headings, strict=True):
        entry[NameObject("/Title")] = TextStringObject(heading)
    writer.add_metadata({"/Title": headings[0], "/Creator": "qmodel, make book-pdf"})
    made = BytesIO()
    writer.write(made)
    return made.getvalue()


def unfinished(pdf: bytes, count: int) -> str | None:
    """What a reader would miss in the PDF: tags, language, a chapter in its outline."""
    from pypdf import PdfReader

    reader = PdfReader(BytesIO(pdf))
    root: Any = reader.trailer["/Root"]
    if "/StructTreeRoot" not in root or not root.get("/MarkInfo", {}).get("/Marked"):
        return "is not tagged"
    if "/Lang" not in root:
        return "has no language"
    tops = [entry for entry in reader.outline if not isinstance(entry, list)]
    if len(tops) < count:
        return f"has {len(tops)} chapters in its outline, expected {count}"
    return None


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


if __name__ == "__main__":
    sys.exit(main())
