"""A live server measured, calibrated at low load and predicted at four times that load."""
