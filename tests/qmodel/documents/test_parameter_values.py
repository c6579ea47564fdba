"""Values as people write them."""

import pytest

from qmodel.documents.parameter_values import parse_vary
from qmodel.errors import InvalidInput
from tests.tables import rows


@pytest.mark.parametrize(("text", "values"), rows(__file__, "values"))
def test_values(text, values):
    (found,) = parse_vary([text]).values()
    assert list(found) == values


@pytest.mark.parametrize(("text", "said"), rows(__file__, "a_mistake_is_one_line"))
def test_a_mistake_is_one_line(text, said):
    with pytest.raises(InvalidInput) as caught:
        parse_vary([text])
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_parameter_twice():
    with pytest.raises(InvalidInput, match="--vary users is given twice"):
        parse_vary(["users=1", "users=2"])
