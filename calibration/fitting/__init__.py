"""From measured runs to fitted models, and to what the runs do not say."""
