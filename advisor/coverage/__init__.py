"""Coverage: what the five papers recommend, and what the advisor makes of each of it.

Every recommendation is a row of a file ``<topic>.toml`` beside this module, in the form that
``README.md`` there explains. `python -m scripts.paper_coverage` asks the advisor again and writes
``outcomes.json`` and ``TABLE.md``.
"""

from advisor.coverage.outcome import Outcome, load_outcomes
from advisor.coverage.recommendation import Recommendation, load_recommendations

__all__ = ["Outcome", "Recommendation", "load_outcomes", "load_recommendations"]
