"""What a calibrated model may have beside product form."""

from __future__ import annotations

from calibration.structures.candidates import STRUCTURES

__all__ = ["STRUCTURES"]
