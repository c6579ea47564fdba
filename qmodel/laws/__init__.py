"""Laws that hold whatever the distributions, and Erlang's formulas."""

from qmodel.laws.operational import customers, demand, forced_flow, response_time, utilization

__all__ = ["customers", "demand", "forced_flow", "response_time", "utilization"]
