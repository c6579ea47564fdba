"""What each key of a configuration says, in a sentence; the sentences stand in `keys.toml`."""

import tomllib
from functools import cache
from pathlib import Path


@cache
def key_texts() -> dict[str, str]:
    """Every key, dotted, and its sentence; settings of measured systems have none."""
    text = Path(__file__).with_name("keys.toml").read_text(encoding="utf-8")
    found: dict[str, str] = tomllib.loads(text)
    return found


def texts_of(name: str) -> dict[str, str]:
    """The sentences of a key, or of all keys in a table.

    Examples
    --------
    >>> list(texts_of("load_test"))
    ['load_test.closed', 'load_test.corrected', 'load_test.clients', 'load_test.duration']
    """
    return {k: v for k, v in key_texts().items() if k == name or k.startswith(f"{name}.")}
