"""The published numbers that no model here speaks to, and those that the models take as input."""

from __future__ import annotations

from calibration.agreements.system import NotModelled

#: Settings and inputs: block sizes, channel limits, clock rates, and what the tasks are made from.
GIVEN = (
    "notes31/table_4_*:*:volume_block_size",
    "notes31/channel_limits:*",
    "notes31/cpu_upgrade:rebuild_*:faster_response",
    "notes31/performance_claims:clock_gain:value",
    "notes31/performance_claims:internal_clock:value",
    "notes31/performance_claims:memory_clock:value",
    "notes31/profiling_claims:disk_limit:value",
    "notes31/profiling_claims:lan_limit:value",
    "notes31/profiling_claims:sustained_window:value",
    "notes31/profiling_claims:replication_memory_*:value",
    *(
        f"notes31/table_3_{table}:{task}:{column}"
        for table, column in (("2", "cpu"), ("3", "throughput"), ("4", "throughput"))
        for task in ("Rebld View", "Create Indx", "S->S ? Repl", "?->? Repl", "Mail", "Macro")
    ),
)

NOT_MODELLED = (
    NotModelled(
        "hardware striping",
        ("notes31/table_4_3:hardware_striping:*",),
        "the first row of Table 4-2 printed again (E-N95-09).",
    ),
    NotModelled(
        "LAN rates of searching",
        (
            "notes31/table_4_1:*:lan",
            "notes31/table_4_5:*:lan",
            "notes31/table_4_8:*:lan",
            "notes31/table_3_3:N Indx Srch:throughput",
        ),
        "0.04 to 0.17 KB/s, as much as the channel carries with no user on it (Table 3-3).",
    ),
    NotModelled(
        "standard deviations of the profile",
        ("notes31/table_3_?:*:*_sd",),
        "they depend on the sampling interval of the monitor, which is not printed.",
    ),
    NotModelled(
        "tasks measured once, alone",
        tuple(
            f"notes31/table_3_{table}:{task}:*"
            for table in "234"
            for task in ("Indx Srch", "Expand", "Scroll", "Detach", "Read")
        ),
        "a sustained high of one workstation and no second measurement to predict; a run with "
        "several workstations would do.",
    ),
    NotModelled(
        "numbers of the text that repeat a table",
        (
            "notes31/performance_claims:rebuild_cpu:value",
            "notes31/performance_claims:create_index_cpu:value",
            "notes31/performance_claims:edit_cpu*:value",
            "notes31/performance_claims:smart_cpu_saving*:value",
            "notes31/performance_claims:*_improvement:value",
            "notes31/profiling_claims:rebuild_cpu:value",
            "notes31/profiling_claims:create_index_cpu:value",
            "notes31/profiling_claims:disk_share:value",
            "notes31/profiling_claims:search_cpu:value",
            "notes31/profiling_claims:replication_cpu:value",
            "notes31/profiling_claims:replication_*_lan:value",
            "notes31/profiling_claims:replication_lan_share:value",
        ),
        "the cells of the tables are compared or given; the 10 % that the controller is said to "
        "save are a slower run (E-N95-10).",
    ),
    NotModelled(
        "advice on utilization and memory",
        (
            "notes31/performance_claims:cpu_acceptable:value",
            "notes31/performance_claims:cpu_critical:value",
            "notes31/performance_claims:light_load:value",
            "notes31/performance_claims:heavy_load:value",
            "notes31/performance_claims:memory_recommended:value",
        ),
        "thresholds of the authors, not measurements.",
    ),
    NotModelled(
        "CPU utilization of the memory test",
        ("notes31/performance_claims:memory_test_cpu:value",),
        "a reading of Figure 4-4; neither workstations nor statistic are printed (E-N95-15).",
    ),
    NotModelled(
        "duration of the indexed search",
        ("notes31/profiling_claims:indexed_search_duration:value",),
        "one task measured once; nothing says how much of it is processor.",
    ),
)
