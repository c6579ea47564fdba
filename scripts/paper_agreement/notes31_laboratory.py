"""What the models of notes31 say of published numbers: laboratory."""

from calibration.agreements.run_comparison import Measured
from calibration.systems.notes31.laboratory import _measured

#: What is to be known of the runs with 20 workstations.
SAME_TIME = "the same time in all rows of Tables 4-2 and 4-3 is suspicious (E-N95-09)"


def held_out() -> tuple[Measured, ...]:
    """The runs that no fit sees: 20 workstations, other arrays, the other controller."""
    return (
        _measured("edit", "4_2", "no_fault_tolerance", note=SAME_TIME),
        _measured("edit", "4_2", "raid5", level="raid5", note=SAME_TIME),
        _measured("edit", "4_3", "software_striping", note=SAME_TIME),
        _measured("edit", "4_4", "fast_scsi_2", other_controller=True),
        _measured("search", "4_1", "one_drive", drives=1),
        _measured("search", "4_1", "four_drives"),
        _measured("search", "4_5", "smart"),
        _measured("search", "4_5", "fast_scsi_2", other_controller=True),
    )
