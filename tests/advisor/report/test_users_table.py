"""The table of users and what they meet."""

from rich.console import Console

from advisor.report import users_table
from calibration.estimation.interval import Range


def test_percentiles_for_which_there_is_no_room_go_on_below(capsys):
    times = tuple((f"p{p} of checkout{n}", Range(0.1, 0.2, 0.3)) for p in (50, 95) for n in "abcd")
    one = Range(0.1, 0.2, 0.3)
    row = users_table.Row("400", one, {"cpu": one}, tails=times)
    users_table.show_rows(Console(width=80), [row], None)
    told = capsys.readouterr().out
    assert told.count("users") > 1
    assert max(map(len, told.splitlines())) <= 80
    assert {f"checkout{n}" for n in "abcd"} <= set(told.split())
