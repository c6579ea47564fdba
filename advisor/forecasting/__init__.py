"""When growing numbers of users miss a target, and what an upgrade brings."""
