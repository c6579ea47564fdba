"""The rules, one a file; a new one is a file here with a ``RULE``, or a TOML of one setting."""

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from advisor.rule_support.documented import rule_of
from advisor.rule_support.rule import Rule

#: All rules, in the order of their codes.
RULES: tuple[Rule, ...] = tuple(
    sorted(
        (
            *(import_module(f"{__name__}.{each.name}").RULE for each in iter_modules(__path__)),
            *map(rule_of, Path(__file__).parent.glob("*.toml")),
        ),
        key=lambda rule: rule.code,
    )
)
