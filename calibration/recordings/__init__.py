"""A user's own measurements: a table of runs, or what sysstat recorded."""
