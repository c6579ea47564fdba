"""Whether a calibration still says what was measured: each of its runs predicted again."""

from dataclasses import dataclass

from calibration.estimation.data import Datum
from calibration.fitting.fitted_model import Calibration
from calibration.predicting.worlds import worlds_of

#: Differences above so many standard errors are reported: one of seven thousand by chance.
FAR = 3.8


@dataclass(frozen=True, slots=True)
class Miss:
    """A measured number that the calibration does not reproduce."""

    #: Of the table.
    run: str
    #: What was measured.
    number: Datum
    #: What the models say, by their weights.
    predicted: float
    #: The difference in standard errors of one run.
    errors: float


def not_reproduced(calibration: Calibration) -> tuple[Miss, ...]:
    """The numbers further than chance from what the models say, the furthest first.

    Of each model it is the prediction itself that counts, not its uncertainty: the runs are those
    that it was fitted to.
    """
    from calibration.model_evaluation.answers import answers

    data = calibration.data
    centres = [world for world in worlds_of(calibration) if world.axis == 0]
    said = [answers(world.service, data.runs) for world in centres]
    found = []
    for number in data.numbers:
        position = data.place_of(number)
        total = middle = 0.0
        for world, by_run in zip(centres, said, strict=True):
            answer = by_run[number.run]
            if answer is not None:
                middle += world.weight * answer.of(number.quantity, position)
                total += world.weight
        measured = number.measurement
        deviation = measured.standard_deviation * max(1.0, calibration.widening)
        predicted = middle / total if total else 0.0
        errors = abs(measured.value - predicted) / deviation
        if errors > FAR:
            found.append(Miss(data.runs[number.run].name, number, predicted, errors))
    return tuple(sorted(found, key=lambda each: -each.errors))
