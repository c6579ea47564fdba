"""Windows Performance Monitor: counter logs as CSV or TSV, of typeperf, logman and relog.

The first heading names the zone and the minutes that local time lacks to UTC; typeperf leaves both
out. Names in German, French and Spanish stand in `perfmon.toml`. esxtop -b writes the same. Source:
Microsoft Learn, relog; no such file is recorded here.
"""

import csv
import re
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from calibration.recordings.counters import Metrics
from calibration.recordings.header import read_heading
from calibration.recordings.reader import Reader, moment
from calibration.recordings.source import Source
from qmodel.errors import FileError

KIND = "Performance Monitor"
#: Counters and what they are; of several that are the same the first counts. {} is the instance.
_COUNTERS = (
    (r"processor( information)?\(_total\)\\% processor time", "utilization:cpu [%]"),
    (r"processor( information)?\(_total\)\\% idle time", "utilization:cpu [% idle]"),
    (r"physical cpu\(_total\)\\% util time", "utilization:cpu [%]"),
    (r"physicaldisk\((?!_total)(?P<of>.+)\)\\% idle time", "utilization:disk-{} [% idle]"),
    (r"physicaldisk\((?!_total)(?P<of>.+)\)\\% disk time", "utilization:disk-{} [%]"),
    (r"physicaldisk\((?!_total)(?P<of>.+)\)\\disk transfers/sec", "operations:disk-{} [1/s]"),
    (r"physicaldisk\((?!_total)(?P<of>.+)\)\\disk bytes/sec", "volume:disk-{} [B/s]"),
    (r"network (interface|adapter)\((?P<of>.+)\)\\bytes total/sec", "volume:lan-{} [B/s]"),
    (r"asp\.net applications\(__total__\)\\requests/sec", "throughput [1/s]"),
    (r"web service\(_total\)\\total method requests/sec", "throughput [1/s]"),
    (r"\w+(:|\$\w+:)sql statistics\\batch requests/sec", "throughput [1/s]"),
)
_WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_OBJECTS, _NAMES = (
    {word: name for name, words in _WORDS[kind].items() for word in words}
    for kind in ("object", "counter")
)
_CORE = re.compile(r"(?:processor.*|physical cpu)\((\d+(?:,\d+)?)\)\\% (processor|util) time")


def read(source: Source) -> Metrics:
    """All counters by their paths without the computer, which is a label."""
    metrics = Metrics(KIND, source.path)
    rows = csv.reader(source.lines(), delimiter="\t" if "PDH-TSV" in source.head else ",")
    head = next(row for row in rows if row)
    bias = re.search(r"\((-?\d+)\)$", head[0].strip())
    metrics.clock = "UTC" if bias else "local"
    paths = [path[2:].partition("\\")[::2] for path in head[1:] if path.startswith("\\\\")]
    held: list[tuple[list[float], list[float]]] = [([], []) for _ in paths]
    for cells in rows:
        if not cells or not cells[0][:1].isdigit():  # what typeperf says at its end
            continue
        if len(cells) <= len(paths):
            problem = f"{len(cells)} cells, expected {len(paths) + 1}; is the file cut off?"
            raise FileError(source.path, problem, line=rows.line_num)
        time = moment(cells[0])[0] + 60.0 * int(bias[1] if bias else 0)
        for (_, path), cell, (times, values) in zip(paths, cells[1:], held, strict=False):
            number = float(cell.strip().replace(",", ".") or -1.0)
            if number >= 0.0:  # the first of a rate is empty, one that failed is -1
                times.append(time)
                values.append(min(number, 100.0) if "\\% " in _english(path) else number)
    cores: dict[tuple[str, bool, str], float] = {}
    for (host, path), samples in zip(paths, held, strict=True):
        if core := _CORE.fullmatch(_english(path)):
            place = host.lower(), "," in core[1], core[2]  # both objects may be logged
            cores[place] = cores.get(place, 0.0) + 1.0
        else:
            metrics.add(path, {"host": host.lower()}, *samples)
    for (host, *_), count in sorted(cores.items(), key=lambda each: each[1]):  # the most last
        times = held[0][0]
        metrics.samples["servers:cpu", (("host", host),)] = times, [count] * len(times)
    _name(metrics, paths)
    return metrics


@cache
def _english(path: str) -> str:
    """A path of a counter in small letters, as Windows in English calls it."""
    of, _, counter = path.lower().replace("\u2019", "'").rpartition("\\")
    thing, sign, instance = of.partition("(")
    return f"{_OBJECTS.get(thing, thing)}{sign}{instance}\\{_NAMES.get(counter, counter)}"


def _name(metrics: Metrics, paths: Sequence[tuple[str, str]]) -> None:
    """Say what counters are, as headings of a user's table."""
    known = set()
    for pattern, heading in _COUNTERS:
        for host, path in paths:
            if found := re.fullmatch(pattern, _english(path)):
                of = re.sub(r"\W+", "-", found.groupdict().get("of", "")).strip("-")
                told = read_heading(heading.format(of))
                if (host, told.quantity, told.of) not in known:
                    known.add((host, told.quantity, told.of))
                    metrics.headings[path] = told


READER = Reader(KIND, r'\A\s*"?\(PDH-[CT]SV 4\.0\)', read)
