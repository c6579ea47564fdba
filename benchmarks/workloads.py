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

# W4: approximate, 15 classes of 400 customers at six single-server stations. Asked for is an error
# of 1e-8 in the equations' own solution; a peer that stops on its step needs a smaller one.
W4_CLASSES, W4_POPULATION, W4_STATIONS = 15, 400, 6
W4_STEP = 1e-11

# W5: 10,000 networks of one class at four single-server stations.
W5_NETWORKS = 10_000
W5_POPULATION = 200
W5_STATIONS = 4

# W6: approximate, 10,000 networks of three classes at five single-server stations.
W6_NETWORKS = 10_000
W6_POPULATION, W6_CLASSES, W6_STATIONS = 20, 3, 5

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


def w4_demand():
    """Demands of 10 to 100 ms, [class][station]."""
    return [
        [0.010 + 0.090 * ((7 * c + 3 * k + c * k) % 11) / 10 for k in range(W4_STATIONS)]
        for c in range(W4_CLASSES)
    ]


def w5_demand():
    """Demands of 1 to 50 ms, [network][station]."""
    return drawn(W5_NETWORKS, W5_STATIONS)


def w6_demand():
    """Demands of 1 to 50 ms, [network][class][station]."""
    rows = drawn(W6_NETWORKS * W6_CLASSES, W6_STATIONS)
    return [rows[i : i + W6_CLASSES] for i in range(0, len(rows), W6_CLASSES)]


def drawn(count, stations):
    """Rows of demands from a fixed multiplicative generator."""
    state, rows = 1, []
    for _ in range(count):
        row = []
        for _ in range(stations):
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
W4_BS_CASE = "W4 Bard-Schweitzer"
W4_LINEARIZER_CASE = "W4 Linearizer"
W5_CASE = "W5 a network of 10,000"
W6_CASE = "W6 a network of 10,000"
W7_CASE = "W7 whole command"
