"""Measurements, and models fitted to them."""

from calibration.agreement import Agreement, agreement
from calibration.audit import Audit, audit, audit_source
from calibration.demand import processor_demand
from calibration.systems import SYSTEM_NAMES, load_system
from calibration.table import MeasuredTable, load_table, table_names
from calibration.user_table import UserTable, load_user_table

__all__ = [
    "SYSTEM_NAMES",
    "Agreement",
    "Audit",
    "MeasuredTable",
    "UserTable",
    "agreement",
    "audit",
    "audit_source",
    "load_system",
    "load_table",
    "load_user_table",
    "processor_demand",
    "table_names",
]
