"""From data to a configuration: parts of the catalogue put in, keys and their sense checked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from advisor.configuration.calibrated import calibration_beside
from advisor.configuration.configuration import Configuration
from advisor.configuration.consistency import Problem
from advisor.configuration.consistency.whole import contradictions, doubts
from advisor.configuration.parts import with_parts
from advisor.configuration.schema import ServerConfig
from qmodel.documents.document import Document
from qmodel.documents.validation import validate


def configure(data: dict[str, Any], document: Document) -> Configuration:
    """Validate data as they would stand in a configuration file.

    Raises
    ------
    qmodel.FileError
        One line that names file, line and key, what was wrong and what would be right.
    """
    changed = replace(document, data=data)
    settings = settings_of(changed)
    file = settings.workload.calibration
    tasks = calibration_beside(document, file).data.classes if file else ()
    refuse(changed, contradictions(settings, tasks))
    warnings = tuple(f"{changed.error(*doubt)} (warning)" for doubt in doubts(settings))
    return Configuration(settings, data, document, warnings)


def settings_of(document: Document) -> ServerConfig:
    """The settings that a document holds, with the figures of its parts, each by itself right."""
    data = with_parts(document.data, document)
    settings: ServerConfig = validate(
        ServerConfig, replace(document, data=data), remedy="see `init`"
    )
    return settings


def refuse(document: Document, problems: Iterable[Problem]) -> None:
    """Refuse a configuration for some problems.

    Raises
    ------
    qmodel.FileError
        If there is any: the first in the order of the file, with the others in it.
    """
    if found := tuple(problems):
        raise document.errors(found)
