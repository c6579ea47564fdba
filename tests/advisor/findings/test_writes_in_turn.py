"""What is said of writes that the model has wait for one operation after the other."""

import pytest

import advisor
from advisor import load_config
from advisor.findings.writes_in_turn import writes_in_turn
from tests.tables import text_of

SERVER = text_of(__file__, "server")


@pytest.mark.parametrize(("level", "cached", "writes", "part"), [
    ("raid0", "false", 100, None), ("raid5", "false", 0, None),  # nothing to do in parallel
    ("raid10", "false", 100, 1 / 2), ("raid5", "false", 100, 2 / 4),
    ("raid6", "false", 100, 2 / 6), ("raid5", "true", 60, 0.4 / (0.4 + 0.6 * 4)),
    ("raid5", 'true, full_stripes = "100 %"', 60, 0.4 / (0.4 + 0.6 * 6 / 5)),
])  # fmt: skip
def test_a_user_alone_waits_for_the_steps_of_a_write(tmp_path, level, cached, writes, part):
    path = tmp_path / "server.toml"
    path.write_text(SERVER.format(level=level, cached=cached, writes=writes))
    configuration = load_config(path)
    said = writes_in_turn(configuration)
    if part is None:
        assert said == ""
        return
    (time,) = (c.response_time.mid for c in advisor.predict(configuration).outlook.classes)
    least = float(said.rsplit(" ", 2)[1]) / 1e3
    assert said.startswith("an array" if cached == "false" else "a cache")
    assert least == pytest.approx(part * time, rel=0.01)


def test_at_saturation_nothing_is_sooner(tmp_path):
    path = tmp_path / "server.toml"
    text = SERVER.format(level="raid10", cached="true", writes=60)
    path.write_text(text.replace("users = 1", "users = 4000"))
    assert writes_in_turn(load_config(path)) == ""
