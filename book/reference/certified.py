"""Correct digits on the certified networks: the methods' own, and the peers' as recorded."""

from __future__ import annotations

import json
from pathlib import Path

import qmodel as qm
from benchmarks.second_opinion.digits import our_digits, peer_digits
from benchmarks.second_opinion.simulated import networks, promised
from reference.markdown import plain, table
from tests.certified.reader import load, names

RECORDED = Path(__file__).parents[2] / "tests" / "second_opinions"


def page() -> str:
    peers = [json.loads(p.read_text(encoding="utf-8")) for p in sorted(RECORDED.glob("*.json"))]
    rows = []
    for name in names():
        found = load(name)
        shown = [
            peer_digits(found, peer["answers"].get(name, {})) if name in peer["answers"] else None
            for peer in peers
        ]
        rows.append(
            (
                f"{found.title} ({name}, {found.level})",
                f"{our_digits(found):.1f}",
                *("" if each is None else f"{each:.1f}" for each in shown),
                qm.solve(found.network).method.replace("_", " "),
            )
        )
    made = [f"- {plain(peer['tool'])}: {plain(peer['made'])}.\n" for peer in peers]
    return "\n".join(
        [
            "# Certified networks\n",
            "Each network comes with its throughputs and queue lengths to 50 digits, computed in "
            "decimal arithmetic twice, with different numbers of digits. The table has the correct "
            "digits of the worst throughput or queue length; a float has not quite 16. `make "
            "certify` prints those of every method.\n",
            "The other solvers are asked only what they can do: closed networks of delays and "
            "single servers. With several servers they lose digits without saying so, from about "
            "80 customers on all of them. An empty cell was not asked.\n",
            table(("network", "qmodel", *(p["tool"] for p in peers), "method"), rows),
            *made,
            *_simulated(),
        ]
    )


def _simulated() -> list[str]:
    """What another's simulation says where nothing is exact."""
    recorded = json.loads((RECORDED / "simulated" / "ciw.json").read_text(encoding="utf-8"))
    rows = []
    for name, network in networks().items():
        solution, answer = qm.solve(network), recorded["answers"][name]
        for c, mine in enumerate(solution.response_times):
            theirs = answer["response_time"][c]
            width = answer["response_time_half_width"][c]
            rows.append(
                (
                    name,
                    network.class_names[c],
                    solution.method,
                    f"{mine:.4g}",
                    f"{theirs:.4g} ± {width:.2g}",
                    f"{100.0 * (mine / theirs - 1.0):+.1f} %",
                    f"{100.0 * promised(solution):.0f} %" if promised(solution) else "exact",
                )
            )
    tool = plain(recorded["tool"])
    return [
        "\n## Simulations\n",
        f"Where nothing is exact, response times beside those that {tool} simulated, with their "
        "95 % intervals, and the worst error that is on record for the method.\n",
        table(
            ("network", "class", "method", "qmodel [s]", f"{tool} [s]", "differs by", "worst"), rows
        ),
    ]
