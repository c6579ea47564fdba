"""Measurements, and models fitted to them."""

from calibration.agreement import Agreement, agreement
from calibration.audit import Audit, audit, audit_source
from calibration.calibrate import calibrate
from calibration.demand import processor_demand
from calibration.fit import NotCalibratable
from calibration.fitted_model import Calibration
from calibration.prediction import Prediction, predict
from calibration.profile import Profile, profiles
from calibration.saved import load_calibration, save_calibration
from calibration.systems import SYSTEM_NAMES, load_system
from calibration.table import MeasuredTable, load_table, table_names
from calibration.user_table import UserTable, load_user_table

__all__ = [
    "SYSTEM_NAMES",
    "Agreement",
    "Audit",
    "Calibration",
    "MeasuredTable",
    "NotCalibratable",
    "Prediction",
    "Profile",
    "UserTable",
    "agreement",
    "audit",
    "audit_source",
    "calibrate",
    "load_calibration",
    "load_system",
    "load_table",
    "load_user_table",
    "predict",
    "processor_demand",
    "profiles",
    "save_calibration",
    "table_names",
]
