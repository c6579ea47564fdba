"""What response time depends on, where the bottleneck moves, and a grid of what-ifs."""

import qmodel as qm

network = qm.Network(
    stations=[qm.QueueingStation("cpu"), qm.QueueingStation("disk")],
    classes=[
        qm.ClosedClass("edit", population=20, think_time=10.0),
        qm.ClosedClass("report", population=2),
    ],
    demand=[[0.20, 0.12], [1.50, 4.00]],
)
found = qm.sensitivity(network)
print(found)

edit = found["edit"]
print()
print(f"1 % less work at the processor: {-edit.by_demand['cpu'].elasticity.response_time:+.2f} %")
print(f"one more report: {edit.by_population['report'].derivative.response_time:+.3f} s")

print()
for sector in qm.bottlenecks(network).sectors:
    print(f"{sector.low:6.1%} to {sector.high:6.1%} edit: {' and '.join(sector.stations)}")

print()
grid = qm.sweep(network, {"demand.edit.cpu": [0.2, 0.1], "population.edit": [20, 40]})
columns = grid.columns()
print("demand.edit.cpu  population.edit  response_time.edit")
for row in zip(
    columns["demand.edit.cpu"],
    columns["population.edit"],
    columns["response_time.edit"],
    strict=True,
):
    print("{:15.2f}  {:15d}  {:16.3f} s".format(*row))
