"""What an option would do, which are worth it, in which order, and what a mistake costs."""
