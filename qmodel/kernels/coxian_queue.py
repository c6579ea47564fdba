"""A single Coxian server in order of arrival, with arrivals by the number there; see THEORY.md."""

from collections.abc import Sequence

#: The most regular service that two stages make.
LEAST_SCV = 0.5

#: Weights beyond this are brought down, so that none overflows.
_LARGE = 1e200


def coxian_queue(
    arrivals: Sequence[float], service_time: float, scv: float
) -> tuple[float, list[float]]:
    """Throughput [1/s] of the station, and the probabilities of 0, 1 ... N customers there.

    ``arrivals`` are those per second with 0, 1 ... N - 1 customers at the station; the SCV of
    service is at least `LEAST_SCV`.
    """
    first = 2.0 / service_time
    goes_on = 0.5 / scv
    second = first * goes_on
    # Weights of the states with n customers there, by the stage of the one in service.
    coming_one, coming_two = arrivals[0], 0.0
    total, done, weights = 1.0, 0.0, [1.0]
    for n in range(1, len(arrivals) + 1):
        up = arrivals[n] if n < len(arrivals) else 0.0
        # The flow down from n + 1 is the flow up from n, and starts a service.
        share = first * goes_on / (up + second)
        both = coming_one * (1.0 + share) / (up + first) + coming_two / (up + second)
        both /= first / (up + first) * ((up * (1.0 - goes_on) + second) / (up + second))
        one = (coming_one + up * both) / (up + first)
        two = (coming_two + first * goes_on * one) / (up + second)
        total += one + two
        done += one * first * (1.0 - goes_on) + two * second
        weights.append(one + two)
        coming_one, coming_two = up * one, up * two
        if total > _LARGE:
            coming_one, coming_two = coming_one / _LARGE, coming_two / _LARGE
            total, done = total / _LARGE, done / _LARGE
            weights = [weight / _LARGE for weight in weights]
    return done / total, [weight / total for weight in weights]
