"""A calibration as a file, strict both ways."""

import json
from dataclasses import asdict
from math import inf, isfinite
from os import PathLike
from typing import Any

from calibration.audits.noise import Noise
from calibration.estimation.data import CalibrationData, Conditions, Datum
from calibration.estimation.fit import Search
from calibration.estimation.tail_shape import TailShape
from calibration.fitting.fitted_model import Calibration, FittedModel, Unknown
from calibration.fitting.saved_tables import CalibrationFile, ModelTable
from calibration.printed_tables.run import Measurement
from calibration.structures.structure import Parameter
from qmodel.documents.document import Document, read_document, told_format
from qmodel.documents.toml_text import toml_text
from qmodel.documents.validation import validate
from qmodel.documents.wording import show_value
from qmodel.documents.writing import write_text
from qmodel.errors import FileError

#: Of what is written; another one is not read.
VERSION = 1


def load_calibration(path: str | PathLike[str], format: str | None = None) -> Calibration:  # noqa: A002
    """Read a calibration that `save_calibration` wrote.

    Parameters
    ----------
    path : path-like
        A JSON or TOML file.
    format : str, optional
        "json" or "toml"; told from the extension if not given.

    Raises
    ------
    qmodel.FileError
        One line that names file, line and key.
    """
    return calibration_of(read_document(path, format))


def calibration_of(document: Document) -> Calibration:
    """The calibration that a document holds; see `load_calibration`."""
    if document.data and "models" not in document.data:
        raise FileError(document.path, "no calibration; qmodel calibrate -o writes one")
    if document.data.get("schema", VERSION) != VERSION:
        raise document.error(
            ("schema",),
            f"written by another version of qmodel: expected {VERSION}, got "
            f"{show_value(document.data['schema'])}; calibrate the table again",
        )
    file: CalibrationFile = validate(
        CalibrationFile, document, what="calibration", remedy="write one with qmodel calibrate -o"
    )
    data = CalibrationData(
        source=file.source, classes=file.classes, stations=file.stations,
        series=tuple((s.quantity, s.station) for s in file.series),
        runs=tuple(
            Conditions(
                run.name, run.population, run.arrival_rate,
                tuple(run.think_time.get(c) for c in file.classes), run.servers,
            )
            for run in file.runs
        ),
        numbers=tuple(
            Datum(
                n.run, n.quantity, n.of, n.customer_class,
                Measurement(n.value, n.standard_deviation), n.unit, n.scale,
            )
            for n in file.numbers
        ),
        noise=Noise(**file.noise.model_dump() | {"at": tuple(file.noise.at.items())}),
        whole_cycle=file.whole_cycle,
        notes=file.notes, assumed=file.servers_assumed, pool=file.pool or inf,
    )  # fmt: skip
    return Calibration(
        data, file.reference, tuple(_model(each) for each in file.models),
        tuple((each.name, each.reason) for each in file.refused), file.widening,
        tuple(Unknown(each.what, each.reason, each.measure) for each in file.unknown),
        file.contradictions,
        tuple(TailShape(s.customer_class, s.share, s.alone, s.waiting, s.scatter)
              for s in file.shapes),
    )  # fmt: skip


def save_calibration(
    calibration: Calibration,
    path: str | PathLike[str],
    format: str | None = None,  # noqa: A002
    *,
    force: bool = False,
) -> None:
    """Write a calibration as a file that `load_calibration` reads back as an equal one.

    Raises
    ------
    qmodel.FileError
        If the file exists and ``force`` is not set, or if it cannot be written.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from calibration.fitting.calibrate import calibrate
    >>> from calibration.recordings.user_table import parse_user_table
    >>> fitted = calibrate(parse_user_table('''users,think_time [s],throughput [1/s],cpu
    ... 1,2,0.400,20.0
    ... 4,2,1.379,68.9
    ... 8,2,1.939,97.0
    ... '''))
    >>> with TemporaryDirectory() as folder:
    ...     save_calibration(fitted, Path(folder, "server.json"))
    ...     load_calibration(Path(folder, "server.json")) == fitted
    True
    """
    data = calibration_data(calibration)
    if told_format(path, format) == "toml":
        text = toml_text(data)
    else:
        text = json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    write_text(path, text, force=force)


