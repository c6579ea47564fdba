"""A picture: SVG text, the sentence that says what it shows, and the tones of all pictures."""

from dataclasses import dataclass
from html import escape
from pathlib import Path

from qmodel.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Picture:
    """An SVG drawing with its alternative text; notebooks and the handbook show it as it is.

    Colours are CSS variables with a fallback, so that a page can turn dark around it.

    Parameters
    ----------
    svg : str
        The ``<svg>`` element.
    alt : str
        What the picture shows, in a sentence; may not be empty.

    Raises
    ------
    InvalidInput
        If there is no alternative text.

    Examples
    --------
    >>> Picture('<svg viewBox="0 0 1 1"></svg>', "a dot")._repr_html_()
    '<figure class="picture"><svg role="img" aria-label="a dot" viewBox="0 0 1 1"></svg></figure>'
    """

    svg: str
    alt: str

    def __post_init__(self) -> None:
        if not self.alt.strip():
            raise InvalidInput("a picture needs alternative text: a sentence that says it all")
        if not self.svg.startswith("<svg "):
            raise InvalidInput("a picture is an <svg ...> element")

    @property
    def labelled(self) -> str:
        """The element with its alternative text, as a page needs it."""
        return f'<svg role="img" aria-label="{escape(self.alt)}" {self.svg[5:]}'

    def _repr_html_(self) -> str:
        return f'<figure class="picture">{self.labelled}</figure>'

    def save(self, path: str | Path) -> None:
        """Write the picture as an SVG file, over one that is there."""
        from qmodel.documents.writing import write_text

        text = self.labelled
        if ' xmlns="' not in text[: text.index(">")]:  # Matplotlib's have it already
            text = text.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
        write_text(path, text + "\n", force=True)


#: Name of the CSS variable to its value on a light page, which is the fallback.
LIGHT = {
    "ink": "#1d2b2e", "quiet": "#4d5d60", "grid": "#d9e2e3", "paper": "#ffffff",
    "tone-1": "#14505c", "tone-2": "#b4460f", "tone-3": "#6a3d9a", "tone-4": "#1b7a3d",
    "tone-5": "#a3195b", "tone-6": "#6b5900",
}  # fmt: skip

#: The colours of lines and points, in order.
TONES = tuple(name for name in LIGHT if name.startswith("tone-"))


def css(name: str) -> str:
    """A tone as CSS, with the light page's as the fallback.

    Examples
    --------
    >>> css("ink")
    'var(--ink, #1d2b2e)'
    """
    return f"var(--{name}, {LIGHT[name]})"
