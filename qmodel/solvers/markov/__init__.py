"""Continuous-time Markov chains of single stations and of limited regions.

`state_space` explores states and transitions for all of them; a station says what its states are
(`station_states`, `ordered_station_states`); one more kind of station is added there.
"""
