"""The advisor: a server's configuration in, calibrated advice out."""

from qmodel.on_demand import on_demand

__all__ = [
    "change_of", "fitted_growth", "growth", "load_config", "predict", "predict_users", "review",
    "schedule", "size", "stated_growth", "whatif",
]  # fmt: skip

__getattr__, __dir__ = on_demand(
    "advisor",
    {
        "configuration.changed_keys": "change_of", "engine": "review",
        "forecasting.forecast": "growth", "forecasting.user_growth": "fitted_growth stated_growth",
        "loading": "load_config", "planning.alternatives": "whatif",
        "predicting.load_curve": "predict_users", "predicting.prediction": "predict",
        "scheduling.schedule": "schedule", "sizing.search": "size",
    },
)  # fmt: skip
