"""How long a visit takes by formula, where classes wait for each other; and who never gets in."""
