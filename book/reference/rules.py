"""The advisor's rules, from their manuals."""

from __future__ import annotations

from advisor.rules import RULES
from reference.markdown import plain, table


def page() -> str:
    parts = [
        "# Rules of the advisor\n",
        "A rule judges one thing that an administrator can change. It only proposes: the model is "
        "solved again with every proposal, and what it says would make matters worse is never "
        "recommended. `qmodel explain CODE` prints the same manual.\n",
        table(("rule", "name", "silent when"), ((r.code, r.slug, r.claim) for r in RULES)),
    ]
    for rule in RULES:
        parts.append(f"## {rule.code} {rule.slug}\n")
        parts.append(_manual(rule.manual))
    return "\n".join(parts)


def _manual(manual: str) -> str:
    """Headings are lines that are not indented; what is indented below them is their text."""
    parts = []
    for line in manual.strip().splitlines()[1:]:
        if not line.strip():
            parts.append("")
        elif line.startswith(" "):
            parts.append(plain(line.strip()))
        else:
            parts += ["", f"**{line.strip()}**", ""]
    return "\n".join(parts) + "\n"
