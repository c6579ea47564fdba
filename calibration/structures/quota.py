"""A container's quota of processor time: throughput ends before 100 % are shown; see THEORY.md."""

from calibration.estimation.data import CalibrationData
from calibration.structures import station_law as laws
from calibration.structures.structure import Structure, one_class_of_known_population


def _starts(data: CalibrationData, station: str) -> tuple[tuple[float, float], float]:
    most = max((busy for _, busy in data.utilizations(station)), default=0.5)
    return (min(0.99, most), min(0.995, 1.1 * most)), 0.2


QUOTA = Structure(
    "quota",
    "a quota limits customers before a processor is fully busy, as in a container",
    laws.at_stations(
        "quota of {}", "quota of {}", "quota", (0.01, 1.0), _starts, neutral=1.0, of="cpu"
    ),
    laws.first_of(
        one_class_of_known_population, laws.one_load(laws.SAME_LOAD + "another population"),
        laws.far_from_limits,
    ),
)  # fmt: skip
