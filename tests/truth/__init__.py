"""The truth the solvers are held to: simple, slow, and sharing no code with them."""
