"""The theory of the solvers, a section a module, as it stands beside the code."""

from __future__ import annotations

from reference import theory


def page() -> str:
    """The page."""
    return theory.page("solvers")
