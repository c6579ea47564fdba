"""Times of one call, and how they are handed to the program that compares them."""

import json
import sys
from time import perf_counter


def measure(call, least=0.15, most=2000, few=3):
    """Seconds of single calls: as many as fit, ``few`` at least, after one to warm up.

    With ``few=0`` the first call counts, and is the only one: for what takes minutes.
    """
    begun = perf_counter()
    answer = call()
    if not few:
        return [perf_counter() - begun], answer
    seconds, begun = [], perf_counter()
    while len(seconds) < few or (len(seconds) < most and perf_counter() - begun < least):
        start = perf_counter()
        call()
        seconds.append(perf_counter() - start)
    return seconds, answer


def report(case, tool, seconds, answer, *, exact=True):
    """One line of JSON: what was measured, and the throughputs that came out."""
    line = {"case": case, "tool": tool, "seconds": seconds, "answer": answer, "exact": exact}
    json.dump(line, sys.stdout)
    print(flush=True)


def wanted(case):
    """Whether the case is among those named on the command line; all, if none is."""
    return not sys.argv[1:] or any(case.startswith(name) for name in sys.argv[1:])
