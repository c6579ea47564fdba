"""Measurements, and models fitted to them."""

from calibration.agreement.agreement import Agreement, agreement
from calibration.audit import Audit, audit, audit_source
from calibration.estimation.demand import processor_demand
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
    "processor_demand",
    "profiles",
    "save_calibration",
    "table_names",
]
