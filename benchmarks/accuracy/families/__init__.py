"""The families, one a file, in the order of the table."""

from benchmarks.accuracy.families import (
    auto,
    beyond_exact,
    limited_classes,
    load_dependent,
    mixed,
    multi_servers,
    open_ggm,
    ordered_chain,
    ordered_simulated,
    percentiles_simulated,
    percentiles_tagged,
    single_servers,
    single_stations,
)
from benchmarks.accuracy.family import Family

FAMILIES: tuple[Family, ...] = (
    single_servers.FAMILY,
    multi_servers.FAMILY,
    load_dependent.FAMILY,
    mixed.FAMILY,
    beyond_exact.FAMILY,
    auto.FAMILY,
    single_stations.FAMILY,
    open_ggm.FAMILY,
    open_ggm.FRESH,
    open_ggm.CIW,
    ordered_chain.FCFS,
    ordered_chain.PRIORITY,
    ordered_chain.PREEMPTIVE,
    ordered_chain.FORK,
    ordered_chain.LIMIT,
    limited_classes.FAMILY,
    ordered_simulated.FORK,
    ordered_simulated.FORK_CLASSES,
    ordered_simulated.HELD_OUT,
    ordered_simulated.ORDERED,
    percentiles_tagged.FAMILY,
    percentiles_simulated.FAMILY,
    percentiles_simulated.FRESH,
)
