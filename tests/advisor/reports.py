"""Reviews of examples and of a hostile configuration, made once for all forms of the report."""

import json
import tomllib
from datetime import date
from functools import cache

from advisor.configuration.parts import configure
from advisor.engine import review
from advisor.loading import load_config
from advisor.predicting.load_curve import alone_and_at_peak, populations
from qmodel.documents.document import parse_document
from tests.advisor.configurations import EXAMPLES, OVERLOADED

TODAY = date(2026, 6, 1)
#: Examples that are configurations of a server.
SERVERS = sorted(
    path for path in EXAMPLES.glob("*.toml") if "[server]" in path.read_text(encoding="utf-8")
)
#: Those whose reports are looked at closely: with and without measurements, batch tasks, targets.
PAGES = [
    path
    for path in SERVERS
    if path.stem
    in {"domino5_raid", "mail_server_calibrated", "overloaded", "proliant2000_as_tested"}
]
#: Text that means something to HTML, SVG, Matplotlib, SARIF, or nothing at all.
HOSTILE = "<script>alert(1)</script>'\"&--><img src=x>$\\frac{0}$ {0} [a](http://x.invalid)\u4e2d"


@cache
def reviewed(path):
    """Review and growth of an example."""
    found = review_of(path)
    configuration = found.configuration
    return found, alone_and_at_peak(configuration, populations(configuration))


@cache
def review_of(path):
    """The review of an example."""
    return review(load_config(path), today=TODAY)


def with_suppressions(*suppressions, path=OVERLOADED):
    """An example with ``[[suppress]]`` tables of (rule, reason, until) at its end."""
    text = path.read_text(encoding="utf-8")
    for rule, reason, until in suppressions:
        text += f'\n[[suppress]]\nrule = "{rule}"\nreason = "{reason}"\n'
        text += f"until = {until}\n" if until else ""
    document = parse_document(text, "toml", "server.toml")
    return configure(document.data, document)


@cache
def suppressing(*suppressions, path=OVERLOADED):
    """The review of an example with suppressions."""
    return review(with_suppressions(*suppressions, path=path), today=TODAY)


def silenced():
    """The same with a suppression in force and one that has expired."""
    return suppressing(
        ("MEM001", "no free slots", "2026-12-31"), ("CPU001", "ordered", "2026-01-31")
    )


@cache
def hostile():
    """A review and its growth with markup wherever a user may write text."""
    data = tomllib.loads(OVERLOADED.read_text(encoding="utf-8"))
    data["title"] = HOSTILE
    data["server"]["name"] = HOSTILE
    data["disk"]["controller"] = HOSTILE
    for i, each in enumerate((*data["workload"]["class"], *data["batch"])):
        each["task"] = each.get("task", each["name"])
        each["name"] = f"{HOSTILE} {i}"
    data["suppress"] = [
        {"rule": "RAID001", "reason": HOSTILE},
        {"rule": "DSK001", "reason": HOSTILE, "until": "2026-01-31"},
    ]
    document = parse_document(json.dumps(data, indent=1), "json", "a<b>&'.json")
    configuration = configure(document.data, document)
    return (review(configuration, today=TODAY), alone_and_at_peak(configuration, (10, 40)))
