"""The records of a review, their words, and what identifies them from one to the next."""
