"""Write anew what every command shows, at 80 and at 120 columns: tests/screens/*.txt.

Look at the difference before you commit it.
"""

import sys

from tests.screens.screens import SCREENS, WIDTHS, path_of, shown


def main():
    for name, words in SCREENS.items():
        for width in WIDTHS:
            path_of(name, width).write_text(shown(words, width), encoding="utf-8")
            print(path_of(name, width).name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
