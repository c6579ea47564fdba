"""How well the published examples are cited, counted by what their files say."""

from __future__ import annotations

from tests.published import reader, single_station

BY_PAGE = "worked examples cited to the page"
BY_SECTION = "worked examples cited to a section, example, table or figure"
FROM_MEMORY = "worked examples known from the text, no copy at hand"
REGRESSION = "regression values of another program"


def tally() -> dict[str, list[str]]:
    """Names of the examples by the way they are cited."""
    found: dict[str, list[str]] = {BY_PAGE: [], BY_SECTION: [], FROM_MEMORY: [], REGRESSION: []}
    for name, source in sources().items():
        found[standing(source)].append(name)
    return found


def sources() -> dict[str, dict[str, str]]:
    """Where each example comes from, networks and single stations."""
    found = {name: reader.load(name).source for name in reader.names()}
    for name in single_station.names():
        found[f"single station {name}"] = single_station.load(name).source
    return found


def standing(source: dict[str, str]) -> str:
    """How an example is cited."""
    if source["kind"] == "regression value":
        return REGRESSION
    if source["page"] != "unknown":
        return BY_PAGE
    return FROM_MEMORY if source["via"].startswith("known from the text") else BY_SECTION
