"""What texts of a configuration, and of the command line, mean."""

import pytest

from advisor.cli.loads import rates, user_counts  # noqa: F401, named in the table
from advisor.configuration.asked_server import AskedServer, asked_text
from advisor.configuration.changed_keys import named_settings, parse_settings  # noqa: F401, named in the table
from advisor.configuration.changes import Change  # noqa: F401, named in the table
from advisor.configuration.consistency import users_for_one  # noqa: F401, named in the table
from advisor.configuration.hours import UserProfile, Window, clock, duration  # noqa: F401, named in the table
from advisor.configuration.key_texts import texts_of  # noqa: F401, named in the table
from advisor.configuration.promises import Promise, service_level, tail_name  # noqa: F401, named in the table
from advisor.configuration.tiers import Tier  # noqa: F401, named in the table
from advisor.machines.settings import _values  # noqa: F401, named in the table
from calibration.hardware.hardware import Tier as TierHardware  # noqa: F401, named in the table
from tests.tables import asked, rows

NIGHT = Window.parse("22:00", "06:00")
PROFILE = UserProfile.parse({"08:00": "100 %", "18:00": 0.1})


@pytest.mark.parametrize(("said", "expected"), rows(__file__, "a_text_means"))
def test_a_text_means(said, expected):
    assert asked(said, globals()) == asked(expected, globals())


def test_demands_of_a_server_that_was_asked_for():
    server = AskedServer("shop", 8, 0.5, 0.11, 0.25, users=210, think_time=2.0)
    lines = asked_text(server).splitlines()
    assert 'cpu = "40.19 ms"' in lines
    assert 'delay = "69.27 ms"' in lines
