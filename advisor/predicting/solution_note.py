"""What the user should know of how a review was solved, where it is not as one would expect."""

from advisor.configuration.configuration import Configuration
from advisor.predicting.outlook import Outlook
from calibration.model_evaluation.effort import LATTICE

_APPROXIMATE = "linearizer"


def solution_note(configuration: Configuration, outlook: Outlook) -> str:
    """One line where so many users are beyond exact solution; empty otherwise."""
    users = configuration.settings.workload.users
    if users <= LATTICE or _APPROXIMATE not in outlook.method:
        return ""
    said = (
        f"{users} is beyond exact solution in a review; using the approximate method "
        f"{_APPROXIMATE} (note)"
    )
    return str(configuration.document.error(("workload", "users"), said))
