"""What the model says about a configuration: its load, its times, and how sure they are."""
