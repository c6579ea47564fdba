"""Queues of phase-type services and Markovian or rational arrival processes.

`mmap_ph_queue` solves one station: waiting times by class and the departure process. The queue is
an `age_process`, its stationary distribution and first passages stand beside it; `model_reduction`
keeps departures, superpositions and delays at a bounded order. Definitions, equations, what is
exact and what is not, with sources: THEORY.md. `solvers.decomposition` takes networks apart into
such stations.
"""
