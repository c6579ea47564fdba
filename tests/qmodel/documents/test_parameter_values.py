"""Values as people write them."""

import pytest

from qmodel.documents.parameter_values import parse_vary
from qmodel.errors import InvalidInput


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("users=1:5", [1, 2, 3, 4, 5]), ("users=10:40:10", [10, 20, 30, 40]),
        ("users=10:45:10", [10, 20, 30, 40]), ("users=40:10:-10", [40, 30, 20, 10]),
        ("users=7", [7]), ("users=7,3,3", [7, 3, 3]), ("servers.cpu=1:4", [1, 2, 3, 4]),
        ("demand.cpu=0.1s:0.3s:0.05s", [0.1, 0.15, 0.2, 0.25, 0.3]),
        ("demand.cpu=100 ms : 300 ms : 100 ms", [0.1, 0.2, 0.3]), ("think_time=1 min", [60.0]),
        ("think_time=3s:1s:-1s", [3.0, 2.0, 1.0]), ("arrival_rate.mail=30/min,1/s", [0.5, 1.0]),
        ("arrival_rate=0.1/s:0.3/s:0.1/s", [0.1, 0.2, 0.3]),
    ],
)  # fmt: skip
def test_values(text, values):
    (found,) = parse_vary([text]).values()
    assert list(found) == values


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("users", "--vary users: expected NAME=VALUES, as in users=1:200"),
        ("=1:2", "expected NAME=VALUES"),
        ("users=", "expected NAME=VALUES"),
        ("luck=1:2", 'no parameter "luck"; there is users, population'),
        ("users=a", '--vary users: expected a whole number, got "a"'),
        ("users=1.5", "expected a whole number"),
        ("users=1:2:3:4", "expected first:last:step as in 1:200 or 1:200:10"),
        ("users=5:1", "no step of 1 leads from 5 to 1"),
        ("users=1:5:0", "no step of 0 leads from 1 to 5"),
        ("users=1:100000000", "100000000 values, at most 1e+07"),
        ("demand.cpu=0.1", 'unit missing; write e.g. "0.1 s"'),
        ("demand.cpu=0.1s:0.2s", "expected first:last:step as in 0.1s:0.3s:0.05s"),
        ("demand.cpu=0.1s:0.2s:1e-12s", "values, at most 1e+07"),
        ("demand.cpu=0.1 MB", "expected a time"),
        ("demand.cpu=fast", "expected a time"),
    ],
)
def test_a_mistake_is_one_line(text, said):
    with pytest.raises(InvalidInput) as caught:
        parse_vary([text])
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_parameter_twice():
    with pytest.raises(InvalidInput, match="--vary users is given twice"):
        parse_vary(["users=1", "users=2"])
