"""What ``advise``, ``predict``, ``whatif`` and ``size`` do with several machines."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor.cli.output import Progress, console, print_document, print_json

if TYPE_CHECKING:
    from datetime import date

    from advisor.forecasting.user_growth import UserGrowth
    from advisor.machines.outlook import Outlook
    from advisor.machines.tables import Machines
    from qmodel.documents.document import Document

#: Combinations of settings at most.
MOST = 10_000


def in_file(path: Path, format: str | None) -> tuple[Document, Machines | None]:  # noqa: A002
    """A file, and the several machines that it describes, if it does."""
    from advisor.machines.tables import describes_machines, machines_of
    from qmodel.documents.document import read_document

    document = read_document(path, format)
    return document, machines_of(document) if describes_machines(document) else None


def for_users(machines: Machines, users: str) -> Machines:
    """The machines with the number of users of the option, if it is given."""
    from advisor.cli.loads import user_counts
    from advisor.machines.settings import with_value
    from qmodel.errors import InvalidInput

    counts = user_counts(users) if users else ()
    if len(counts) > 1:
        raise InvalidInput(f"--users: one number is advised on here; got {users!r}; try predict")
    return with_value(machines, ("workload", "users"), counts[0], "--users") if counts else machines


def refuse(**options: Any) -> None:
    """Refuse options that only one server knows."""
    from qmodel.errors import InvalidInput

    for name, value in options.items():
        if value:
            option = "--" + name.replace("_", "-")
            raise InvalidInput(f"{option} is for one [server]; leave it out here")


def advise(machines: Machines, *, as_json: bool, every: bool) -> str:
    """Print the review; how grave it is where a target is missed or may be, else ``""``."""
    from advisor.machines.review import review_machines
    from advisor.report.machines import show_machines
    from advisor.report.machines_data import review_machines_data

    found = review_machines(machines)
    if as_json:
        print_json(review_machines_data(found))
    else:
        show_machines(console(), found, every=every)
    return {"FITS": "", "AT RISK": "warning"}.get(found.state, "error")


def explain(machines: Machines, *, as_json: bool) -> None:
    """Print the layered model, as ``qmodel solve`` and ``simulate`` take it."""
    import json

    from advisor.machines.model import layered_model
    from qmodel import layered_text

    model, _ = layered_model(machines.file, machines.file.workload.users)
    if as_json:
        print_json({"layered_model": json.loads(layered_text(model, "json"))})
    else:
        print_document(layered_text(model))


def page_of(machines: Machines, on: date | None) -> str:
    """The review as a page."""
    from datetime import UTC, datetime

    from advisor.machines.review import review_machines
    from advisor.report.machines_page import machines_page

    today = on or datetime.now(UTC).astimezone().date()
    return machines_page(review_machines(machines), today.isoformat())


def predict(
    machines: Machines, counts: Sequence[int] | None, shares: Sequence[float], *, as_json: bool,
    every: bool,
) -> None:  # fmt: skip
    """Print predictions for numbers of users."""
    from advisor.machines.outlook import outlook, users_that_fit
    from advisor.report.machines import fits
    from advisor.report.machines_data import outlook_data

    usual = machines.file.workload.users
    around = {max(1, round(usual * part)) for part in (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0)}
    found = [outlook(machines, n) for n in counts or sorted(around)]
    fit, then = users_that_fit(machines)
    if as_json:
        verdict = {"users_that_fit": fit, "limited_by": then}
        shown = [outlook_data(each, shares) for each in found]
        _json(machines, {"verdict": verdict, "predictions": shown})
        return
    rows = [(f"{each.users}", each) for each in found]
    _table(machines, rows, "users", fits((fit, then)), every, shares)


def growth(
    machines: Machines, rate: UserGrowth, alternatives: Sequence[str], seed: int, *, as_json: bool
) -> None:
    """Print when targets are missed as users grow in number."""
    from advisor.configuration.changed_keys import named_settings
    from advisor.forecasting.machines_growth import machines_growth
    from advisor.report.growth import growth_data, show_growth

    progress = Progress("searches")
    changes = [(title, [*some]) for title, some in map(named_settings, alternatives)]
    found = machines_growth(machines, rate, changes, seed, progress)
    progress.stopped()
    print_json(growth_data(found)) if as_json else show_growth(console(), found)


def whatif(
    machines: Machines, changes: Sequence[tuple[str, list[str]]], *, as_json: bool, every: bool
) -> None:
    """Print the machines as they are and with each change."""
    from advisor.machines.outlook import outlook
    from advisor.machines.settings import with_settings
    from advisor.report.machines import whatif_said
    from advisor.report.machines_data import outlook_data
    from qmodel.errors import InvalidInput

    if not changes:
        raise InvalidInput("nothing to change; give --set KEY=VALUE, as service.NAME.threads=32")
    before = outlook(machines)
    after = [
        (title or ", ".join(settings), outlook(with_settings(machines, settings)))
        for title, settings in changes
    ]
    if as_json:
        made = [{"title": title, "after": outlook_data(each)} for title, each in after]
        _json(machines, {"before": outlook_data(before), "alternatives": made})
    else:
        verdict = "\n".join(whatif_said(machines, before, title, each) for title, each in after)
        _table(machines, [("as it is", before), *after], "", verdict, every)


def size(
    machines: Machines, users: int | None, vary: Sequence[str], *, as_json: bool, every: bool
) -> bool:
    """Print every combination of settings, and the smallest that meets the targets, if one does.

    The least is the one whose settings are smallest, each over its smallest value; "any" is more
    than every number.
    """
    from advisor.machines.outlook import outlook
    from advisor.machines.settings import varied, with_value
    from advisor.report.machines_data import outlook_data
    from qmodel.documents.wording import show_key
    from qmodel.errors import InvalidInput

    if not vary:
        raise InvalidInput("nothing to vary; give --vary KEY=2:64, as service.NAME.threads=2:64")
    if users is not None:
        machines = with_value(machines, ("workload", "users"), users, "--users")
    keys, values = zip(*(varied(machines, text) for text in vary), strict=True)
    combinations = list(product(*values))
    if len(combinations) > MOST:
        raise InvalidInput(f"--vary: {len(combinations)} combinations, at most {MOST}")
    least = [min((v for v in each if isinstance(v, int | float)), default=1) for each in values]
    combinations.sort(key=lambda some: (some.count("any"), sum(
        v / low for v, low in zip(some, least, strict=True) if isinstance(v, int | float) and low
    )))  # fmt: skip
    progress, found = Progress("candidates"), []
    for done, some in enumerate(combinations):
        progress(done, len(combinations))
        candidate = machines
        for key, value in zip(keys, some, strict=True):
            candidate = with_value(candidate, key, value, "--vary")
        found.append(outlook(candidate))
    progress.stopped()
    names = [show_key(key) for key in keys]
    settings = [dict(zip(names, some, strict=True)) for some in combinations]
    best = next((i for i, each in enumerate(found) if each.meets(machines)), None)
    if as_json:
        shown = [
            {"settings": given, "prediction": outlook_data(each)}
            for given, each in zip(settings, found, strict=True)
        ]
        cheapest = None if best is None else shown[best]
        _json(machines, {"cheapest": cheapest, "candidates": shown})
    else:
        verdict = "✗ no candidate meets the targets"
        if best is not None:
            said = ", ".join(f"{name} = {value}" for name, value in settings[best].items())
            mark = "? AT RISK" if found[best].at_risk(machines) else "✓"
            verdict = f"{mark} smallest that meets the targets: {said}"
        rows = [
            (", ".join(map(str, some)), each)
            for some, each in zip(combinations, found, strict=True)
        ]
        heads = [".".join(key[2:]) or key[-1] for key in keys]
        _table(machines, rows, ", ".join(heads), verdict, every)
    return best is not None


def _json(machines: Machines, data: dict[str, Any]) -> None:
    print_json({"title": machines.file.title, **data})


def _table(
    machines: Machines, rows: Sequence[tuple[str, Outlook]], heading: str, verdict: str,
    every: bool, shares: Sequence[float] = (),
) -> None:  # fmt: skip
    from advisor.report.machines import show_outlooks

    shown = shares or sorted(rows[0][1].promised)
    show_outlooks(console(), machines, rows, heading, verdict=verdict, shares=shown, every=every)
