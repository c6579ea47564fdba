"""How far the calibrated models are from every measured number, fitted and held out."""

from __future__ import annotations

from io import StringIO
from typing import Any

from advisor.report.agreement_json import agreements_data
from advisor.report.ratio_plot import draw_ratios
from calibration.agreements.agreement import Agreement, agreement
from calibration.systems import SYSTEM_NAMES, load_system
from qmodel.pictures.plot import house_style
from reference.markdown import cell, plain, table


def page() -> str:
    found = [agreement(load_system(name)) for name in SYSTEM_NAMES]
    data = agreements_data(found)["systems"]
    parts = [
        "# Agreement with the measurements\n",
        "Every number that a queueing or device model can speak to: fitted, or unseen by the fit "
        "and predicted with a 90 % interval. Failures are shown as failures. `qmodel agreement` "
        "prints the same, `qmodel agreement SYSTEM` number by number.\n",
        table(
            ("system", "numbers", "how many", "mean error", "inside 90 %", "median half-width"),
            (_coverage(each["system"], c) for each in data for c in each["coverage"]),
        ),
    ]
    for system, each in zip(found, data, strict=True):
        parts += [
            f"## {each['system']}\n",
            f"{plain(each['title'])}. {plain(each['source'])}.\n",
            _picture(system, f"{each['title']}: predicted over measured, with intervals."),
            _numbers(each),
            _models(each),
            _beyond(each),
        ]
    return "\n".join(parts)


def _coverage(name: str, each: dict[str, Any]) -> tuple[object, ...]:
    inside = f"{each['inside']} of {each['count']}"
    return (
        name,
        each["status"],
        each["count"],
        _share(each["error"]),
        inside,
        _share(each["half_width"]),
    )


def _numbers(each: dict[str, Any]) -> str:
    rows = [
        (
            s["subject"],
            s["metric"],
            s["case"],
            f"{s['count']} {s['status']}",
            _share(s["error"]),
            f"{s['inside']} of {s['count']}",
            "; ".join(f"{_share(error)} {name}" for name, error in s["baselines"].items()),
        )
        for s in each["summaries"]
    ]
    heads = ("subject", "metric", "case", "numbers", "error", "inside", "naive guess")
    return table(heads, rows)


def _models(each: dict[str, Any]) -> str:
    rows = [
        (model["name"], p["name"], f"{p['value']:.5g} {p['unit']}", _error(p["standard_error"]))
        for model in each["models"]
        for p in model["parameters"]
    ]
    heads = ("model", "parameter", "value", "standard error")
    return "**Fitted parameters**\n\n" + table(heads, rows) if rows else ""


def _beyond(each: dict[str, Any]) -> str:
    parts = []
    if each["not_modelled"]:
        parts.append("**What no model here can speak to**\n")
        parts += [f"- {cell(gap['what'])}: {cell(gap['reason'])}" for gap in each["not_modelled"]]
        parts.append("")
    if each["notes"]:
        parts.append("**What the data cannot tell**\n")
        parts += [f"- {cell(note)}" for note in each["notes"]]
        parts.append("")
    return "\n".join(parts)


def _share(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.2g} %"


def _error(value: float | None) -> str:
    return "" if value is None else f"{value:.2g}"


def _picture(found: Agreement, alt: str) -> str:
    import matplotlib as mpl
    from matplotlib.figure import Figure

    drawn = StringIO()
    with mpl.rc_context(house_style()):
        figure = Figure(figsize=(6.5, 1.0 + 0.13 * len(found.comparisons)))
        axes = figure.subplots()
        draw_ratios(axes, found.comparisons)
        axes.set_title(found.system.name)
        figure.savefig(
            drawn, format="svg", metadata={"Date": None}, facecolor="white", transparent=False
        )
    svg = drawn.getvalue()
    svg = svg[svg.index("<svg ") :].replace("<svg ", f'<svg role="img" aria-label="{alt}" ', 1)
    # Wider than a telephone, and so to be moved by hand or by keys.
    box = '<div class="on-paper" tabindex="0" role="region" aria-label="Pictures of one system">'
    return f"```{{raw}} html\n{box}{svg}</div>\n```\n"
