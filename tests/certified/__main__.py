"""Recompute every certificate: python -m tests.certified [--write] [NAME ...].

Without ``--write`` the answers in the files are compared, digit by digit, with new ones.
"""

import argparse
import sys
import time
import tomllib

from tests.certified.reader import FOLDER, read_network
from tests.certified.reference import certified

MARK = "[answer]\n"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.certified", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--write", action="store_true", help="put the answers into the files")
    arguments = parser.parse_args()
    different = 0
    for path in sorted(FOLDER.glob("*.toml")):
        if arguments.names and path.stem not in arguments.names:
            continue
        begun = time.perf_counter()
        before = path.read_text()
        after = before.partition(MARK)[0] + answer(before)
        verdict = "same" if after == before else "written" if arguments.write else "DIFFERENT"
        different += verdict == "DIFFERENT"
        if arguments.write:
            path.write_text(after)
        print(f"{path.stem:<40} {verdict:<10} {time.perf_counter() - begun:6.1f} s", flush=True)
    return 1 if different else 0


def answer(text: str) -> str:
    """The [answer] table of a file."""
    network = read_network(tomllib.loads(text))
    measures = certified(network)
    lines = [MARK.rstrip()]
    for name, value in zip(network.class_names, measures.throughput, strict=True):
        lines.append(f'throughput.{name} = "{value}"')
    for name, row in zip(network.class_names, measures.queue_length, strict=True):
        lines += [
            f'queue_length.{name}.{station} = "{value}"'
            for station, value in zip(network.station_names, row, strict=True)
        ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
