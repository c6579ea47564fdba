"""Targets on the command line, ``--response 2s``, ``--utilization 80%``, and percentiles."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from advisor.configuration.promises import Promise

Response = Annotated[
    str | None,
    typer.Option(
        "--response",
        help="Target of each class: of the mean, as in 250ms, or of percentiles, as in "
        "p95=2s,p99=4s.",
    ),
]
Utilization = Annotated[
    str | None, typer.Option("--utilization", help="Target, as in 80%, of each resource.")
]

Percentiles = Annotated[
    str | None, typer.Option(help="Percentiles of the times as well, such as 50,90,95,99.")
]


def percentile_shares(text: str | None) -> tuple[float, ...]:
    """Shares of ``50,90,95``, or ``0.5,0.9,0.95``: nothing is asked below 1 %. [1]"""
    from qmodel.errors import InvalidInput

    found = []
    for part in [] if text is None else text.split(","):
        try:
            value = float(part)
        except ValueError:
            value = -1.0
        if not 0.0 < value < 100.0:
            raise InvalidInput(
                f"--percentiles: {part.strip()!r}, expected percentages above 0 and below 100, as "
                "in 50,90,95,99"
            )
        found.append(value if value < 1.0 else value / 100.0)
    return tuple(dict.fromkeys(found))


def promise(text: str | None) -> "Promise | None":
    """What ``--response`` promises."""
    from advisor.configuration.promises import Promise
    from qmodel.documents.fields import KeyProblem
    from qmodel.errors import InvalidInput

    if text is None:
        return None
    if "=" not in text:
        return Promise(time_above_0(text))
    table = {}
    for part in text.split(","):
        name, _, limit = part.partition("=")
        table[name.strip()] = limit.strip()
    try:
        return Promise.read(table)
    except KeyProblem as error:
        raise InvalidInput(f"--response: {'.'.join(map(str, error.key_path))}: {error}") from None


def time_above_0(text: str | None, option: str = "--response") -> float | None:
    """The time that an option gives. [s]"""
    return None if text is None else _above_0(text, option, "time", float("inf"))


def fraction_above_0(text: str | None, option: str = "--utilization") -> float | None:
    """The fraction that an option gives. [1]"""
    return None if text is None else _above_0(text, option, "fraction", 1.0)


def _above_0(text: str, option: str, dimension: str, most: float) -> float:
    from qmodel.documents.units import quantity
    from qmodel.errors import InvalidInput

    try:
        value = quantity(text, dimension)
    except InvalidInput as error:
        raise InvalidInput(f"{option}: {error}") from None
    if not 0.0 < value <= most:
        up_to = " and up to 100 %" if most == 1.0 else ""
        percent = f"; write {text}%" if most < value <= 100.0 and "%" not in text else ""
        raise InvalidInput(f"{option}: must be above 0{up_to}, got {text}{percent}")
    return value
