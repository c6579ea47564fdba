"""Audits in the terminal and as data."""

from collections.abc import Sequence
from dataclasses import asdict
from math import isfinite
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from advisor.report.plain import fields
from calibration.audits.audit import Audit, Contradiction

#: Scatter over noise from which a report asks whether the noise is assumed too small. [1]
_NOISY = 1.4

#: Rows named in the terminal; JSON names all.
_SHOWN_ROWS = 6


def show_audits(console: Console, audits: Sequence[Audit]) -> None:
    """Print what each audit found, what it could not say, and the errata it did not meet."""
    for audit in audits:
        count = len(audit.contradictions)
        none = "no contradiction" if audit.tested else "nothing could be tested"
        found = f"{count} contradiction{'' if count == 1 else 's'}" if count else none
        console.print(Text(f"{audit.name}: {found}", style="bold"))
        for contradiction in audit.contradictions:
            _show(console, contradiction)
        if audit.tests:
            tests = "1 test" if audit.tests == 1 else f"{audit.tests} tests"
            limit = f"{audit.threshold:.1f} standard errors"
            console.print(Text(f"{tests}; differences above {limit} are reported", style="dim"))
        if audit.contradictions and audit.scatter is not None and audit.scatter > _NOISY:
            times = f"{audit.scatter:.1f}"
            hint = f"all rows scatter {times} times as much as the noise assumed"
            console.print(Text(f"{hint}: if that is your noise, use --noise {times}", style="dim"))
        for law, reason in dict.fromkeys((each.law, each.reason) for each in audit.silent):
            about = [
                each.what
                for each in audit.silent
                if (each.law, each.reason) == (law, reason) and each.what
            ]
            where = f" ({_few(about)})" if about else ""
            console.print(Text(f"not applicable: {law}{where}: {reason}", style="dim"))
        if audit.not_found:
            named = ", ".join(erratum.id for erratum in audit.not_found)
            console.print(Text(f"errata that no law finds: {named}", style="dim"))
        console.print()


def _show(console: Console, found: Contradiction) -> None:
    size = f", {found.size:.1f} standard errors" if isfinite(found.size) else ""
    errata = f"  [{', '.join(found.errata)}]" if found.errata else ""
    lines = (
        Text(f"{found.law}{size}{errata}: {found.message}"),
        Text(f"resolves it: {found.resolves}", style="dim"),
    )
    console.print(Text(f"  {_few(found.rows)}", style="yellow"))
    for line in lines:
        console.print(Padding(line, (0, 0, 0, 4), expand=False))


def _few(names: Sequence[str]) -> str:
    unique = list(dict.fromkeys(name for name in names if name))
    more = len(unique) - _SHOWN_ROWS
    return ", ".join(unique[:_SHOWN_ROWS]) + (f" and {more} more" if more > 0 else "")


def audits_data(audits: Sequence[Audit]) -> dict[str, Any]:
    """All contradictions for programs, then each audit's tests, silences and missed errata.

    A size is null where the contradiction is one of kind, not of degree.
    """
    return {
        "contradictions": [_data(each) for audit in audits for each in audit.contradictions],
        "audits": [
            {
                **fields(audit, "name", "tested", "tests", "threshold", "scatter"),
                "not_applicable": [asdict(each) for each in audit.silent],
                "errata_not_found": [
                    fields(each, "id", "confidence", "finding") for each in audit.not_found
                ],
            }
            for audit in audits
        ],
    }


def _data(found: Contradiction) -> dict[str, Any]:
    return {
        **fields(found, "law", "rows"),
        "size": found.size if isfinite(found.size) else None,
        **fields(found, "message", "resolves", "errata", "lines"),
        "places": [
            {key: value for key, value in asdict(place).items() if value is not None}
            for place in found.places
        ],
    }
