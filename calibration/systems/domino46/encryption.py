"""Port encryption: more processor time per interaction, one share at all loads; see THEORY.md."""

from calibration.agreements.published import published
from calibration.agreements.system import Model, Parameter
from calibration.estimation.interval import Range

CLAIM = ("domino46/encryption_claims", "cpu_rise_relative", "value")


def surcharge() -> Range:
    """Processor time for encryption as a share of the other. [1]"""
    rise = published(*CLAIM)
    return Range(rise.low / 100.0, rise.value / 100.0, rise.high / 100.0)


def models() -> tuple[Model, ...]:
    """The surcharge: one parameter, to the two ends of the printed range."""
    found = surcharge()
    return (
        Model(
            "port encryption",
            "every interaction takes a share more of processor; the middle of the printed range",
            (Parameter("surcharge", found.mid, "1", (found.high - found.low) / 2.0),),
            (":".join(CLAIM),), degrees_of_freedom=1,
        ),
    )  # fmt: skip
