"""Record what the models of each measured system say of its published numbers.

    python -m scripts.write_agreement

Writes ``agreement.json`` beside the tables of each system; look at the difference before you
commit it. The suite computes all of it anew.
"""

from calibration.agreements.recorded import place, text_of
from calibration.systems import SYSTEM_NAMES
from scripts.paper_agreement.compared import compared


def main() -> None:
    for name in SYSTEM_NAMES:
        found = compared(name)
        place(name).write_text(text_of(found), encoding="utf-8")
        print(f"{place(name)}: {len(found)} numbers")


if __name__ == "__main__":
    main()
