"""Queues whose arrivals are told apart by class, and what leaves them, in few phases."""
