"""Where each rule speaks that says nothing in the reviews many tests look at."""

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp

from advisor.configuration.configuration import Configuration
from advisor.loading import load_config
from tests.advisor.configurations import EXAMPLES, batch, example, measured, quiet

NETBENCH = EXAMPLES / "groupwise52_netbench.toml"
DOMINO_46 = EXAMPLES / "domino46_mail_discussion.toml"
DRIVES = EXAMPLES / "domino5_raid.toml"
MAIL_85 = EXAMPLES / "domino85_cluster_mail.toml"


def ten_drives(users: int = 2600, **disk) -> Configuration:
    """The mail server of the paper of 2000 with ten drives."""
    return example(DRIVES, disk={"drives": 10, **disk}, workload={"users": users})


def searching(users: int = 1, **disk) -> Configuration:
    """Searching without an index, as in Tables 4-1, 4-5 and 4-8 of the TechNote."""
    return measured(
        disk={"raid": "raid0", **disk}, workload={"users": users}, user={"name": "search"}
    )


def mail_85(users: int = 30, classes=None, **tables) -> Configuration:
    """The mail server of 2009 with few users; its classes by task if given."""
    workload = {"users": users}
    if classes is not None:
        workload["class"] = [
            {"name": f"users of {task}", "task": task, "share": share}
            for task, share in classes.items()
        ]
    return example(MAIL_85, workload=workload, **tables)


def settings(configure, **given) -> Configuration:
    """A configuration with some settings of the server."""
    return configure(software={"settings": given})


def edited_by_hand() -> Configuration:
    """A calibration of which one measured number was changed afterwards."""
    folder = Path(mkdtemp(prefix="qmodel-"))
    text = (EXAMPLES / "calibrated" / "load_test.json").read_text(encoding="utf-8")
    data = json.loads(text)
    data["numbers"][0]["value"] *= 3.0
    (folder / "edited.json").write_text(json.dumps(data), encoding="utf-8")
    path = folder / "server.json"
    workload = {"calibration": "edited.json", "users": 20, "class": [{"name": "users"}]}
    path.write_text(json.dumps({"workload": workload}), encoding="utf-8")
    return load_config(path)


#: By code, a configuration that the rule has something to say of.
SPEAKING: dict[str, Callable[[], Configuration]] = {
    "CPU002": lambda: quiet(server={"cpus": 3}, workload={"users": 30}, user={"cpu": "1 s"}),
    "CTL001": lambda: searching(controller="SMART"),
    "CTL002": lambda: example(NETBENCH),
    "CTL003": lambda: quiet(disk={"channel_rate": "0.1 MB/s"}, user={"disk_kb": 300}),
    "DSK002": ten_drives,
    "DSK003": lambda: ten_drives(raid="raid1", arrays=5, spread=0.29),
    "MEM002": lambda: example(NETBENCH, server={"memory": "64 MB"}),
    "MEM003": lambda: quiet(server={"most_active": 1}, user={"cpu": "3 s"}),
    "MEM004": lambda: example(DOMINO_46),
    "RAID002": lambda: quiet(user={"disk_kb": 1000}, workload={"users": 20}),
    "STR002": lambda: quiet(disk={"block": "64 KB"}),
    "INP001": lambda: measured(workload={"users": 21}),
    "INP002": lambda: quiet(batch=[batch()]),
    "INP003": lambda: quiet(workload={"think_time": None}),
    "INP004": lambda: example(DRIVES, disk={"raid": "raid5"}),
    "INP005": mail_85,
    "INP006": edited_by_hand,
    "SCH002": lambda: quiet(batch=[batch(cpu="20 s", pause="60 s")]),
    "SCH003": searching,
    "SET001": lambda: settings(measured, minimum_file_cache_buffers=20),
    "SET002": lambda: settings(measured, minimum_packet_receive_buffers=100),
    "SET003": lambda: measured(software={"operating_system": "NetWare 3.11"}),
    "SET004": lambda: measured(software={"patches": []}),
    "SET005": lambda: example(DOMINO_46, software={"buffer_pool": "256 MB"}),
    "SET006": lambda: example(NETBENCH, software={"settings": {"read_ahead_cache": "changed"}}),
    "SET007": lambda: mail_85(software={"transaction_log": "off"}),
    "SOFT001": lambda: mail_85(classes={"mail_release_80": 1.0}),
    "SOFT002": lambda: mail_85(classes={"mail_release_85_old_databases": 1.0}),
    "SOFT003": lambda: mail_85(software={"attachments_once": False}),
    "SOFT004": lambda: mail_85(software={"document_compression": False}),
    "SOFT005": lambda: mail_85(3000),
    "SOFT006": lambda: quiet(
        server={"encryption": 0.1}, user={"cpu": "0.1 s"}, workload={"users": 85}
    ),
    "SYS001": lambda: quiet(monitored={"system": 0.4}),
    "SYS002": lambda: quiet(monitored={"run_queue": 12}),
    "SYS003": lambda: quiet(monitored={"memory_pressure": 0.12}),
    "SYS004": lambda: quiet(monitored={"swapped": "400 /s"}),
    "SYS005": lambda: quiet(monitored={"working_set": "63 MB"}),
    "SYS006": lambda: quiet(monitored={"io_pressure": 0.35}),
    "VIRT001": lambda: quiet(monitored={"steal": 0.12}),
    "VIRT002": lambda: quiet(
        server={"baseline": 0.2, "credits": "576 min"}, workload={"users": 45}
    ),
    "VIRT003": lambda: quiet(server={"cpu_quota": 0.5}, monitored={"throttled": 0.22}),
    "VIRT004": lambda: quiet(
        server={
            "processor": "AMD EPYC 9454P",
            "reference_processor": "AMD EPYC 9454P",
            "cores": 96,
            "cpu_speed": None,
        }
    ),
    "APP001": lambda: quiet(monitored={"collecting": 0.14}),
    "APP002": lambda: quiet(monitored={"busiest_core": 0.92}),
    "APP003": lambda: quiet(monitored={"handshakes": "4000 /s"}),
    "DSK004": lambda: quiet(disk={"drive": "NVMe SSD"}, monitored={"disk_busy": 0.98}),
    "DSK005": lambda: quiet(
        disk={"drive": "AWS gp3 baseline", "raid": "raid0", "drives": 1},
        monitored={"disk_operations": "2900 /s"},
    ),
    "LAN002": lambda: quiet(monitored={"packets": "12000 /s"}),
    "REP001": lambda: quiet(
        server={"replicas": 3}, workload={"users": 210}, targets={"utilization": 0.8}
    ),
    "TGT002": lambda: quiet(
        workload={"users": 95}, targets={"utilization": 0.5, "response_time": "2 s"}
    ),
    "TEST001": lambda: quiet(workload={"arrival_rate": "5 /s"}, load_test={"clients": 2}),
    "TEST002": lambda: quiet(workload={"users": 50}, load_test={"duration": "10 min"}),
    "TEST003": lambda: quiet(
        workload={"arrival_rate": "5 /s"}, load_test={}, targets={"response_time": {"p99": "1 s"}}
    ),
}
