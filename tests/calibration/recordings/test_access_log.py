"""Durations in access logs: what a name or a unit says, what is guessed, and what is refused."""

import pytest

from calibration.recordings.loading import load_recording
from qmodel.errors import FileError
from tests.tables import rows

LOG = '::1 - - [23/Nov/2026:10:00:%02d +0000] "GET /a HTTP/1.1" 200 64'
IIS = "#Software: Microsoft Internet Information Services 10.0\n#Fields: date time cs-uri-stem "
IIS += "sc-status time-taken\n2026-11-23 10:00:%02d /a 200"


@pytest.mark.parametrize(("line", "said"), rows(__file__, "lines"))
def test_times_have_the_unit_that_stands_there_or_are_refused(tmp_path, line, said):
    times = (
        (at, {"ms": 20 + at, "us": 20000 + 1000 * at, "s": f"0.0{20 + at}"}) for at in range(60)
    )
    texts = (
        line % (took | {"log": LOG % at, "iis": IIS % at, "ts": 1e9 + at}) for at, took in times
    )
    (tmp_path / "a.log").write_text("\n".join(texts))
    if said.startswith("!"):
        with pytest.raises(FileError, match=said[1:]):
            load_recording(tmp_path / "a.log")
        return
    found = load_recording(tmp_path / "a.log")
    took = [each.mean(0.0, 2e9) for each in found.series if each.quantity == "response_time"]
    assert took == ([pytest.approx(0.0495)] if said else [])
    assert said in str(found.mapping)
