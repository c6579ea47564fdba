"""The workloads as plain numbers, for qmodel and its peers alike: nothing is imported here."""

THINK_TIME = 1.0  # s, of every class

# W1: exact, one class, four single-server stations and a delay station.
W1_DEMAND = (0.010, 0.025, 0.035, 0.040)
W1_DELAY = 0.3
W1_POPULATIONS = (100, 1_000, 10_000, 1_000_000)

# W2: exact, one class, the last station has eight servers and is the bottleneck.
W2_DEMAND = (0.005, 0.012, 0.020, 0.320)
W2_SERVERS = (1, 1, 1, 8)
W2_POPULATION = 1_000

# W3: exact, several classes, five single-server stations.
W3_STATIONS = 5
W3_POPULATIONS = ((50, 50), (20,) * 3, (10,) * 4, (8,) * 5)

# W5: 10,000 networks of one class at four single-server stations.
W5_NETWORKS = 10_000
W5_POPULATION = 200
W5_STATIONS = 4

# W7: the model file of a small network; every tool reads it in its own format.
W7_POPULATION = 20
W7_THINK_TIME = 5.0
W7_DEMAND = {"cpu": 0.2, "disk": 0.1}


def w3_demand(classes):
    """Demands of 10 to 100 ms, [class][station], no two classes alike."""
    return [
        [0.010 + 0.090 * ((7 * c + 3 * k + c * k) % 11) / 10 for k in range(W3_STATIONS)]
        for c in range(classes)
    ]


def w5_demand():
    """Demands of 1 to 50 ms, [network][station], from a fixed multiplicative generator."""
    state, rows = 1, []
    for _ in range(W5_NETWORKS):
        row = []
        for _ in range(W5_STATIONS):
            state = state * 48271 % 2147483647
            row.append(0.001 + 0.049 * state / 2147483647)
        rows.append(row)
    return rows


def w7_model():
    """The model file of W7 as qmodel reads it."""
    demands = ", ".join(f'{name} = "{time} s"' for name, time in W7_DEMAND.items())
    stations = "".join(f'[[station]]\nname = "{n}"\nkind = "queueing"\n' for n in W7_DEMAND)
    return (
        f'{stations}[[class]]\nname = "users"\npopulation = {W7_POPULATION}\n'
        f'think_time = "{W7_THINK_TIME} s"\ndemand = {{ {demands} }}\n'
    )


def w1_case(population):
    return f"W1 N={population:,}"


def w3_case(populations):
    if len(set(populations)) == 1:
        return f"W3 ({populations[0]})^{len(populations)}"
    return f"W3 {populations}"


W2_CASE = f"W2 8 servers N={W2_POPULATION:,}"
W5_CASE = "W5 a network of 10,000"
W7_CASE = "W7 whole command"
