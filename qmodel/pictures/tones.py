"""The tones of the house: ink, paper and six colours that colour-blind readers tell apart."""

from __future__ import annotations

#: Name of the CSS variable to its value on a light page, which is the fallback.
LIGHT = {
    "ink": "#1d2b2e",
    "quiet": "#4d5d60",
    "grid": "#d9e2e3",
    "paper": "#ffffff",
    "tone-1": "#14505c",
    "tone-2": "#b4460f",
    "tone-3": "#6a3d9a",
    "tone-4": "#1b7a3d",
    "tone-5": "#a3195b",
    "tone-6": "#6b5900",
}

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
