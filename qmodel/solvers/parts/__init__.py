"""What the algorithms are built of, a room for each kind of them. None solves a network."""
