"""Files that people write: strict TOML and JSON with the line of every key, units, writing."""
