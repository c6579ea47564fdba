"""Queues whose arrivals and services have phases: their waits, and how customers leave."""
