"""What a calibrated model may have beside product form."""

from calibration.structures.candidates import STRUCTURES

__all__ = ["STRUCTURES"]
