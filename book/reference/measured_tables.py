"""The measured tables: what was measured, under which conditions, and what is wrong with it."""

from __future__ import annotations

from calibration import load_table
from calibration.printed_tables.table import errata, sources, table_names
from reference.markdown import cell, plain, table


def page() -> str:
    parts = [
        "# Measured tables\n",
        "Five performance papers of two vendors, typed as printed, and what we recorded ourselves. "
        "An erratum marks the cells it concerns; what is certain or likely is corrected in the "
        "corrected view, and nothing else. "
        '`calibration.load_table(NAME)` has one, `view="printed"` as it stands in the paper.\n',
    ]
    for source in sources():
        tables = [load_table(name) for name in table_names(source)]
        parts += [f"## {source}\n", f"{plain(tables[0].source.cite())}.\n"]
        rows = [
            (t.name, t.title, f"{len(t.rows)} x {len(t.columns)}", len(t.errata)) for t in tables
        ]
        parts.append(table(("table", "what it holds", "rows x columns", "errata"), rows))
        wrong = [f"- **{e.id}** ({e.confidence}): {cell(e.finding)}" for e in errata(source)]
        parts += ["**Errata**\n", *wrong, ""] if wrong else []
    return "\n".join(parts)
