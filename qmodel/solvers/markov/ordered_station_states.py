"""A station that serves in order, without any lumping: the line of its customers.
Theory and sources: `qmodel/solvers/THEORY.md`, markov/ordered_station_states.
"""

from qmodel.solvers.markov.ordered_queue import OrderedStation
from qmodel.solvers.markov.station_states import NO_CLASS, Counts, State, Transition

#: The phase of a customer whose service has not begun.
FRESH = -1
#: A customer: its class and the phase of its service.
Customer = tuple[int, int]


class LineStates:
    """A station where the order of service matters."""

    def __init__(self, station: OrderedStation) -> None:
        self.station = station
        self.empty: State = ()
        ranked = station.discipline != "fcfs"
        self.rank = tuple(p if ranked else 0 for p in station.priority)
        self.preemptive = station.discipline == "preemptive"
        self.fresh = tuple(0 if len(s.start) == 1 else FRESH for s in station.service)
        self.moves = [service.moves for service in station.service]

    def arrivals(self, state: State, c: int) -> list[tuple[State, float]]:
        """See `StationStates`."""
        line: tuple[Customer, ...] = state
        position = 0 if self.preemptive else min(self.station.servers, len(line))
        while position < len(line) and self.rank[line[position][0]] <= self.rank[c]:
            position += 1
        return self._begun((*line[:position], (c, self.fresh[c]), *line[position:]))

    def transitions(self, state: State) -> list[Transition]:
        """See `StationStates`."""
        line: tuple[Customer, ...] = state
        transitions = []
        for i, (c, phase) in enumerate(line[: self.station.servers]):
            exit_rate, ways = self.moves[c][phase]
            for to, rate in ways:
                after = (*line[:i], (c, to), *line[i + 1 :])
                transitions.append(Transition(self._sorted(after), rate, NO_CLASS))
            if exit_rate:
                transitions += [
                    Transition(after, exit_rate * probability, c)
                    for after, probability in self._begun((*line[:i], *line[i + 1 :]))
                ]
        return transitions

    def counts(self, state: State) -> Counts:
        """See `StationStates`."""
        classes = [c for c, _ in state]
        return tuple(classes.count(c) for c in range(len(self.rank)))

    def _begun(self, line: tuple[Customer, ...]) -> list[tuple[State, float]]:
        """The line after a free server has begun a service, with the probabilities of its phase."""
        for i, (c, phase) in enumerate(line[: self.station.servers]):
            if phase == FRESH:  # one at most: a customer came, or one went
                return [
                    (self._sorted((*line[:i], (c, first), *line[i + 1 :])), probability)
                    for first, probability in enumerate(self.station.service[c].start)
                    if probability
                ]
        return [(self._sorted(line), 1.0)]

    def _sorted(self, line: tuple[Customer, ...]) -> State:
        if self.preemptive:
            return line
        served = self.station.servers
        return (*sorted(line[:served]), *line[served:])
