"""Models of a service as a calibration sees it, and the recursions that answer for them."""
