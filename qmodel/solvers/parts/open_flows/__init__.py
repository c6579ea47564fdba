"""Open classes: what they load, their flows between stations, and what they leave to others."""
