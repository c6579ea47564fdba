"""The live systems, one a file: `SYSTEM` is a `scripts.live.system.LiveSystem`."""
