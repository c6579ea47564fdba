"""What the steps of a plan take, in a word or two, and their price where one is known."""

from advisor.findings.review import Review
from advisor.sizing.prices import prices_of_steps

#: What each effort takes, in a word or two.
TAKES = {
    "setting": "a setting", "schedule": "a schedule", "rebuild": "a rebuild", "part": "a part",
    "server": "more replicas",
}  # fmt: skip


def what_steps_take(review: Review) -> list[str]:
    """What each step takes, and what it costs where the catalogue has a price."""
    options = [step.advice.option for step in review.plan.steps]
    prices = prices_of_steps(review.configuration, [option.change for option in options])
    return [
        TAKES[option.effort] + (f", {price}" if price else "")
        for option, price in zip(options, prices, strict=True)
    ]
