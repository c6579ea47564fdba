"""The advisor: a server's configuration in, calibrated advice out."""

from __future__ import annotations

from typing import Any

__all__ = ["load_config", "predict", "review"]

_HOMES = {
    "load_config": "advisor.config",
    "predict": "advisor.prediction",
    "review": "advisor.engine",
}


def __getattr__(name: str) -> Any:
    # On demand: the command should start before pydantic and scipy are needed.
    if name in _HOMES:
        import importlib

        globals()[name] = value = getattr(importlib.import_module(_HOMES[name]), name)
        return value
    raise AttributeError(f"module 'advisor' has no attribute {name!r}")
