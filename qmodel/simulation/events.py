"""The events of a replication: what ends next, where customers go, who follows; see THEORY.md."""

from math import inf, log
from typing import Any

from qmodel.simulation.compiled import compiled, least, pop, push
from qmodel.simulation.queues import (
    append,
    draw,
    first_end,
    plan,
    rate,
    server_for,
    settle,
    take,
    take_nth,
    tally,
)
from qmodel.simulation.state import (
    BINS,
    CLASSES,
    DELAY,
    EVENTS,
    FORK,
    FREE,
    LAST_FIRST,
    LIMITS,
    NOW,
    ORDERED,
    RANKS,
    RATIO,
    REFILL,
    SEQUENCE,
    SHARED,
    STATIONS,
    TRACED,
    Ints,
    State,
)
from qmodel.solvers.layered.call_tree import ANSWERED, BRANCH, JOINED, KEEPER, SENT

#: Why `advance` stopped: the time is reached, numbers or room for customers are short, enough is
#: traced, or nothing will happen any more.
REACHED, SHORT, ENOUGH, STALLED = range(4)
_PER_BIN = 1.0 / log(RATIO)


@compiled
def ends_for(i: int, branches: Ints, heaps: Any, now: float) -> None:
    """One branch of a customer has ended, if it is anybody's; after the last it goes on."""
    if i >= 0 and branches[i] > 0:
        branches[i] -= 1
    elif i >= 0:
        branches[i] += 1
        if not branches[i]:
            push(heaps, 0, now, i)


