"""Many networks at once: curves, sweeps, derivatives, closed forms, bottlenecks."""
