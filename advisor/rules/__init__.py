"""The rules, one a file; a new one is a file here with a ``RULE``."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from advisor.rule_support.rule import Rule

#: All rules, in the order of their codes.
RULES: tuple[Rule, ...] = tuple(
    import_module(f"{__name__}.{each.name}").RULE
    for each in sorted(iter_modules(__path__), key=lambda each: each.name)
)
