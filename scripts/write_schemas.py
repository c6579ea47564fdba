"""Write the forms of what commands print as JSON, from what they print of the examples.

    python -m scripts.write_schemas

The form of what predicts, ``answers.schema.json``, is written by hand and not touched. Keys that a
user names (classes, stations, columns) are maps; what every call prints is required. What no call
shows stands here: which values may be null, and what has the form of a part of the answers.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from advisor.report.answers import PREDICTING, VERSION
from scripts.json_calls import CALLS, called

FORMS = Path("advisor/report/forms")
#: Objects whose keys are names of the user's or of a source's.
MAPS = {
    "columns", "problems", "by_model", "baselines", "values", "sources", "conditions", "cells",
    "calls", "services", "users", "tasks", "entries", "processors", "demands", "shares_by_class",
    "at", "keys", "read_as",
}  # fmt: skip
#: Lists of objects with keys of that kind.
ROWS = {"rows"}
#: What has the form of a definition in the form of what predicts.
PARTS = {"provenance": "provenance", "evidence": "evidence", "options": "advice"}
#: Numbers that are null where they have no bound, or are not there.
UNBOUNDED = {
    "low", "mid", "high", "value", "total", "lasts", "gap", "bound", "speed", "slower_before",
    "slower_after", "precision", "line", "late_share", "late_share_half_width", "rejected_share",
    "rejected_share_half_width",
}  # fmt: skip
#: What else is null where it is not there.
ABSENT = {"alone", "before", "after", "population"}
#: What is a document of its own.
DOCUMENTS = {"layered_model": "As `qmodel solve` takes it from a file."}
#: What a key means wherever it stands.
MEANS = {
    "schema": "Version of this form.", "command": "What was asked.",
    "throughput": "Interactions a second, by class. [1/s]",
    "response_time": "Time of an interaction without the pause of its user. [s]",
    "residence_time": "Time at a station in an interaction, by class and station. [s]",
    "queue_length": "Customers at a station, waiting and served. [customers]",
    "utilization": "Share of a station that is busy, or customers at a delay. [1]",
    "method": "The algorithm that was used.", "reason": "Why, or why not.",
    "low": "Lower end of the 90 % interval.", "mid": "Best estimate.",
    "high": "Upper end of the 90 % interval.", "unit": "Unit of the numbers beside it.",
    "standard_error": "Standard error of a fitted value.", "errata": "What is known to be wrong.",
}  # fmt: skip


def kind(value):
    """The JSON type of a value."""
    table = {type(None): "null", bool: "boolean", int: "number", float: "number", str: "string"}
    return table.get(type(value))


def form(values, key=""):
    """A schema that all values follow."""
    if key in DOCUMENTS:
        return {"description": DOCUMENTS[key], "type": "object"}
    if key in PARTS and not any(isinstance(value, list) for value in values):
        return {"$ref": f"#/$defs/{PARTS[key]}"}
    found = {}
    if key in MEANS:
        found["description"] = MEANS[key]
    types = {kind(value) for value in values if kind(value)}
    objects = [value for value in values if isinstance(value, dict)]
    lists = [value for value in values if isinstance(value, list)]
    if objects:
        types.add("object")
        if key in MAPS or key in ROWS:
            inner = [each for value in objects for each in value.values()]
            found["additionalProperties"] = form(inner) if inner else {}
        else:
            keys = list(dict.fromkeys(k for value in objects for k in value))
            found["additionalProperties"] = False
            found["required"] = [
                k for k in keys if k != "provenance" and all(k in value for value in objects)
            ]
            found["properties"] = {k: form([v[k] for v in objects if k in v], k) for k in keys}
    if lists:
        types.add("array")
        items = [each for value in lists for each in value]
        of = key if key in {*ROWS, *PARTS, *UNBOUNDED} else ""
        found["items"] = form(items, of) if items or of in PARTS else {}
    elif key in UNBOUNDED:
        types |= {"null", "number"}
    if key in ABSENT:
        types.add("null")
    if types:
        found["type"] = sorted(types) if len(types) > 1 else types.pop()
    return found


def definitions(body):
    """The parts of the answers that a form refers to, and those that these refer to."""
    known = json.loads((FORMS / "answers.schema.json").read_text(encoding="utf-8"))["$defs"]
    found, left = {}, [body]
    while left:
        for name in re.findall(r"#/\$defs/(\w+)", json.dumps(left.pop())):
            if name not in found:
                found[name] = known[name]
                left.append(known[name])
    return dict(sorted(found.items()))


def main():
    """Call each command, and write what form its answers have."""
    printed = {}
    with tempfile.TemporaryDirectory() as folder:
        for words in CALLS:
            if words[0] in PREDICTING:
                continue
            line = [*called(words, Path(folder)), "--json"]
            done = subprocess.run([sys.executable, "-m", "advisor.cli", *line], check=False,
                                  capture_output=True, text=True)  # fmt: skip
            if not done.stdout:
                sys.exit(f"{' '.join(line)}: {done.stderr}")
            printed.setdefault(words[0], []).append(json.loads(done.stdout))
    FORMS.mkdir(exist_ok=True)
    for command, answers in printed.items():
        body = form(answers)
        body["properties"]["schema"]["const"] = VERSION
        body["properties"]["command"]["const"] = command
        body["properties"]["provenance"] = form([{}], "provenance")
        body = {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": f"urn:qmodel:{command}:{VERSION}",
            "title": f"What qmodel {command} prints with --json",
            "description": "Times in seconds, rates per second, shares as fractions of 1.",
            **body,
            "$defs": definitions(body),
        }
        path = FORMS / f"{command}.schema.json"
        path.write_text(json.dumps(body, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(path, path.stat().st_size)


if __name__ == "__main__":
    main()
