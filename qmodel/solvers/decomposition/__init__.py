"""Open networks station by station: traffic equations, flows between stations."""
