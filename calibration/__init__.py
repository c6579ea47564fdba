"""Measurements, and models fitted to them."""

from typing import TYPE_CHECKING

from qmodel.on_demand import on_demand

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
    "SYSTEM_NAMES", "Agreement", "Audit", "Calibration", "FirstLook", "MeasuredTable",
    "NotCalibratable", "Prediction", "Profile", "UserTable", "agreement", "audit", "audit_source",
    "calibrate", "first_look", "load_calibration", "load_system", "load_table", "load_user_table",
    "predict", "profiles", "save_calibration", "table_names",
]  # fmt: skip

__getattr__, __dir__ = on_demand(
    "calibration",
    {
        "agreements.agreement": "Agreement agreement", "audits.audit": "Audit audit audit_source",
        "estimation.fit": "NotCalibratable", "fitting.calibrate": "calibrate",
        "fitting.first_look": "FirstLook first_look", "fitting.fitted_model": "Calibration",
        "fitting.profile": "Profile profiles", "fitting.saved": "load_calibration save_calibration",
        "predicting.prediction": "Prediction predict",
        "printed_tables.table": "MeasuredTable load_table table_names",
        "recordings.user_table": "UserTable load_user_table", "systems": "SYSTEM_NAMES load_system",
    },
)  # fmt: skip
