"""The advisor: a server's configuration in, calibrated advice out."""

from typing import Any

__all__ = [
    "change_of",
    "fitted_growth",
    "growth",
    "load_config",
    "predict",
    "predict_users",
    "review",
    "schedule",
    "size",
    "stated_growth",
    "whatif",
]

_HOMES = {
    "change_of": "advisor.configuration.changed_keys",
    "fitted_growth": "advisor.forecasting.user_growth",
    "growth": "advisor.forecasting.forecast",
    "load_config": "advisor.loading",
    "predict": "advisor.predicting.prediction",
    "predict_users": "advisor.predicting.load_curve",
    "review": "advisor.engine",
    "schedule": "advisor.scheduling.schedule",
    "size": "advisor.sizing.search",
    "stated_growth": "advisor.forecasting.user_growth",
    "whatif": "advisor.planning.alternatives",
}


def __getattr__(name: str) -> Any:
    # On demand: the command should start before pydantic and scipy are needed.
    if name in _HOMES:
        import importlib

        globals()[name] = value = getattr(importlib.import_module(_HOMES[name]), name)
        return value
    raise AttributeError(f"module 'advisor' has no attribute {name!r}")


def __dir__() -> list[str]:
    """The public names, for tab completion."""
    return sorted(__all__)