@compiled
def advance(s: State, until: float) -> int:
    """Let events happen up to a time, as long as there are random numbers; why it stopped."""
    kind, servers, buffer, polled, heap_of = s.kind, s.servers, s.buffer, s.polled, s.heap_of
    speed, speed_at, slot_at, slot_station = s.speed, s.speed_at, s.slot_at, s.slot_station
    way_at, way_to, way_upto, rank = s.way_at, s.way_to, s.way_upto, s.rank
    station_of, outside, shuffle_row, rejects = s.station_of, s.outside, s.shuffle_row, s.rejects
    service_row, gap_row, route_row, closed = s.service_row, s.gap_row, s.route_row, s.closed
    asks, keeps, most, limit_station, inside = s.asks, s.keeps, s.most, s.limit_station, s.inside
    counts, heaps, numbers, used = s.counts, s.heaps, s.numbers, s.used
    total, idle, held, sharing = s.total, s.idle, s.held, s.sharing
    virtual, changed, next_time = s.virtual, s.changed, s.next_time
    head, tail, slot, agenda = s.head, s.tail, s.slot, s.agenda
    cls, place, at, goes, link, hold, came_from = (
        s.cls, s.place, s.at, s.goes, s.link, s.hold, s.came_from,
    )  # fmt: skip
    ended, order, level, parts = s.ended, s.order, s.level, s.parts
    beside, line, taken, works_for, branches = s.beside, s.line, s.taken, s.works_for, s.branches
    begun, size, left, ends = s.begun, s.size, s.left, s.ends
    present, since, area, work, visits = s.present, s.since, s.area, s.work, s.visits
    stations, classes, ranks = counts[STATIONS], counts[CLASSES], counts[RANKS]
    limits, traces = counts[LIMITS], len(s.trace)

    while not counts[REFILL]:
        now, which = least(heaps, 0), -1
        for k in polled:
            if next_time[k] < now:
                now, which = next_time[k], k
        if now > until or now == inf:
            if until < inf:
                s.clock[NOW] = until
            return STALLED if now == inf else REACHED
        s.clock[NOW] = now
        counts[EVENTS] += 1

        # The customer whose service at station k ends, or who has been outside (the last k).
        k, outcome = stations, 0
        if which >= 0:
            k = which
            if kind[k] == SHARED:
                n = sharing[k]
                first, beyond = speed_at[k], speed_at[k + 1] - held[k]
                settle(virtual, changed, k, n, now, rate(speed, first, beyond, n))
                i = pop(heaps, heap_of[k])
                n -= 1
                sharing[k] = n
                r = rate(speed, first, beyond, n)
                next_time[k] = plan(heaps, heap_of[k], virtual[k], now, n, r)
            else:
                x = first_end(slot, ends, slot_at[k], slot_at[k + 1])
                i = slot[x]
                other = take(head, tail, link, k * ranks, (k + 1) * ranks)
                slot[x] = other
                if other >= 0:
                    ends[other] = now + left[other]
                x = first_end(slot, ends, slot_at[k], slot_at[k + 1])
                next_time[k] = ends[slot[x]] if x >= 0 else inf
        else:
            i = pop(heaps, 0)
            if i >= 0:
                k = at[i]
            elif i >= -classes:  # an arrival from outside
                c = -1 - i
                gap = draw(numbers, used, counts, gap_row[c]) * s.stretch[c]
                push(heaps, 0, now + gap, i)
                i = counts[FREE]
                counts[FREE] = link[i]
                if link[link[i]] < 0:  # the last one stays free, and more are made
                    counts[REFILL] |= 2
                cls[i], hold[i], place[i] = c, 0, outside[c]
            else:  # a branch of a fork
                x = -1 - i - classes
                i, k = slot[x], slot_station[x]
                other = link[i]
                slot[x] = other
                if other >= 0:
                    time = draw(numbers, used, counts, service_row[place[other]])
                    size[other] += time / servers[k]
                    push(heaps, 0, now + time, -1 - classes - x)
                parts[i] -= 1
                if parts[i]:
                    continue
                take(head, tail, link, k * ranks, k * ranks + 1)
        c = cls[i]
        if k == stations:
            begun[i] = now
        aside = beside[place[i]]
        if aside == JOINED and branches[i] > 0:  # the last of its branches fetches it
            branches[i] = -branches[i]
            continue

        # Where it goes; a closed class that does not think begins anew at once.
        left_place = to = place[i]
        for _ in range(2):
            way, beyond = way_at[to], way_at[to + 1]
            if beyond - way > 1:
                u = draw(numbers, used, counts, route_row[c])
                while way < beyond - 1 and u >= way_upto[way]:
                    way += 1
            to = way_to[way]
            j = station_of[to]
            if j < stations or k == stations or not closed[c] or gap_row[c] >= 0 or outcome:
                break
            if s.leaving[c] or works_for[i]:
                break
            outcome = 1
        place[i], goes[i], came_from[i], ended[i] = to, j, k, outcome
        blocked = j < stations and j != k < stations and buffer[j] > 0 and total[j] >= buffer[j]
        if blocked and limits:
            for limit in range(limits):
                bit = 1 << limit
                if blocked and asks[to] & bit and not hold[i] & bit:
                    blocked = inside[limit] < most[limit]
                    if blocked:
                        inside[limit] += 1
                        hold[i] |= bit
        if blocked:
            append(head, tail, link, (stations + j) * ranks, i)
            if kind[k] == SHARED:
                held[k] += 1
                n, first, beyond = sharing[k], speed_at[k], speed_at[k + 1] - held[k]
                r = rate(speed, first, beyond, n)
                next_time[k] = plan(heaps, heap_of[k], virtual[k], now, n, r)
            continue

        # It moves, and so do customers who waited for it to go.
        agenda[0], waiting, room, more = i, 1, -1, -1
        if aside == ANSWERED:
            x = works_for[i] - 2
            ends_for(works_for[x] - 2, branches, heaps, now)
            works_for[x] = 1
        if SENT <= aside <= BRANCH:  # another line begins
            x = counts[FREE]
            counts[FREE] = link[x]
            if link[link[x]] < 0:
                counts[REFILL] |= 2
            to = line[left_place]
            cls[x], place[x], goes[x], came_from[x], ended[x] = c, to, station_of[to], stations, 0
            hold[x] = hold[i] & taken[left_place]
            hold[i] ^= hold[x]
            works_for[x], branches[x] = 1, 0
            if aside >= KEEPER:
                works_for[x] = i + 2
                branches[i] += 1
            agenda[1], waiting = x, 2
        while waiting or room >= 0:
            if room >= 0:  # for the first who waits for it
                other = take(
                    head, tail, link, (stations + room) * ranks, (stations + room) * ranks + 1
                )
                if other >= 0:
                    agenda[waiting] = other
                    waiting += 1
                    x = came_from[other]
                    if x == stations + 1:  # it waited in front
                        tally(present, since, area, cls[other] * stations + room, now, -1)
                    elif kind[x] == SHARED:
                        n, first, beyond = sharing[x], speed_at[x], speed_at[x + 1] - held[x]
                        r = rate(speed, first, beyond, n)
                        settle(virtual, changed, x, n, now, r)
                        held[x] -= 1
                        r = rate(speed, first, beyond + 1, n)
                        next_time[x] = plan(heaps, heap_of[x], virtual[x], now, n, r)
                room, more = more, -1
                continue
            waiting -= 1
            i = agenda[waiting]
            c, k, j, outcome = cls[i], came_from[i], goes[i], ended[i]
            base = c * stations
            if k < stations:
                tally(present, since, area, base + k, now, -1)
                work[base + k] += size[i]
                visits[base + k] += 1
                total[k] -= 1
                if kind[k] == ORDERED:
                    if shuffle_row[k] < 0:
                        other = take(head, tail, link, k * ranks, (k + 1) * ranks)
                    else:
                        n = total[k] - servers[k] + 1  # who wait
                        u = draw(numbers, used, counts, shuffle_row[k]) if n > 0 else 0.0
                        other = take_nth(head, tail, link, k * ranks, int(u * n))
                    if other >= 0:
                        push(heaps, 0, now + size[other], other)
                    else:
                        idle[k] += 1
            if (outcome or (j == stations and k <= stations)) and not works_for[i]:  # it is done
                time = now - begun[i]
                s.done[c] += 1
                s.response[c] += time
                if time > s.late_after[c]:
                    s.late[c] += 1
                shortest = s.shortest[c]
                b = int(log(time / shortest) * _PER_BIN) if time > shortest else 0
                s.histogram[c * BINS + min(BINS - 1, b)] += 1
                if counts[TRACED] < traces:
                    s.trace[counts[TRACED]] = time
                    counts[TRACED] += 1
                begun[i] = now
            if limits and hold[i] and (k < stations or k == stations + 2):
                kept = 0 if outcome or j == stations else keeps[place[i]]
                for limit in range(limits):
                    bit = 1 << limit
                    if hold[i] & bit and not kept & bit:
                        hold[i] ^= bit
                        x = limit_station[limit]
                        other = take(head, tail, link, x * ranks, x * ranks + 1)
                        if other < 0:
                            inside[limit] -= 1
                        else:
                            tally(present, since, area, cls[other] * stations + x, now, -1)
                            hold[other] |= bit
                            came_from[other], ended[other] = stations + 1, 0
                            agenda[waiting] = other
                            waiting += 1
            if k < stations and buffer[k] and j != k:
                room = k
            if j == stations:
                if works_for[i]:
                    ends_for(works_for[i] - 2, branches, heaps, now)
                    works_for[i], link[i] = 0, counts[FREE]
                    counts[FREE] = i
                elif closed[c] and s.leaving[c]:
                    s.leaving[c] -= 1
                    at[i] = -1
                elif closed[c]:
                    wait = draw(numbers, used, counts, gap_row[c]) if gap_row[c] >= 0 else 0.0
                    at[i] = stations
                    push(heaps, 0, now + wait, i)
                else:
                    link[i] = counts[FREE]
                    counts[FREE] = i
                continue
            if limits:
                full = -1
                asked = asks[place[i]]
                rejected = 0
                for limit in range(limits):
                    bit = 1 << limit
                    if full < 0 and asked & bit and not hold[i] & bit:
                        if inside[limit] < most[limit]:
                            inside[limit] += 1
                            hold[i] |= bit
                        else:
                            full, rejected = limit_station[limit], rejects[limit]
                if rejected:  # its interaction ends, and what it holds is free
                    s.lost[c] += 1
                    place[i], goes[i] = outside[c], stations
                    came_from[i], ended[i] = stations + 2, 0
                    agenda[waiting] = i
                    waiting += 1
                    continue
                if full >= 0:
                    tally(present, since, area, base + full, now, 1)
                    append(head, tail, link, full * ranks, i)
                    if buffer[j] and total[j] < buffer[j]:
                        more = j
                        if room < 0:
                            room, more = j, -1
                    continue
            tally(present, since, area, base + j, now, 1)
            if k >= stations and buffer[j] and total[j] >= buffer[j]:
                came_from[i] = stations + 1
                append(head, tail, link, (stations + j) * ranks, i)
                continue
            at[i] = j
            total[j] += 1
            here = kind[j]
            if here == FORK:
                append(head, tail, link, j * ranks, i)
                size[i], parts[i] = 0.0, servers[j]
                for x in range(slot_at[j], slot_at[j + 1]):
                    if slot[x] < 0:
                        slot[x] = i
                        time = draw(numbers, used, counts, service_row[place[i]])
                        size[i] += time / servers[j]
                        push(heaps, 0, now + time, -1 - classes - x)
                continue
            time = draw(numbers, used, counts, service_row[place[i]])
            size[i] = time
            if here == ORDERED:
                if idle[j]:
                    idle[j] -= 1
                    push(heaps, 0, now + time, i)
                else:
                    append(head, tail, link, j * ranks + rank[place[i]], i)
            elif here == DELAY:
                push(heaps, 0, now + time, i)
            elif here == SHARED:
                n, first, beyond = sharing[j], speed_at[j], speed_at[j + 1] - held[j]
                settle(virtual, changed, j, n, now, rate(speed, first, beyond, n))
                n += 1
                sharing[j] = n
                push(heaps, heap_of[j], virtual[j] + time, i)
                r = rate(speed, first, beyond, n)
                next_time[j] = plan(heaps, heap_of[j], virtual[j], now, n, r)
            else:
                counts[SEQUENCE] += 1
                left[i], order[i], level[i] = time, counts[SEQUENCE], rank[place[i]]
                mine = level[i]
                if here == LAST_FIRST:  # it interrupts earlier customers, the first one first
                    order[i], mine = -counts[SEQUENCE], -1
                x = server_for(slot, level, order, slot_at[j], slot_at[j + 1], mine)
                if x < 0:
                    append(head, tail, link, j * ranks + level[i], i)
                    continue
                other = slot[x]
                if other >= 0:  # it goes back to the head of its queue
                    left[other] = max(0.0, ends[other] - now)
                    q = j * ranks + level[other]
                    link[other] = head[q]
                    head[q] = other
                    if tail[q] < 0:
                        tail[q] = other
                slot[x], ends[i] = i, now + time
                next_time[j] = ends[slot[first_end(slot, ends, slot_at[j], slot_at[j + 1])]]
        if traces and counts[TRACED] >= traces:
            return ENOUGH
    return SHORT
