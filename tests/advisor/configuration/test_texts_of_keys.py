"""What texts of a configuration, and of the command line, mean."""

import pytest

from advisor.cli.loads import rates, user_counts
from advisor.configuration.asked_server import AskedServer, asked_text
from advisor.configuration.changed_keys import named_settings, parse_settings
from advisor.configuration.changes import Change
from advisor.configuration.consistency import users_for_one
from advisor.configuration.hours import UserProfile, Window, clock, duration
from advisor.configuration.key_texts import texts_of
from advisor.configuration.promises import Promise, service_level, tail_name
from advisor.configuration.tiers import Tier
from advisor.machines.settings import _values
from calibration.hardware.hardware import Tier as TierHardware

NIGHT = Window.parse("22:00", "06:00")
PROFILE = UserProfile.parse({"08:00": "100 %", "18:00": 0.1})


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (user_counts("20, 40,100:300:100"), (20, 40, 100, 200, 300)),
        (rates("2.5,100:300:100"), (2.5, 100.0, 200.0, 300.0)),
        (_values("2:8:2", "--vary a"), [2, 4, 6, 8]),
        (
            parse_settings(["disk.raid=raid10, disk.drives=8"]),
            ("disk.raid=raid10", "disk.drives=8"),
        ),
        (
            parse_settings(['a.b={p95 = "2 s", p99 = 4}, title="x, y=1", c=Bob\'s, d=it\'s']),
            ('a.b={p95 = "2 s", p99 = 4}', 'title="x, y=1"', "c=Bob's", "d=it's"),
        ),
        (named_settings("mirrored: disk.raid=raid10"), ("mirrored", ("disk.raid=raid10",))),
        (
            Change.of("make it RAID 5", "disk.raid", "raid5").diff({"disk": {"raid": "raid0"}}),
            (("disk.raid", "raid0", "raid5"),),
        ),
        (users_for_one([0.999, 0.0005, 0.0005], 1), 1000),
        (users_for_one([0.5, 0.5], 0), 1),
        ((NIGHT.length, 23 * 60 in NIGHT, 12 * 60 in NIGHT), (480, True, False)),
        (Window.parse("08:00", "18:00").overlaps(NIGHT), False),
        (clock(22 * 60 + 5), "22:05"),
        ([PROFILE.most(at, 15) for at in (7 * 60 + 45, 7 * 60 + 50, 0)], [0.1, 1.0, 0.1]),
        ([duration(minutes) for minutes in (45, 120, 150)], ["45 min", "2 h", "2 h 30 min"]),
        ({key.split(".")[0] for key in texts_of("load_test")}, {"load_test"}),
        (Promise.read({"mean": "1 s", "p95": "2 s"}), Promise(1.0, ((0.95, 2.0),))),
        (Promise(1.0, ((0.95, 2.0),)).text, "response time 1 s, p95 2 s"),
        (service_level("99 % under 250 ms").tails, ((0.99, 0.25),)),
        ((tail_name(0.95), tail_name(0.999)), ("p95", "p99.9")),
        (Tier(name="web-cpu", cores=16).hardware, TierHardware("web-cpu", 16, 1.0)),
    ],
)
def test_a_text_means(said, expected):
    assert said == expected


def test_demands_of_a_server_that_was_asked_for():
    server = AskedServer("shop", 8, 0.5, 0.11, 0.25, users=210, think_time=2.0)
    lines = asked_text(server).splitlines()
    assert 'cpu = "40.19 ms"' in lines
    assert 'delay = "69.27 ms"' in lines
