"""MEM003: a server that works on so many at a time only."""

from tests.advisor.cases import ask, reviewed
from tests.advisor.configurations import quiet


def limited(places: int, users: int = 20, **user):
    user = {"cpu": "0.2 s", "disk_kb": 1000, "write_share": 0, **user}
    return quiet(server={"most_active": places}, workload={"users": users}, user=user)


def test_a_full_server_gets_room():
    (found,) = ask("MEM003", limited(2))
    assert found.key == ("server", "most_active")
    (option,) = found.options
    assert option.change.settings == ((("server", "most_active"), 4),)


def test_room_shortens_the_time_where_drives_idle_meanwhile():
    found = reviewed("MEM003", limited(2))
    (advice,) = (a for a in found.advice if a.rule == "MEM003")
    assert advice.effect[0].change.mid < -0.05


def test_where_the_limit_is_not_reached_there_is_nothing_to_say():
    assert ask("MEM003", limited(50)) == []


def test_the_level_says_how_full_it_is():
    """13 users fill 82 % of two places, 18 of them 97 %."""
    levels = {}
    for users in (13, 17, 18):
        for found in ask("MEM003", limited(2, users)):
            taken = found.evidence[0].value
            assert found.level == ("error" if taken >= 95.0 else "warning")
            levels[found.level] = taken
            assert found.options[0].change.title == "make room for 4 at a time"
    assert set(levels) == {"warning", "error"}
