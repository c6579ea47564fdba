"""State of one replication: the model as flat sequences, customers and counts; see THEORY.md."""

from typing import Any, NamedTuple

#: What a station is.
DELAY, ORDERED, SHARED, PREEMPTIVE, LAST_FIRST, FORK = range(6)
#: Entries of `State.counts`.
STATIONS, CLASSES, RANKS, LIMITS, FREE, EVENTS, LOW, BLOCK, REFILL, TRACED, SEQUENCE, CUSTOMERS = (
    range(12)
)
#: Entries of `State.clock`.
NOW = 0
#: Bins of a histogram of response times and their ratio: percentiles to better than 1 %.
BINS, RATIO = 2400, 1.01
#: Lower bound of the first bin, over the demands of the class.
SHORTEST = 1e-4

Ints = list[int]
Floats = list[float]


class State(NamedTuple):
    """Flat sequences of numbers: lists, or arrays where the engine is compiled.

    The model: read only.
    """

    #: What each station is, its servers or branches, its buffer (0: none).
    kind: Ints
    servers: Ints
    buffer: Ints
    #: Stations whose next event is not in the heap, and the heap of each that is shared.
    polled: Ints
    heap_of: Ints
    #: Rank at each place of a route, 0 first.
    rank: Ints
    #: Relative rates of shared stations with 1, 2 ... customers, and where each begins.
    speed: Floats
    speed_at: Ints
    #: Servers of preemptive stations and branches of forks: where each station's begin.
    slot_at: Ints
    slot_station: Ints
    #: Station of each place of a route, K for outside; that last place of each class.
    station_of: Ints
    outside: Ints
    #: Routing from each place: where to, cumulative probability.
    way_at: Ints
    way_to: Ints
    way_upto: Floats
    #: Row of random numbers: of service, by place; of think times or interarrival
    #: times; of routing; of who is next at a station where that is random. -1 for none.
    service_row: Ints
    shuffle_row: Ints
    gap_row: Ints
    route_row: Ints
    #: 1 for a closed class; a response time that is late; the least of a class's histogram.
    closed: Ints
    late_after: Floats
    shortest: Floats
    #: Limits as bits: those asked for at a place, and kept there by who has them; which reject.
    asks: Ints
    keeps: Ints
    most: Ints
    rejects: Ints
    limit_station: Ints
    #: Of each place of a route: what begins or ends beside it where it is left, see
    #: `qmodel.solvers.layered.call_tree`; where a line begins, and the limits that it takes along.
    beside: Ints
    line: Ints
    taken: Ints

    # What changes.
    #: By class: factor of times between arrivals; customers who leave when they would think.
    stretch: Floats
    leaving: Ints
    clock: Floats
    counts: Ints
    heaps: Any
    #: Random numbers by rows, and how many of each row are used.
    numbers: Floats
    used: Ints
    #: Customers by station; free servers; blocked servers; customers who share a station.
    total: Ints
    idle: Ints
    held: Ints
    sharing: Ints
    #: Service that each customer of a shared station has got, since when, and the next end.
    virtual: Floats
    changed: Floats
    next_time: Floats
    #: Queues of stations by rank, then those of customers who wait for room.
    head: Ints
    tail: Ints
    #: Customer in each slot, or -1.
    slot: Ints
    #: Customers inside each limit.
    inside: Ints
    #: Customers who have yet to move, the last one first.
    agenda: Ints
    # Of each customer: class, place, station (their number: thinking), the next one, the next in a
    # queue, bits of its limits, the station it leaves (their number: none), whether that ends its
    # interaction, order and rank of arrival where it may be interrupted, parts not done; for whom
    # it works (0: itself, 1: no one waits, else 2 more than the customer), branches that it waits
    # for (below 0 once nothing else is left to do), times.
    cls: Ints
    place: Ints
    at: Ints
    goes: Ints
    link: Ints
    hold: Ints
    came_from: Ints
    ended: Ints
    order: Ints
    level: Ints
    parts: Ints
    works_for: Ints
    branches: Ints
    begun: Floats
    size: Floats
    left: Floats
    ends: Floats
    # What is counted, by class and station: present, since when, customer-seconds, work done,
    # visits that ended.
    present: Ints
    since: Floats
    area: Floats
    work: Floats
    visits: Ints
    # By class: interactions, late and rejected ones, sum of response times, histogram; traced ones.
    done: Ints
    late: Ints
    lost: Ints
    response: Floats
    histogram: Ints
    trace: Floats


#: Fields that have an entry for each customer.
OF_CUSTOMERS = ("cls", "place", "at", "goes", "link", "hold", "came_from", "ended", "order",
                "level", "parts", "works_for", "branches", "begun", "size", "left",
                "ends")  # fmt: skip
#: Fields that are counted anew after the warm-up.
COUNTED = ("area", "work", "visits", "done", "late", "lost", "response", "histogram")
