"""How far the calibrated models are from every measured number, fitted and held out."""

from __future__ import annotations

import io
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console

from advisor.report.agreement import show_agreement, show_agreements
from advisor.report.agreement_plot import draw_agreements
from calibration.agreement import agreement
from calibration.systems import SYSTEM_NAMES, load_system
from reference.markdown import code


def page() -> str:
    found = [agreement(load_system(name)) for name in SYSTEM_NAMES]
    parts = [
        "# Agreement with the measurements\n",
        "Every number that a queueing or device model can speak to: fitted, or held out and "
        "predicted with a 90 % interval. Failures are shown as failures. `qmodel agreement` prints "
        "the same.\n",
        code(_printed(lambda console: show_agreements(console, found))),
    ]
    with TemporaryDirectory() as folder:
        for each in found:
            parts.append(f"## {each.system.name}\n")
            for path in draw_agreements([each], Path(folder) / f"{each.system.name}.svg"):
                parts.append(_picture(path, f"{each.system.title}: measured against predicted."))
            parts.append(code(_printed(lambda console, e=each: show_agreement(console, e))))
    return "\n".join(parts)


def _printed(show) -> str:
    console = Console(file=io.StringIO(), width=110, color_system=None)
    show(console)
    return console.file.getvalue()  # type: ignore[attr-defined, no-any-return]


def _picture(path: Path, alt: str) -> str:
    svg = path.read_text(encoding="utf-8")
    svg = svg[svg.index("<svg ") :].replace("<svg ", f'<svg role="img" aria-label="{alt}" ', 1)
    return f'```{{raw}} html\n<div class="on-paper">{svg}</div>\n```\n'
