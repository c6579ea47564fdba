"""Queues of marked Markovian or rational arrival processes and phase-type services.

`THEORY.md` beside this file has the definitions, the equations and what is exact. In the order of
reading: `marked_arrival_process`, `server_phases`, `age_process`, `first_passage_matrix`,
`stationary_distribution`, `waiting_time_moments`, `age_resolvent`, `model_reduction`.
"""
