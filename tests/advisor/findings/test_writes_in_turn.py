"""What is said of writes that the model has wait for one operation after the other."""

import pytest

import advisor
from advisor import load_config
from advisor.findings.writes_in_turn import writes_in_turn
from tests.tables import asked, rows, text_of

SERVER = text_of(__file__, "server")


@pytest.mark.parametrize(("level", "cached", "writes", "part"), rows(__file__, "steps"))
def test_a_user_alone_waits_for_the_steps_of_a_write(tmp_path, level, cached, writes, part):
    part = asked(part, globals())
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