def calibration_data(calibration: Calibration) -> dict[str, Any]:
    """A calibration as plain data; what is None or infinite is left out."""
    data, shape = calibration.data, ("class", *TailShape._fields[1:])
    return {
        "schema": VERSION, "source": data.source, "classes": list(data.classes),
        "stations": list(data.stations), "reference": calibration.reference,
        "widening": calibration.widening, "whole_cycle": data.whole_cycle,
        "contradictions": list(calibration.contradictions), "notes": list(data.notes),
        "servers_assumed": list(data.assumed), **({"pool": data.pool} if data.pool < inf else {}),
        "noise": asdict(data.noise) | {"at": dict(data.noise.at)},
        "series": [{"quantity": q, "station": s} for q, s in data.series],
        "models": [_model_data(each) for each in calibration.models],
        **({"shapes": [dict(zip(shape, s, strict=True)) for s in calibration.shapes]}
           if calibration.shapes else {}),
        "refused": [{"name": name, "reason": why} for name, why in calibration.refused],
        "unknown": [
            {"what": list(u.what), "reason": u.reason, "measure": u.measure}
            for u in calibration.unknown
        ],
        "runs": [
            _finite({
                "name": run.name,
                "population": list(run.population) if run.population is not None else None,
                "arrival_rate": list(run.arrival_rate) if run.arrival_rate is not None else None,
                "think_time": {
                    c: z for c, z in zip(data.classes, run.think_time, strict=True) if z is not None
                },
                "servers": list(run.servers),
            })
            for run in data.runs
        ],
        "numbers": [
            {
                "run": each.run, "quantity": each.quantity, "of": each.of,
                "class": each.customer_class, "value": each.measurement.value,
                "standard_deviation": each.measurement.standard_deviation,
                "unit": each.unit, "scale": each.scale,
            }
            for each in data.numbers
        ],
    }  # fmt: skip


def _model(table: ModelTable) -> FittedModel:
    parameters = tuple(
        Parameter(
            p.name, p.unit, p.field, p.place, (p.value,),
            Search()
            if p.ratio
            else Search(
                ratio=False,
                low=-inf if p.low is None else p.low,
                high=inf if p.high is None else p.high,
            ),
            p.neutral, p.scale, p.expected,
        )
        for p in table.parameters
    )  # fmt: skip
    return FittedModel(
        table.name, table.structure, parameters,
        tuple(p.value for p in table.parameters),
        tuple(inf if p.standard_error is None else p.standard_error for p in table.parameters),
        table.covariance, table.residuals, table.error, table.admissible, table.weight,
        table.reason,
    )  # fmt: skip


def _model_data(model: FittedModel) -> dict[str, Any]:
    return {
        "name": model.name,
        "structure": model.structure,
        "admissible": model.admissible,
        "weight": model.weight,
        "error": model.error,
        "reason": model.reason,
        "parameters": [
            _finite({
                "name": p.name, "unit": p.unit, "value": value, "standard_error": error,
                "field": p.sets, "place": list(p.place), "ratio": p.search.ratio,
                "low": p.search.low, "high": p.search.high, "neutral": p.neutral, "scale": p.scale,
                "expected": p.expected or None,
            })
            for p, value, error in zip(
                model.parameters, model.values, model.standard_errors, strict=True
            )
        ],
        "covariance": [list(row) for row in model.covariance],
        "residuals": list(model.residuals),
    }  # fmt: skip


def _finite(data: dict[str, Any]) -> dict[str, Any]:
    return {
        key: value
        for key, value in data.items()
        if value is not None and not (isinstance(value, float) and not isfinite(value))
    }
