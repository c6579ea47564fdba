"""A configuration from its file, refused if it speaks of rules that there are not."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from advisor.configuration.configuration import Configuration
from advisor.configuration.consistency import Problem
from advisor.configuration.parts import configure, refuse
from advisor.configuration.suppressions import Suppression
from qmodel.documents.document import Document, read_document
from qmodel.documents.wording import did_you_mean, show_text


def load_config(path: str | Path, format: str | None = None) -> Configuration:  # noqa: A002
    """Read a configuration.

    Parameters
    ----------
    path : path
        A TOML or JSON file; "-" reads standard input and needs ``format``.
    format : str, optional
        "toml" or "json"; told from the file's name if not given.

    Raises
    ------
    qmodel.FileError
        One line that names file, line and key, what was wrong and what would be right.
    """
    return configuration_of(read_document(path, format))


def configuration_of(document: Document) -> Configuration:
    """The configuration that a document holds.

    Raises
    ------
    qmodel.FileError
        As for `load_config`.
    """
    if "machine" in document.data and "server" not in document.data:
        takes = "qmodel advise, report, predict, whatif, size and explain --network take them"
        raise document.error(("machine",), f"several machines; expected one [server]; {takes}")
    configuration = configure(document.data, document)
    refuse(document, _unknown_rules(configuration.settings.suppress))
    return configuration


def _unknown_rules(suppressions: Sequence[Suppression]) -> Iterator[Problem]:
    """Each suppression of a rule that there is not, or that stands twice."""
    if not suppressions:
        return
    from advisor.rules import RULES  # which take longer to import than a file to read

    seen: dict[str, int] = {}
    for i, each in enumerate(suppressions):
        rule = next((r for r in RULES if each.names(r.code, r.slug)), None)
        if rule is None:
            meant = did_you_mean(each.rule, [r.code for r in RULES])
            yield ("suppress", i, "rule"), f"no rule {show_text(each.rule)}; {meant}"
        elif rule.code in seen:
            problem = f"{rule.code} is suppressed in suppress[{seen[rule.code]}] already"
            yield ("suppress", i, "rule"), problem
        else:
            seen[rule.code] = i
