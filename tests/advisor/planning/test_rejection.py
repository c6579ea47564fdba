"""Why an option is not recommended, at the edges of each reason, and without any answer."""

from types import SimpleNamespace

import pytest

from advisor.configuration.changes import Change
from advisor.findings.records import Effect, Option
from advisor.planning import trial
from advisor.planning.effects import NOTICEABLE  # noqa: F401, named in the table
from advisor.planning.rejection import WORSE, waits_longer, why_rejected, without_answer  # noqa: F401, named in the table
from advisor.report.answers import schema_text
from calibration.estimation.interval import Range
from qmodel import ClosedClass, Network, QueueingStation, solve
from qmodel.errors import FileError, Unstable  # noqa: F401, named in the table
from qmodel.model.solution import NotConverged
from tests.advisor.configurations import quiet
from tests.advisor.planning.test_ranking import FEW, MANY, reviewed
from tests.tables import asked, rows

#: A solution that is not one yet.
ITERATE = SimpleNamespace(method="linearizer", residual=0.1, iterations=9)


def option(**more):
    return Option(Change("something", ((("server", "cpus"), 2),)), ("a test",), "part", **more)


def sure(value):
    return Range(value, value, value)


def time(change, name="edit", weight=1.0):
    """A response time of 2 s that changes by this much of itself."""
    after = sure(2.0 * (1.0 + change))
    metric = f"response time of {name}"
    return Effect(metric, "s", sure(2.0), after, sure(change), weight=weight)


def busy(step, before=0.5, name="cpu"):
    """A utilization that changes by this step."""
    after = sure(before + step)
    return Effect(f"utilization of {name}", "1", sure(before), after, sure(step / before))


@pytest.mark.parametrize(("found", "reason"), rows(__file__, "worse_too_small_or_neither"))
def test_worse_too_small_or_neither(found, reason):
    rejected = why_rejected(option(), asked(found, globals()))
    assert (rejected.reason if rejected else None) == asked(reason, globals())


def test_the_words_name_the_class_that_waits_longest():
    found = [time(0.02), time(0.3, "search"), busy(0.2)]
    assert why_rejected(option(), found).why == "response time of search would grow by 30 %"
    assert waits_longer(found) is found[1]
    assert waits_longer([time(0.01), busy(0.2)]) is None


def test_the_words_tell_what_little_changes():
    found = [
        time(-0.008, weight=3.0), time(0.004, "search"), busy(-0.002), busy(-0.004, 0.7, "disk"),
    ]  # fmt: skip
    assert why_rejected(option(), found).why == (
        "makes no difference that could be measured (response times -0.5 %, "
        "utilization of disk -0.4 points)"
    )


def test_outside_its_range_comes_before_everything():
    far = option(outside="beyond 20 users", benefit="a failed drive is survived")
    rejected = why_rejected(far, [time(-0.5), busy(-0.2)])
    assert (rejected.reason, rejected.why) == ("outside range", "beyond 20 users")


def test_what_is_for_something_else_than_speed_is_not_rejected_for_it():
    assert (
        why_rejected(option(benefit="a failed drive is survived"), [time(0.5), busy(0.1)]) is None
    )


@pytest.mark.parametrize(("error", "reason", "why"), rows(__file__, "a_server_without_an_answer"))
def test_a_server_without_an_answer(error, reason, why):
    rejected = without_answer(asked(error, globals()))
    assert rejected.reason == reason
    assert rejected.why.startswith(why)


SMALL = Network([QueueingStation("cpu")], [ClosedClass("users", 3, 1.0)], [[0.1]])


def test_an_option_without_an_answer_is_rejected_alone(monkeypatch):
    configuration = quiet(workload={"users": 15}, user={"cpu": "1 s"})
    predict = trial.predict

    def unsolved(changed):
        if changed.settings.server.cpus == 16:
            raise NotConverged(solve(SMALL, method="linearizer"), 1e-9)
        return predict(changed)

    monkeypatch.setattr(trial, "predict", unsolved)
    review = reviewed(configuration, FEW, MANY)
    assert [a.option for a in review.advice] == [FEW]
    (rejected,) = review.rejected
    assert rejected.option == MANY
    assert rejected.reason == "no answer"
    assert "residual" in rejected.rejected
    assert '"no answer"' in schema_text()
