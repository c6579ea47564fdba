"""Fork-join stations as chains, from equal times to what has far too many states."""
