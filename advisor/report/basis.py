"""What a review rests on, in sentences that every form of it prints."""

from advisor.findings.review import Review
from advisor.findings.words import counted, memory_size, percent, seconds, tier_unit
from advisor.predicting.workload import system_of
from advisor.rules import RULES
from qmodel.documents.units import show_quantity


def machine(review: Review) -> tuple[str, ...]:
    """The server's parts in a few words each."""
    settings = review.configuration.settings
    server, disk, lan = settings.server, settings.disk, settings.lan
    drives = f"{disk.raid} on {counted(disk.drives, 'drive')}"
    network = f"{lan.segments} x {show_quantity(lan.rate, 'bit rate')} Ethernet"
    several = f"{server.replicas} replicas, each" if server.replicas > 1 else "server"
    cores = f"{server.cpus} x {server.processor}"
    if not server.processor:
        cores = counted(server.cpus * server.cores, "core" if server.cores > 1 else "processor")
        cores += f" of speed {server.cpu_speed:g}" if server.cpu_speed else ""
    told = settings.describes("server") or settings.workload.calibration is None
    return (
        server.name or several,
        *([cores] if told else []),
        *(f"{tier.name} of {counted(tier.cores, tier_unit(tier.name))}" for tier in settings.tiers),
        *([f"a quota of {server.cpu_quota:g} processors"] if server.cpu_quota else []),
        *([memory_size(server.memory)] if server.memory else []),
        *([drives] if settings.describes("disk") else []),
        *([network] if settings.describes("lan") else []),
    )


def tasks_at_work(review: Review) -> str:
    """How many users do what; what share of them where they arrive."""
    workload = review.configuration.settings.workload
    if workload.arrival_rate is not None:
        return ", ".join(f"{percent(c.share)} {c.name}" for c in workload.classes)
    classes = [c for c in review.outlook.classes if not c.batch]
    if len(classes) == 1:
        return classes[0].name
    return ", ".join(f"{c.population} {c.name}" for c in classes)


def users_at_work(review: Review) -> str:
    """The load and what it does, in a line.

    A single class that is called users says no more than their number.
    """
    number, work = review.load, tasks_at_work(review)
    return number if work == "users" else f"{number}: {work}"


def basis(review: Review, *, unjudged: bool = True) -> tuple[str, ...]:
    """How the prediction was made, and what is not known.

    Without ``unjudged`` the rules that could not judge are left out, for a page that lists them.
    """
    first, members = review.outlook.classes[0].name, review.outlook.by_member
    lines = [
        f"solved by {review.outlook.method}; response time of {first} at {review.load} by "
        "calibration: " + ", ".join(f"{name} {seconds(time)}" for name, time in members)
    ]
    if system := system_of(review.configuration):
        from calibration.agreements.agreement import agreement

        lines += [
            f"held-out runs: {each.inside} of {each.count} numbers lie in their 90 % intervals; "
            "`qmodel agreement` shows each"
            for each in agreement(system).coverage()
            if each.status == "held out"
        ]
    if review.outlook.near_saturation:
        lines.append(
            "within the uncertainty the server may be overloaded; the upper ends of the "
            "intervals do not include that"
        )
    if unjudged:
        lines += [f"not checked: {codes}, {reason}" for codes, _, reason in not_judged(review)]
    lines += [f"not known: {note}" for note in review.notes]
    lines.append(f"{judged(review)}; `qmodel explain CODE` says what each checks")
    return tuple(lines)


def judged(review: Review) -> str:
    """How many rules could judge, of how many; those of systems that it does not name apart."""
    skipped = {each.rule for each in review.skipped}
    apart = sum(bool(rule.systems) for rule in RULES if rule.code in skipped)
    of = f"{len(RULES) - len(skipped)} of {len(RULES) - apart} rules apply"
    return f"{of}, {apart} more need workload.system" if apart else of


def not_judged(review: Review) -> tuple[tuple[str, str, str], ...]:
    """Rules that could not judge, their state and the reason, once for all that lack the same."""
    found: dict[tuple[str, str], list[str]] = {}
    wanted: dict[str, list[str]] = {}
    for each in review.skipped:
        key, ungiven, rest = each.reason.partition(" is not given")
        if ungiven and not rest and each.state == "no-evidence":
            wanted.setdefault(key, []).append(each.rule)
        else:
            found.setdefault((each.state, each.reason), []).append(each.rule)
    if wanted:
        codes = sorted(code for some in wanted.values() for code in some)
        found["no-evidence", f"not given: {', '.join(wanted)}"] = codes
    return tuple((", ".join(codes), *why) for why, codes in found.items())


def setting(value: object) -> str:
    """A setting as a change shows it."""
    if value is None:
        return "(not given)"
    if isinstance(value, list | tuple):
        return "-".join(map(str, value))
    return str(value)
