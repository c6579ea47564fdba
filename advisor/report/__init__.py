"""What people and programs see of a review: one form a file."""
