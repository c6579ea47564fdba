"""A server as a queueing network: hardware and tasks in, stations and demands out."""
