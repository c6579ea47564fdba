"""What a user writes: its schema, what it may not say, and what another value would change."""
