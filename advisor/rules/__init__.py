"""The rules, each a card: what it is for, and its check, in the card or in a module of its name."""

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from advisor.rule_support import documented, signal
from advisor.rule_support.card import card_of
from advisor.rule_support.rule import Rule

_MODULES = {each.name for each in iter_modules(__path__)}


def _rule(path: Path) -> Rule:
    card = card_of(str(path.with_suffix(".py")))  # as a module beside it asks for it
    own = path.stem in _MODULES
    data = card.data
    held = signal if "signal" in data else documented
    check = import_module(f"{__name__}.{path.stem}").check if own else held.check_of(card)
    when = {key: tuple(data.get(key, ())) for key in ("systems", "only_with", "needs")}
    return Rule.of(path.stem, data["claim"], data["manual"], check, **when)


#: All rules, in the order of their codes.
RULES: tuple[Rule, ...] = tuple(map(_rule, sorted(Path(__file__).parent.glob("*.toml"))))
