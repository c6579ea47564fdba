"""Measurements, and models fitted to them."""

from calibration.agreement import Agreement, agreement
from calibration.demand import processor_demand
from calibration.systems import SYSTEM_NAMES, load_system
from calibration.table import MeasuredTable, load_table, table_names

__all__ = [
    "SYSTEM_NAMES",
    "Agreement",
    "MeasuredTable",
    "agreement",
    "load_system",
    "load_table",
    "processor_demand",
    "table_names",
]
