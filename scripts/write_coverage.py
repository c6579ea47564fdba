"""Write calibration/tables/COVERAGE.md: which numbers of each paper are shipped, from the cards.

    python -m scripts.write_coverage [--check]

With --check nothing is written; exit status 1 if the file is not what the cards say.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from calibration.printed_tables.table import TABLES, MeasuredTable, load_table, sources, table_names

TARGET = TABLES / "COVERAGE.md"

HEAD = """\
# Coverage

Every numeric table and every measured number in running text of the five papers, by paper and
section, and our own recording. Written from the cards by
`python -m scripts.write_coverage`; a test fails if it is stale.

"measured" is a table of measurements, "text" numbers quoted in running text, "setting" how a test
was set up, "specification" what hardware or software is, "derived" rearranged from other tables.
"Numbers" are the printed cells that hold one; cells of words are not counted.
"""


def numbers(table: MeasuredTable) -> int:
    """Printed cells of a table that hold a number."""
    return sum(
        table.cell(row, column.name).value is not None
        for row in table.rows
        for column in table.columns
    )


def coverage() -> str:
    """The whole file."""
    parts = [HEAD]
    kinds: dict[str, int] = {}
    for source in sources():
        tables = [load_table(name, "printed") for name in table_names(source)]
        first = tables[0].source
        total = sum(numbers(table) for table in tables if table.kind != "derived")
        parts.append(f"## {first.title}\n")
        parts.append(f"{first.cite()}. {len(tables)} tables, {total} numbers.\n")
        parts.append("| section | table | what | kind | rows | numbers |")
        parts.append("|---|---|---|---|---|---|")
        for table in sorted(tables, key=lambda each: (each.section, each.name)):
            short = table.name.partition("/")[2]
            count = numbers(table)
            kinds[table.kind] = kinds.get(table.kind, 0) + count
            parts.append(
                f"| {table.section} | {short} | {table.title} | {table.kind} | "
                f"{len(table.rows)} | {count} |"
            )
        notes = [(None, note) for note in first.notes]
        notes += [(table.name.partition("/")[2], note) for table in tables for note in table.notes]
        parts.append("\nNot here, and why; and what is to be known of what is here:\n")
        parts += [f"- {f'{name}: ' if name else ''}{note}" for name, note in notes]
        parts.append("")
    parts.append("## Together\n")
    parts += [f"- {kind}: {count} numbers" for kind, count in sorted(kinds.items())]
    return "\n".join(parts) + "\n"


def main(arguments: list[str]) -> int:
    text = coverage()
    if "--check" in arguments:
        same = TARGET.is_file() and TARGET.read_text(encoding="utf-8") == text
        print("up to date" if same else f"{TARGET.name} is stale; run scripts.write_coverage")
        return 0 if same else 1
    TARGET.write_text(text, encoding="utf-8")
    print(f"{len(text.splitlines())} lines to {TARGET.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
