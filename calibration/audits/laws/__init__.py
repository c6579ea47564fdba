"""The laws that measured numbers must obey, one a file with its card; none of them reads errata."""

from importlib import import_module

from calibration.audits.law import Law

#: All laws, in the order of reports.
LAWS: tuple[Law, ...] = tuple(
    import_module(f"{__name__}.{name}").LAW for name in (
        "utilization_law", "forced_flow", "littles_law",
        "capacity", "monotony", "percentages", "units", "exchanged", "population",
        "class_mix", "background_load", "changing_demand", "percentiles",
    )
)  # fmt: skip
