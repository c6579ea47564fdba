"""Port encryption as more processor time for every interaction, the same share at every load.

The article prints one range, 5 to 10 %, for 500, 800 and 1,000 users and no utilization. The
surcharge is its middle; what the network adds is that a surcharge on the processor demand comes
out as the same relative rise of utilization at all three loads, as long as the processors are
below 60 %: users who think most of the time hardly come less often when the server is slower.
"""

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
            (":".join(CLAIM),),
            degrees_of_freedom=1,
        ),
    )
