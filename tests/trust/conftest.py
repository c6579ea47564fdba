"""The command inside this process, as the tests of the command run it."""

import pytest

from tests.cli.conftest import run

__all__ = ["run"]


@pytest.fixture
def nothing_remembered():
    """Of what earlier tests were told: networks are solved anew."""
    from advisor.machines import outlook
    from advisor.predicting import prediction, solving

    for remembered in (prediction._predict, solving.solve_network, outlook._solved):
        remembered.cache_clear()
