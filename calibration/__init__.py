"""Measurements, and models fitted to them."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from calibration.agreements.agreement import Agreement, agreement
    from calibration.audits.audit import Audit, audit, audit_source
    from calibration.estimation.fit import NotCalibratable
    from calibration.fitting.calibrate import calibrate
    from calibration.fitting.first_look import FirstLook, first_look
    from calibration.fitting.fitted_model import Calibration
    from calibration.fitting.profile import Profile, profiles
    from calibration.fitting.saved import load_calibration, save_calibration
    from calibration.predicting.prediction import Prediction, predict
    from calibration.printed_tables.table import MeasuredTable, load_table, table_names
    from calibration.recordings.user_table import UserTable, load_user_table
    from calibration.systems import SYSTEM_NAMES, load_system

__all__ = [
    "SYSTEM_NAMES",
    "Agreement",
    "Audit",
    "Calibration",
    "FirstLook",
    "MeasuredTable",
    "NotCalibratable",
    "Prediction",
    "Profile",
    "UserTable",
    "agreement",
    "audit",
    "audit_source",
    "calibrate",
    "first_look",
    "load_calibration",
    "load_system",
    "load_table",
    "load_user_table",
    "predict",
    "profiles",
    "save_calibration",
    "table_names",
]

_HOMES = {
    "Agreement": "calibration.agreements.agreement",
    "Audit": "calibration.audits.audit",
    "Calibration": "calibration.fitting.fitted_model",
    "FirstLook": "calibration.fitting.first_look",
    "MeasuredTable": "calibration.printed_tables.table",
    "NotCalibratable": "calibration.estimation.fit",
    "Prediction": "calibration.predicting.prediction",
    "Profile": "calibration.fitting.profile",
    "SYSTEM_NAMES": "calibration.systems",
    "UserTable": "calibration.recordings.user_table",
    "agreement": "calibration.agreements.agreement",
    "audit": "calibration.audits.audit",
    "audit_source": "calibration.audits.audit",
    "calibrate": "calibration.fitting.calibrate",
    "first_look": "calibration.fitting.first_look",
    "load_calibration": "calibration.fitting.saved",
    "load_system": "calibration.systems",
    "load_table": "calibration.printed_tables.table",
    "load_user_table": "calibration.recordings.user_table",
    "predict": "calibration.predicting.prediction",
    "profiles": "calibration.fitting.profile",
    "save_calibration": "calibration.fitting.saved",
    "table_names": "calibration.printed_tables.table",
}


def __getattr__(name: str) -> Any:
    # On demand: a command should not wait for what it does not use.
    if name in _HOMES:
        import importlib

        globals()[name] = value = getattr(importlib.import_module(_HOMES[name]), name)
        return value
    raise AttributeError(f"module 'calibration' has no attribute {name!r}")


def __dir__() -> list[str]:
    """The public names, for tab completion."""
    return sorted(__all__)
