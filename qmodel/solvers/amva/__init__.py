"""Approximate mean value analysis: Bard-Schweitzer, Linearizer, AQL and their extensions.

All solve the equations of `closed_model`, for many populations at once, by `fixed_point`. Stations
of several servers follow a law, a file each in `multiserver/`. `extended_amva` takes what breaks
product form, by `residence_rules`: a new kind of station is a rule there.
"""
