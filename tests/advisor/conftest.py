"""Reviews that many tests look at, made once."""

import pytest

import advisor
from tests.advisor.configurations import AS_TESTED, OVERLOADED, RECOMMENDED, batch, measured
from tests.advisor.reports import review_of


@pytest.fixture(scope="session")
def as_tested():
    return review_of(AS_TESTED)


@pytest.fixture(scope="session")
def overloaded():
    return review_of(OVERLOADED)


@pytest.fixture(scope="session")
def recommended():
    return review_of(RECOMMENDED)


@pytest.fixture(scope="session")
def by_drives():
    """Small blocks: the drives are the bottleneck."""
    return advisor.review(
        measured(
            disk={"stripe": "1 KB"},
            server={"memory": "32 MB"},
            workload={"users": 40},
            batch=[batch("mail", task="mail")],
            targets={"response_time": "1000 s", "utilization": "50 %"},
        )
    )


@pytest.fixture(scope="session")
def by_lan():
    """A slow LAN is the bottleneck."""
    return advisor.review(
        measured(
            lan={"rate": "1 Mb/s"}, disk={"raid": "raid0", "drives": 2}, workload={"users": 12}
        )
    )


@pytest.fixture(scope="session")
def reviews(as_tested, overloaded, recommended, by_drives, by_lan):
    """Reviews in which every rule speaks somewhere."""
    return (as_tested, overloaded, recommended, by_drives, by_lan)
