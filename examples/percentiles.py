"""The response time that 95 of 100 users stay within, and what the number assumes."""

import qmodel as qm

network = qm.Network(
    stations=[
        qm.QueueingStation("web", servers=4, discipline="fcfs"),
        qm.QueueingStation("database", discipline="fcfs"),
    ],
    classes=[qm.ClosedClass("users", population=120, think_time=10.0)],
    demand=[[0.18, 0.07]],
)
found = qm.percentiles(qm.solve(network), (0.5, 0.9, 0.95, 0.99))
print(found)
print(f"\n95 of 100 users are served within {found['users'][0.95]:.2f} s; exact: {found.exact[0]}")

station = qm.single_station.GGm(arrival_rate=3.6, service_time=1.0, servers=4, scv=2.0)
print(f"\nM/G/4 by Whitt: waits {station.waiting_time:.3f} s in the mean")
print(f"95 of 100 begin within {station.waiting_time_percentile(0.95):.2f} s")
