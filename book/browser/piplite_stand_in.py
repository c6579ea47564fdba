"""Stands in for Lite's installer, which needs a later Python: it has what is served, no more."""

from __future__ import annotations

from typing import Any

#: What Lite sets; there is no index to ask here.
_PIPLITE_URLS: list[str] = []
_PIPLITE_INDICES: dict[str, Any] = {}
_PIPLITE_DISABLE_PYPI = True


async def install(requirements: str | list[str], **_: Any) -> None:
    """Load packages of the list beside Python; others are refused with their name."""
    import pyodide_js

    names = [requirements] if isinstance(requirements, str) else list(requirements)
    known = pyodide_js.lockfile.packages.to_py() if hasattr(pyodide_js, "lockfile") else names
    missing = [name for name in names if name not in known]
    if missing:
        raise ValueError(f"{', '.join(missing)}: not served here, and nothing else can be fetched")
    await pyodide_js.loadPackage(names)
