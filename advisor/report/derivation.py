"""How a configuration becomes a network: each demand with its formula and numbers."""

from typing import Any

from rich.console import Console
from rich.text import Text

from advisor.configuration.configuration import Configuration
from advisor.configuration.parts import part_sources
from advisor.predicting.prediction import networks_of
from advisor.predicting.workload import models_of
from advisor.report.screen import table


def show_derivation(console: Console, configuration: Configuration) -> None:
    """Print the network of each admissible calibration."""
    derivation = derivation_data(configuration)
    for member in derivation["calibrations"]:
        title = f"calibration '{member['name']}': {member['description']}"
        console.print(Text(title, style="bold"))
        console.print(Text(f"stations: {', '.join(member['stations'])}"))
        shown = table("class", "resource", "demand [s]", "from", right=["demand [s]"])
        for each in member["demands"]:
            shown.add_row(each["class"], each["resource"], f"{each['demand']:.5g}", each["formula"])
        console.print(shown)
        console.print()
    for part in derivation["parts"]:
        console.print(Text(f"{part['key']} '{part['name']}': {part['source']}"))


def derivation_data(configuration: Configuration) -> dict[str, Any]:
    """The derivation for programs; demands in seconds per interaction."""
    return {
        "parts": [
            dict(zip(("key", "name", "source"), part, strict=True))
            for part in part_sources(configuration.data, configuration.document)
        ],
        "calibrations": [
            {
                "name": name,
                "description": description,
                "stations": list(server.network.station_names),
                "demands": [
                    {"class": each.load, "resource": each.resource, "demand": each.value,
                     "formula": each.formula}
                    for each in server.derivation
                ],
            }
            for (name, description), server in zip(
                models_of(configuration), networks_of(configuration), strict=True
            )
        ],
    }  # fmt: skip
