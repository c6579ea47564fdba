"""The laws that measured numbers must obey, one a file; none of them reads errata."""

from calibration.audits.law import Law
from calibration.audits.laws import (
    background_load,
    capacity,
    changing_demand,
    class_mix,
    exchanged,
    forced_flow,
    littles_law,
    monotony,
    percentages,
    population,
    processor_speed,
    slower_run,
    sums,
    units,
    utilization_law,
)

#: All laws, in the order of reports.
LAWS: tuple[Law, ...] = (
    utilization_law.LAW,
    slower_run.LAW,
    processor_speed.LAW,
    forced_flow.LAW,
    littles_law.LAW,
    capacity.LAW,
    monotony.LAW,
    percentages.LAW,
    sums.LAW,
    units.LAW,
    exchanged.LAW,
    population.LAW,
    class_mix.LAW,
    background_load.LAW,
    changing_demand.LAW,
)
