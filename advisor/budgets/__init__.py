"""Error budgets: how many requests may be late, when and where they are, and what is left."""
