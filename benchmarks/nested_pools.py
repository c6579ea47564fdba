"""python -m benchmarks.nested_pools: threads that hold connections, eight cases, simulated.

60 users who think for 1 s; 4 cores of the application, 20 ms; two calls to a database of 2 cores,
15 ms each, and a disk, 5 ms each; A threads, C connections; a random number of calls (geometric
passes, 2 in the mean) or always 2. Response times in milliseconds, by `qmodel.simulate` to 0.4 %
and by `qmodel.solve`. On such cases LQNS 5.32 was off by -27 to -1 %, the solver LN of LINE by -7
to +51 %, and nested flow equivalence that takes all places as held for exponential times by -3.7
to +8.5 %.
"""

from qmodel import ClosedClass, Network, PopulationLimit, QueueingStation, simulate, solve

CASES = (4, 2), (6, 3), (8, 2), (8, 4), (10, 3), (16, 4), (16, 8), (32, 4)
ROUTE = ["app", "db", "disk", "app", "db", "disk", "app"]


def case(threads: int, connections: int, *, fixed: bool) -> Network:
    """One of the cases."""
    limits = [
        PopulationLimit("threads", threads, ["app", "db", "disk"], held="visit"),
        PopulationLimit("connections", connections, ["db", "disk"], held="visit"),
    ]
    return Network(
        [QueueingStation("app", 4), QueueingStation("db", 2), QueueingStation("disk")],
        [ClosedClass("users", 60, 1.0)],
        [[0.020, 0.030, 0.010]],
        visit_ratio=[[3.0, 2.0, 2.0]],
        limits=limits,
        routes={"users": ROUTE} if fixed else (),
    )


def main() -> None:
    """Print the table."""
    print("| A | C | calls | simulated [ms] | half width | solved [ms] | error |")
    print("|---:|---:|---|---:|---:|---:|---:|")
    for fixed in (False, True):
        for threads, connections in CASES:
            network = case(threads, connections, fixed=fixed)
            truth = simulate(network, precision=0.004, seconds=None, seed=1)["users"]
            found = solve(network)["users"].response_time
            print(
                f"| {threads} | {connections} | {'fixed' if fixed else 'random'} "
                f"| {truth.value * 1e3:.1f} | {truth.half_width * 1e3:.1f} | {found * 1e3:.1f} "
                f"| {found / truth.value - 1.0:+.1%} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
