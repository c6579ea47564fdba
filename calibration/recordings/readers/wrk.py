"""wrk and wrk2: what they print; several runs may stand one after the other.

wrk's connections ask again as soon as they are answered. wrk2 sends at a fixed rate and counts its
latency from when a request was due, so its connections are no users. Sources: their READMEs; wrk2's
form by its documentation, not recorded here.
"""

import re

from calibration.recordings.reader import Reader
from calibration.recordings.series import Recording, summary
from calibration.recordings.source import Source
from qmodel.errors import FileError

KIND = "wrk"
_RUN = re.compile(r"^Running \S+ test @ ", re.MULTILINE)
_TAIL = re.compile(r"^\s+(95|99)(?:\.0+)?%\s+([\d.]+)(us|ms|s|m|h)\s*$", re.MULTILINE)
_SECONDS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}


def read(source: Source) -> Recording:
    """One sample for each run."""
    rows, notes = [], []
    fixed = False
    for text in _RUN.split(source.text())[1:]:
        latency = re.search(r"^\s+Latency\s+([\d.]+)(us|ms|s|m|h)\s", text, re.MULTILINE)
        rate = re.search(r"^Requests/sec:\s+([\d.]+)", text, re.MULTILINE)
        users = re.search(r"(\d+) connections", text)
        if latency is None or rate is None or users is None:
            raise FileError(source.path, "a run without Latency or Requests/sec; was it stopped?")
        row = {
            ("throughput", ""): float(rate[1]),
            ("response_time", ""): float(latency[1]) * _SECONDS[latency[2]],
        }
        for share, value, unit in _TAIL.findall(text):
            row[f"p{share}", ""] = float(value) * _SECONDS[unit]
        fixed = "Thread calibration" in text or "HdrHistogram" in text
        if not fixed:
            row |= {("population", ""): float(users[1]), ("think_time", ""): 0.0}
        rows.append(row)
        notes += re.findall(r"^\s*((?:Socket errors|Non-2xx).*)", text, re.MULTILINE)
    mapping = [("Requests/sec", "throughput"), ("Latency Avg", "response_time")]
    if not fixed:
        mapping.append(("connections", "users, with think time 0"))
    kind = "wrk2" if fixed else KIND
    return Recording(source.path, kind, "runs", summary(rows), tuple(mapping), tuple(notes))


READER = Reader(KIND, r"(?m)^Running \S+ test @ ", read)
