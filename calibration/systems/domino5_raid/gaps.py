"""The published numbers that no model here speaks to, and those that the models take as input."""

from __future__ import annotations

from calibration.agreements.system import NotModelled

_ONE, _TWO = "domino5_raid/study_one_claims", "domino5_raid/study_two_claims"

GIVEN = (
    "domino5_raid/table_1:*:drives",
    "domino5_raid/table_2:*:users",
    "domino5_raid/file_growth:*:users",
    f"{_ONE}:response_criterion:value",
    f"{_ONE}:cpu:value",
    f"{_ONE}:memory_available:value",
    f"{_ONE}:message_size:value",
    f"{_TWO}:message_size:value",
    f"{_TWO}:users_low:value",
    f"{_TWO}:users_low_share:value",
    f"{_TWO}:transfer_difference:value",
)

NOT_MODELLED = (
    NotModelled(
        "users per drive and increase per drive of Table 1",
        ("domino5_raid/table_1:*:users_per_drive", "domino5_raid/table_1:*:increase"),
        "the users of the same table again, divided (E-R00-01).",
    ),
    NotModelled(
        "users of two arrays of two drives",
        (f"{_ONE}:capacity_two_arrays:value",),
        "a question the paper asks, not a measurement; the law says twice one array's users.",
    ),
    NotModelled(
        "network utilization",
        (f"{_TWO}:network_4000:value",),
        "the rate of the network and the volume of an action are not printed.",
    ),
    NotModelled(
        "response time in seconds",
        (f"{_TWO}:response_10_drives:value",),
        "Table 2 prints savings only; nothing gives its unit of time.",
    ),
    NotModelled(
        "filling of the arrays",
        (f"{_TWO}:free_space:value", f"{_TWO}:fill_*:value"),
        "the size of a mail file and the length of a run are not printed.",
    ),
    NotModelled(
        "average message size of the year 2000",
        (f"{_TWO}:average_message_size:value",),
        "a setting's reason, not a measurement of this server.",
    ),
    NotModelled(
        "loads at which results are repeatable, and at which the effect is expected",
        (f"{_TWO}:repeatable_load:value", f"{_TWO}:effect_load:value"),
        "judgements of the author (E-R00-07).",
    ),
    NotModelled(
        "users of another Domino server",
        (f"{_TWO}:domino_users:value",),
        "another report's server.",
    ),
)
