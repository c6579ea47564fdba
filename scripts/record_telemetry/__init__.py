"""The telemetry files of the tests, recorded from the tools that write them."""
