"""What `size` finds, as an option: for targets that no option of a rule meets."""

from collections.abc import Iterator

from advisor.configuration.changes import Change
from advisor.configuration.configuration import Configuration
from advisor.findings.plan_records import Plan
from advisor.findings.records import Option
from qmodel.errors import QmodelError

#: What else a key does that `size` sets.
_SIDE_EFFECTS = {
    "server.cpus": "software must support, and be licensed for, that many processors",
    "disk.raid": "back up, rebuild and restore the array",
    "disk.drives": "back up, rebuild and restore the array",
}


def sized(configuration: Configuration, plan: Plan) -> Iterator[Option]:
    """The cheapest parts with which the targets are met, none if none of the usual ones do.

    First those that are enough after the steps of the plan that buy nothing.
    """
    free = [each.advice.option for each in plan.steps if each.advice.option.effort != "part"]
    after = configuration
    for option in free:
        after = option.change.apply(after)
    for each in (after, configuration) if free else (configuration,):
        if found := _sized(each):
            yield found


def _sized(configuration: Configuration) -> Option | None:
    from advisor.sizing.search import cheapest  # which is asked seldom

    try:
        found = cheapest(configuration)
    except QmodelError:  # nothing to choose from, or no answer
        return None
    told = Change("", found).diff(configuration.settings.model_dump(by_alias=True))
    differ = [i for i, (_, old, new) in enumerate(told) if new is None or old != new]
    settings = tuple(found[i] for i in differ)
    said = [(told[i][0], told[i][2]) for i in differ if told[i][2] is not None]
    if not said:
        return None
    return Option(
        Change("size it: " + ", ".join(f"{key} = {value}" for key, value in said), settings),
        sources=("the cheapest that meets the targets, as qmodel size finds it",),
        effort="part",
        side_effects=tuple(
            dict.fromkeys(_SIDE_EFFECTS[key] for key, _ in said if key in _SIDE_EFFECTS)
        ),
        valid="among the parts and quantities that qmodel size tries by default",
    )
