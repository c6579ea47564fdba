"""An option whose network an iteration does not solve is set aside; the review goes on."""

from advisor.planning import trial
from advisor.report.answers import schema_text
from qmodel import ClosedClass, Network, QueueingStation, solve
from qmodel.model.solution import NotConverged
from tests.advisor.configurations import quiet
from tests.advisor.planning.test_ranking import FEW, MANY, reviewed

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
