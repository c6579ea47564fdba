"""How files, keys and values are spelt in a message."""

import json
import re
from collections.abc import Iterable
from datetime import date, time
from typing import Any

KeyPath = tuple[str | int, ...]

_LONGEST = 60


def show_key(path: Iterable[str | int]) -> str:
    """A key as a person would write it."""
    shown = ""
    for part in path:
        if isinstance(part, int):
            shown += f"[{part}]"
        else:
            plain = part and part.isascii() and part.replace("-", "_").isidentifier()
            shown += ("." if shown else "") + (part if plain else show_text(part))
    return shown


def show_text(text: str) -> str:
    """Text in quotation marks, cut where it is long."""
    cut = text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
    return json.dumps(cut, ensure_ascii=False)


def show_value(value: Any) -> str:
    """A value with its kind, as in ``got text "one"``."""
    kind = kind_of(value)
    if isinstance(value, bool) or kind in {"table", "array", "null"}:
        return kind
    if isinstance(value, str):
        return f"text {show_text(value)}"
    if isinstance(value, int | float):
        return f"{kind} {show_number(value)}"
    return f"{kind} {value}"


def show_number(value: float) -> str:
    """A number in few characters, an integer of a thousand digits included."""
    shown = repr(value)
    return shown if len(shown) <= _LONGEST else f"{shown[:20]}... ({len(shown)} digits)"


def kind_of(value: Any) -> str:
    """What TOML and JSON call it."""
    kinds: tuple[tuple[Any, str], ...] = (
        (bool, "boolean"), (str, "text"), (int, "integer"), (float, "number"), (dict, "table"),
        (list | tuple, "array"), (date, "date"), (time, "time"), (type(None), "null"),
    )  # fmt: skip
    return next((name for kind, name in kinds if isinstance(value, kind)), type(value).__name__)


def closest(word: str, known: Iterable[str]) -> str | None:
    """The known word that was probably meant; capitals count only if another word is as near."""
    from difflib import get_close_matches

    words = list(known)
    if exact := get_close_matches(word[:_LONGEST], words, n=1):
        return exact[0]
    folded = {candidate.casefold(): candidate for candidate in reversed(words)}
    matches = get_close_matches(word[:_LONGEST].casefold(), folded, n=1)
    return folded[matches[0]] if matches else _sharing(word, words)


def _sharing(name: str, known: list[str]) -> str | None:
    """The known name that has most of the words of another: "7200 rpm drive" is SATA 7200 rpm."""
    wanted, *parts = (set(re.findall(r"[^\W_]+", each.casefold())) for each in (name, *known))
    found = max(zip(parts, known, strict=True), key=lambda p: len(p[0] & wanted), default=None)
    return found[1] if found and 2 * len(found[0] & wanted) > len(wanted) else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """``did you mean "drives"?``, or else the words there are."""
    words = list(known)
    if (meant := closest(word, words)) is not None:
        return f"did you mean {show_text(meant)}?"
    shown = [word if len(word) <= _LONGEST else f"{word[:20]}..." for word in words[:12]]
    return "there is " + (", ".join(shown) + (", ..." if len(words) > 12 else "") or "none")
