"""The published numbers that no model here speaks to, and those that the models take as input."""

from __future__ import annotations

from calibration.agreements.system import NotModelled

#: Settings of the runs, columns printed again in a later table, and what two claims are used for.
GIVEN = (
    "domino85/table_?:local_replicas:*",
    "domino85/table_?:users:*",
    "domino85/table_[567]:*:baseline",
    "domino85/table_4:network:baseline",
    "domino85/table_4:virtual_memory:baseline",
    "domino85/claims:local_replica_network:value",
    "domino85/claims:daos_storage:value",
)

NOT_MODELLED = (
    NotModelled(
        "changes in per cent",
        (
            "domino85/table_?:*:change",
            *(
                f"domino85/claims:{claim}:value"
                for claim in (
                    "upgrade_*",
                    "template_*",
                    "daos_disk_volume",
                    "server_based_*",
                    "largest_*",
                    "processor_range",
                )
            ),
        ),
        "they restate the two numbers of their row; the audit recomputes them (E-D09-01, "
        "E-D09-02).",
    ),
    NotModelled(
        "what a release changes in the demands of a transaction",
        tuple(
            f"domino85/table_{table}:{metric}:{column}"
            for table, column in (("4", "baseline"), ("4", "variant"), ("5", "variant"))
            for metric in ("transactions", "processor", "disk_*")
        ),
        "how much work a release does for a transaction is a property of its program; the demands "
        "of these runs are inputs. A profile of both releases would tell.",
    ),
    NotModelled(
        "sizes of the databases",
        ("domino85/claims:*compressed_database:value",),
        "how well documents compress is not in any queueing or device model.",
    ),
)
