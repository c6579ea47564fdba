"""What each key of a configuration says, in a sentence; the sentences stand in `keys.toml`."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from qmodel.documents.toml_text import toml_text


@cache
def _keys() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("keys.toml").read_text(encoding="utf-8"))


def key_texts() -> dict[str, str]:
    """Every key, dotted, and its sentence; settings of measured systems have none."""
    return {key: said if isinstance(said, str) else said[0] for key, said in _keys().items()}


def example_of(key: str) -> str:
    """A key as a file has it; empty where no example stands beside its sentence."""
    value = _keys().get(key, "")
    return "" if isinstance(value, str) else toml_text({key.rpartition(".")[2]: value[1]}).strip()


def texts_of(name: str) -> dict[str, str]:
    """The sentences of a key, or of all keys in a table."""
    return {k: v for k, v in key_texts().items() if k == name or k.startswith(f"{name}.")}
