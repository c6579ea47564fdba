"""Record what the models of each measured system say of its published numbers.

    python -m scripts.write_agreement

Writes ``agreement.json`` beside the tables of each system; look at the difference before you
commit it. The suite computes all of it anew.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict

from calibration.agreements.comparison import Comparison
from calibration.agreements.recorded import place
from calibration.systems import SYSTEM_NAMES
from scripts.paper_agreement.compared import compared


def text_of(found: Sequence[Comparison]) -> str:
    """The record as a file holds it: a line each, every float in the digits that read back."""
    rows = [asdict(each) for each in found]
    return "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]\n"


def main() -> None:
    for name in SYSTEM_NAMES:
        found = compared(name)
        place(name).write_text(text_of(found), encoding="utf-8")
        print(f"{place(name)}: {len(found)} numbers")


if __name__ == "__main__":
    main()
