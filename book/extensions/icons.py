"""Icons of the theme: only those in use, from a font of two kilobytes.

The theme comes with a font of all its icons, with rules for each of them, and with a script that
draws the same icons once more: together more than all the rest of a page.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

SCRIPT = re.compile(r"<(script|link)[^>]*scripts/fontawesome\.js[^>]*>(</script>)?")
#: The rule of one icon, under all names that it has.
RULE = re.compile(r'((?:\.fa-[\w-]+:before,?)+)\{content:"\\([0-9a-f]+)"\}')
#: Where a style sheet asks for the font of solid icons.
FACE = re.compile(r"url\([^)]*/fa-solid-900\.woff2\)[^;}]*")
NAME = re.compile(r"fa-[a-z][\w-]*")
#: Letters that only such a font has, written as a style sheet writes them.
LETTER = re.compile(r'"\\([ef][0-9a-f]{3})"')
FONT = "vendor/fontawesome/webfonts/fa-solid-900"


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("build-finished", _lighten)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _lighten(app: Sphinx, error: Exception | None) -> None:
    if error is not None or app.builder.format != "html":
        return
    out = Path(app.outdir)
    used: set[str] = set()
    for page in out.rglob("*.html"):
        if "lite" in page.relative_to(out).parts:
            continue
        text = page.read_text(encoding="utf-8")
        lighter = SCRIPT.sub("", text)
        used.update(NAME.findall(lighter))
        if lighter != text:
            page.write_text(lighter, encoding="utf-8")
    for script in ("pydata-sphinx-theme.js", "sphinx-book-theme.js"):
        used.update(NAME.findall((out / "_static" / "scripts" / script).read_text("utf-8")))
    styles = out / "_static" / "styles"
    letters: set[str] = set()
    for sheet in sorted(styles.glob("*.css")):
        text, found = without_unused(sheet.read_text(encoding="utf-8"), used)
        sheet.write_text(text, encoding="utf-8")
        letters |= found
    _cut(out / "_static" / FONT, letters)


def without_unused(sheet: str, used: set[str]) -> tuple[str, set[str]]:
    """A style sheet with the rules of icons in use, and the letters that it then writes."""

    letters: set[str] = set()

    def kept(rule: re.Match[str]) -> str:
        if used.isdisjoint(NAME.findall(rule[1])):
            return ""
        letters.add(rule[2])
        return rule[0]

    text = FACE.sub('url(../vendor/fontawesome/webfonts/fa-solid-900.woff) format("woff")', sheet)
    text = RULE.sub(kept, text)
    return text, letters.union(LETTER.findall(text))


def _cut(font: Path, letters: set[str]) -> None:
    """The font with these letters alone, beside the whole one."""
    from fontTools.subset import Options, Subsetter, load_font, save_font

    options = Options(flavor="woff", layout_features=[], hinting=False)
    whole = load_font(str(font.with_suffix(".ttf")), options)
    cutter = Subsetter(options)
    cutter.populate(unicodes=[int(letter, 16) for letter in letters])
    cutter.subset(whole)
    save_font(whole, str(font.with_suffix(".woff")), options)
