"""Queues of phase-type services and Markovian or rational arrival processes; see THEORY.md."""
