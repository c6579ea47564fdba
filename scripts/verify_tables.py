"""Look up every number of the shipped tables in the papers' own text.

    python scripts/verify_tables.py SEEDS_DIR

SEEDS_DIR holds one text file a paper, under any name: a paper is found by its title. Each cell is
searched as printed, close to the caption of its table or to the words that its row is known by.
Exit status 1 if a cell is not found, 2 if a paper is not.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from calibration.printed_tables.card import Source
from calibration.printed_tables.table import MeasuredTable, load_table, sources, table_names

#: How far from a caption the rows of its table may stand, before and after, in characters
#: (some captions follow their table).
BEFORE, AFTER = 2500, 4000

#: How far apart two cells of one row may stand, white space left out; words may come between them
#: but no digit.
GAP = 60

#: How far from the words it is known by a number may stand, before and after: that of a row, and
#: those of a whole table whose cells are scattered over the text.
ROW_BEFORE, ROW_AFTER = 30, 70
TEXT_BEFORE, TEXT_AFTER = 60, 1600


def read_papers(folder: Path) -> dict[str, str]:
    """Text of each source, white space collapsed, by the name of the source."""
    texts = [
        " ".join(path.read_text(encoding="utf-8").split()) for path in sorted(folder.glob("*.txt"))
    ]
    papers = {}
    for name in sources():
        source = load_table(table_names(name)[0]).source
        if not source.identified_by:
            continue  # a recording of our own
        hits = [text for text in texts if all(words in text for words in source.identified_by)]
        if len(hits) != 1:
            raise SystemExit(complain(source, len(hits), folder))
        papers[name] = hits[0]
    return papers


def complain(source: Source, hits: int, folder: Path) -> int:
    sys.stderr.write(
        f"{folder}: {hits} texts contain {' and '.join(map(repr, source.identified_by))}, "
        "expected one\n"
    )
    return 2


def compact(text: str) -> str:
    return "".join(text.split()).lower()


def windows(text: str, anchors: Iterable[str], before: int, after: int) -> Iterator[str]:
    """Surroundings of each place where one of the anchors stands."""
    for anchor in filter(None, anchors):
        for hit in re.finditer(re.escape(anchor), text, re.IGNORECASE):
            yield text[max(0, hit.start() - before) : hit.end() + after]


def in_order(cells: list[str], place: str) -> bool:
    """Whether the cells stand in a place one after another, with no number between them."""
    pattern = rf"\D{{0,{GAP}}}?".join(re.escape(compact(cell)) for cell in cells)
    return re.search(pattern, compact(place)) is not None


def stands_alone(cell: str, place: str) -> bool:
    """Whether the cell stands in a place, not as a part of a longer number."""
    before = r"(?<![\d.,])" if cell[0].isdigit() else ""
    after = r"(?!\d|\.\d)" if cell[-1].isdigit() else ""
    return re.search(before + re.escape(cell) + after, place, re.IGNORECASE) is not None


def count_row(cells: list[str], places: list[str]) -> int:
    """Cells of a row of a printed table that are found: the row stands there whole, or is not."""
    if len(cells) == 1:
        return count_scattered(cells, places)
    return len(cells) if any(in_order(cells, place) for place in places) else 0


def count_scattered(cells: list[str], places: list[str]) -> int:
    """Cells that are found, each for itself, or behind the first one if they run together."""
    first = cells[0]
    return sum(
        any(stands_alone(cell, place) or in_order([first, cell], place) for place in places)
        for cell in cells
    )


def check_table(table: MeasuredTable, text: str) -> tuple[int, int, list[str]]:
    """Cells found, cells looked for, and the rows that miss some."""
    if table.near:
        table_places = list(windows(text, table.near, TEXT_BEFORE, TEXT_AFTER))
    else:
        table_places = list(windows(text, [table.caption], BEFORE, AFTER))
    found = wanted = 0
    missing = []
    for index, row in enumerate(table.rows):
        cells = [
            cell
            for cell, column in zip(table.texts[index], table.columns, strict=True)
            if cell and column.printed
        ]
        measure = table.row(row)
        if measure is not None and measure.near:
            places = list(windows(text, [measure.near], ROW_BEFORE, ROW_AFTER))
            hits = count_scattered(cells, places)
        elif table.near:
            hits = count_scattered(cells, table_places)
        else:
            hits = count_row(cells, table_places)
        found, wanted = found + hits, wanted + len(cells)
        if hits < len(cells):
            missing.append(f"{row}: {' | '.join(cells)}")
    return found, wanted, missing


def main(arguments: list[str]) -> int:
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        sys.stderr.write("usage: verify_tables.py SEEDS_DIR (a folder with the papers as .txt)\n")
        return 2
    papers = read_papers(Path(arguments[0]))
    failed = total = 0
    for name in table_names():
        table = load_table(name, view="printed")
        if table.kind == "derived":
            print(f"{name}: derived, nothing to find")
            continue
        if table.source.name not in papers:
            print(f"{name}: a recording, no paper to look in")
            continue
        found, wanted, missing = check_table(table, papers[table.source.name])
        print(f"{name}: {found} of {wanted} cells found")
        for line in missing:
            print(f"    not all found: {line}")
        failed, total = failed + wanted - found, total + wanted
    print(f"{total - failed} of {total} cells of {len(table_names())} tables found")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
