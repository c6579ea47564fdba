"""The Python API in one page: solve, look, compare, bound."""

import qmodel as qm

network = qm.Network(
    stations=[qm.QueueingStation("cpu", servers=2), qm.QueueingStation("disk")],
    classes=[qm.ClosedClass("users", population=20, think_time=5.0)],
    demand=[[0.40, 0.25]],
)
solution = qm.solve(network)
print(solution)

print()
print("users  throughput  response time")
for users in (1, 10, 20, 30, 40):
    at = qm.solve(network.with_population(users))["users"]
    print(f"{users:5d}  {at.throughput:8.4f} /s  {at.response_time:11.4f} s")
