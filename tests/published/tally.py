"""How well the published examples are cited, counted by what their files say."""

from __future__ import annotations

import qmodel as qm
from tests.published import reader, single_station
from tests.published.same_network import same

BY_PAGE = "worked examples cited to the page"
BY_SECTION = "worked examples cited to a section, example, table or figure"
FROM_MEMORY = "worked examples known from the text, no copy at hand"
REGRESSION = "regression values of another program"

#: Authors whose examples are wanted before all others.
AUTHORS = ("Lazowska", "Menasc", "Bolch", "Jain", "Gunther")


def tally() -> dict[str, list[str]]:
    """Names of the examples by the way they are cited."""
    found: dict[str, list[str]] = {BY_PAGE: [], BY_SECTION: [], FROM_MEMORY: [], REGRESSION: []}
    for name, source in sources().items():
        found[standing(source)].append(name)
    return found


def networks(examples: list[str]) -> list[list[str]]:
    """Names of examples, those of one network together; one used again is no second network."""
    groups: list[list[str]] = []
    for name in examples:
        group = next((g for g in groups if _share(g[0], name)), None)
        if group is None:
            groups.append([name])
        else:
            group.append(name)
    return groups


def by_author(examples: list[str]) -> dict[str, int]:
    """How many of some examples are by each of the authors wanted."""
    cited = sources()
    works = [cited[name]["work"] for name in examples]
    return {author: sum(author in work for work in works) for author in AUTHORS}


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


def _share(one: str, other: str) -> bool:
    return any(same(a, b) for a in _networks(one) for b in _networks(other))


def _networks(name: str) -> set[qm.Network]:
    if name not in reader.names():  # a single station is not drawn as a network
        return set()
    return {printed.network for printed in reader.load(name).printed}
