"""What rules are made of: the case they see, and what several of them ask it."""
