"""What no single key of a configuration can show to be wrong."""
