"""The library's answer to the dial `capacity_advisor`, by way of the advisor's configuration."""

from __future__ import annotations

from functools import cache
from typing import Any

import qmodel as qm
from advisor.configuration.changes import Change
from advisor.configuration.configuration import Configuration
from advisor.configuration.parts import configure
from advisor.predicting.outlook import Outlook
from advisor.predicting.prediction import outlook
from advisor.predicting.workload import network_of, ways_of
from qmodel.devices.raid import LEVELS
from qmodel.documents.document import parse_document

MOST = 3000
NETWORKS = ("100 Mb Ethernet, switched", "1 Gb Ethernet", "10 Gb Ethernet", "25 Gb Ethernet")


def raid(level: str, drives: int) -> str:
    """The library's name for mirrors of so many drives, and for the other levels."""
    if level != "mirrors":
        return level
    return "raid1e" if drives % 2 else "raid1" if drives == 2 else "raid10"


def configuration(state: dict[str, Any]) -> Configuration:
    document = parse_document(
        f"""
        schema = 1
        [server]
        cpu_speed = {state["speed"]}
        cores = {state["cores"]}
        [disk]
        drive = "{state["drive"]}"
        raid = "{raid(state["level"], state["drives"])}"
        drives = {state["drives"]}
        stripe = "64 KB"
        block = "8 KB"
        [lan]
        network = "{state["network"]}"
        [workload]
        users = {state["users"]}
        think_time = "{state["think"]} s"
        [[workload.class]]
        name = "users"
        cpu = "{state["cpu"] / 1000!r} s"
        disk_kb = {state["disk"]}
        lan_kb = {state["lan"]}
        write_share = "{state["writes"]} %"
        """
    )
    return configure(document.data, document)


def time(found: Outlook) -> float:
    return found.classes[0].response_time.mid


def within(state: dict[str, Any]) -> int:
    """Most users that wait no longer than promised, by the exact solution."""
    return _within(tuple((k, v) for k, v in state.items() if k != "users"))


@cache
def _within(items: tuple[tuple[str, Any], ...]) -> int:
    state = dict(items)
    server = configuration(state | {"users": 1})
    (way,) = ways_of(server)
    target = state["target"] / 1000

    def over(users: int) -> float:
        network = network_of(server.with_users(users), way).network
        return qm.solve(network).response_times[0] - target

    # Beyond this many the busiest station alone takes longer than promised.
    first = network_of(server, way).network
    busiest = max(
        d / station.max_rate
        for d, station in zip(first.demand[0], first.stations, strict=True)
        if isinstance(station, qm.QueueingStation)
    )
    most = min(MOST + 1, int((target + state["think"]) / busiest) + 2)
    low, high, below, above = 1, most, over(1), over(most)
    if below > 0:
        return 0
    if above <= 0:
        return MOST
    turn = 0
    while high - low > 1:
        # In turn where the straight line through both ends crosses zero, and in the middle.
        line = low + int((high - low) * below / (below - above))
        middle = max(low + 1, min(high - 1, line + 1 if turn % 3 else (low + high) // 2))
        turn += 1
        found = over(middle)
        if found <= 0:
            low, below = middle, found
        else:
            high, above = middle, found
    return low


def values(state: dict[str, Any]) -> dict[str, float]:
    if state["level"] != "mirrors" and LEVELS[state["level"]].why_not(state["drives"]):
        return {}
    drives, level = state["drives"], state["level"]
    changes: dict[str, dict[tuple[str, str], Any]] = {
        "cores": {("server", "cores"): 2 * state["cores"]},
        "speed": {("server", "cpu_speed"): 1.5 * state["speed"]},
        "drives": {("disk", "drives"): 2 * drives, ("disk", "raid"): raid(level, 2 * drives)},
    }
    if level in {"raid5", "raid6"}:
        changes["level"] = {("disk", "raid"): raid("mirrors", drives)}
    if not state["drive"].endswith("SSD"):
        changes["drive"] = {("disk", "drive"): "SATA SSD"}
    if state["network"] != NETWORKS[-1]:
        following = NETWORKS[NETWORKS.index(state["network"]) + 1]
        changes["network"] = {("lan", "network"): following}
    server = configuration(state)
    bought = {key: Change(key, tuple(each.items())).apply(server) for key, each in changes.items()}
    now = outlook(server)
    times = {key: time(outlook(each)) for key, each in bought.items()}
    return {
        "response_time": time(now),
        "throughput": now.classes[0].throughput.mid,
        **{name: now.resource(name).utilization.mid for name in ("cpu", "disk", "lan")},
        "within": within(state),
        **times,
    }
