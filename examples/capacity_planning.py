"""Capacity planning in one page: more users, other parts, the cheapest server, and growth."""

from pathlib import Path

import advisor

server = advisor.load_config(Path(__file__).with_name("new_server.toml"))

print("more users")
curve = advisor.predict_users(server, [200, 400, 600, 800])
for point in curve.outlooks:
    (mail,) = point.classes
    cpu = point.resource("cpu")
    print(
        f"  {point.users:4d} users {mail.response_time.mid * 1e3:6.1f} ms, "
        f"cpu {cpu.utilization.mid:4.0%} busy with {cpu.queue_length.mid:5.2f} customers"
    )
print(f"  knee at {curve.knee.users.mid:.0f} users, ", end="")
print(f"{curve.saturation.station} saturates at {curve.saturation.users.mid:.0f}")

print("other parts")
found = advisor.whatif(server, {"parity": ["disk.raid=raid5"], "NVMe": ["disk.drive=NVMe SSD"]})
for alternative in found.alternatives:
    time = alternative.differences[0]
    print(f"  {alternative.title}: {time.quantity} of {time.of} {time.change.mid:+.1%}")

print("the cheapest for 600 users and 100 ms")
vary = ["server.cpus=1,2", "disk.drives", "disk.raid"]
sizing = advisor.size(server, users=600, response_time=0.100, vary=vary)
print(f"  {sizing.candidates} candidates, {sizing.solved} solved in full")
for candidate in sizing.front:
    settings = ", ".join(f"{key} = {value}" for key, value in candidate.settings)
    best = " <" if candidate is sizing.best else ""
    print(
        f"  cost {candidate.cost:4.1f} {candidate.response_time.mid * 1e3:6.1f} ms {settings}{best}"
    )

print("3 +- 1 % more users a month")
twice = advisor.change_of(server, ["server.cpus=2"], "two processors")
growth = advisor.growth(server, advisor.stated_growth("3+-1%/month"), upgrades=[twice])
for crossing in growth.crossings:
    when = f"missed in {crossing.months.mid:.0f} months" if crossing.load else "never missed"
    print(f"  {crossing.target}: {when}")
print(f"  {growth.upgrades[0].title}: {growth.upgrades[0].bought.mid:.0f} more")
