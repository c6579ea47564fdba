"""A plan in sentences: what it brings together, what is left out and why."""

from collections.abc import Iterator, Sequence
from math import inf

from advisor.findings import words
from advisor.findings.plan_records import Left, Plan
from advisor.findings.records import Advice, Effect, Missed, Trade
from advisor.findings.review import Review
from advisor.planning.rejection import waits_longer

#: What is said above trades.
TRADES = "not for speed: they lengthen response times, so they are neither recommended nor rejected"
#: Sums that differ from what is solved together by less are not told. [1]
_APART = 0.005


def plan_lines(review: Review) -> Iterator[str]:
    """What the plan brings together, what it does not reach, and the plan in short."""
    plan = review.plan
    if plan.steps:
        last = plan.steps[-1].effect[0]
        yield f"all together: {words.of_metric(words.brings_range(last), last)}"
        added = sum(step.advice.effect[0].change.mid for step in plan.steps)
        apart = last.before.mid < inf and abs(added - last.change.mid) >= _APART
        if len(plan.steps) > 1 and apart:
            said = words.signed(added) if added > -1.0 else "more than 100 %"
            yield f"the steps one by one add up to {said}: they overlap"
    for each in plan.missed:
        yield f"still missed: {words.missed_text(each)}"
    if plan.missed and plan.steps:
        yield f"then {_bottleneck(plan)}: advise the changed configuration to go on"
    if plan.fit is not None:
        yield (
            f"{words.counted(plan.fit, 'user')} would meet the targets"
            + " after these steps" * bool(plan.steps)
            if plan.fit
            else "no number of users would meet the targets"
        )
    for i, step in enumerate(plan.steps, 1):
        if step.advice.option.side_effects:
            yield f"mind with step {i}: {'; '.join(step.advice.option.side_effects)}"
        if step.price:
            yield f"step {i} {price_text(step.price, step.ends)}"


def _bottleneck(plan: Plan) -> str:
    """The busiest resource after all steps."""
    busy = [each for each in plan.steps[-1].effect if each.unit == "1"]
    most = max(busy, key=lambda each: each.after.mid)
    name = most.metric.removeprefix("utilization of ")
    return f"{name} is the bottleneck, busy {words.percent(most.after.mid)}"


def busiest_then(advice: Advice) -> str:
    """The busiest resource after an option, in a cell of a table; empty where it is not solved."""
    if advice.risk is None:
        return ""
    name, most = advice.risk
    return f"{words.resource_name(name)} to {words.percent(most)}"


def left_lines(plan: Plan) -> Iterator[str]:
    """Each option that is worth taking alone and is not in the plan, with the reason."""
    for each in plan.left:
        yield f"{each.advice.option.change.title} ({each.advice.rule}): {left_text(each)}"


def price_text(price: Effect, ends: Sequence[Missed] = ()) -> str:
    """What an option costs in response time, and the targets that are met for it."""
    more = words.seconds(price.after.mid - price.before.mid)
    cost = f"costs +{more} ({words.signed(price.change.mid)}) of {price.metric}"
    return f"{cost}; for that it ends: {', '.join(map(words.missed_text, ends))}" if ends else cost


def priced(advice: Advice) -> str:
    """An option's title, and its price where it costs response time."""
    price, title = waits_longer(advice.effect), advice.option.change.title
    return f"{title} ({price_text(price, advice.ends)})" if price else title


def left_text(left: Left) -> str:
    """Why an option is not in the plan."""
    kind = {
        "too small": "no gain after the steps, ",
        "not buildable": "cannot be built after the steps, ",
    }
    return kind.get(left.reason, "") + left.why


def rejection_text(advice: Advice) -> str:
    """Why an option is not recommended, the kind of reason first."""
    return f"{advice.reason}: {advice.rejected}" if advice.reason else advice.rejected


def trade_text(advice: Advice) -> str:
    """What a trade brings, what it costs, and whether the targets still hold; else nothing."""
    if advice.trade is None:
        return ""
    price = price_text(advice.trade.cost)
    return f"{advice.option.benefit}; {price}; {_targets_then(advice.trade)}"


def _targets_then(trade: Trade) -> str:
    if not trade.promised:
        return "no target limits it"
    if trade.newly:
        return f"then missed: {', '.join(map(words.missed_text, trade.newly))}"
    return "targets missed as today" if trade.missed else "targets still met"
