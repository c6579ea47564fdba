"""The check of SOFT005, whose words are the card beside it."""

from collections.abc import Iterator
from copy import deepcopy

from advisor.configuration.changes import Settings
from advisor.findings.records import Evidence, Finding
from advisor.findings.words import percent
from advisor.rule_support.card import card_of
from advisor.rule_support.evidence import percentage
from advisor.rule_support.rule import Case, NothingToGoBy
from calibration.agreements.published import published
from calibration.printed_tables.table import load_table
from qmodel.documents.wording import show_key

CARD = card_of(__file__)
ON_SERVER, LOCAL = "mail", "mail_local_replica"
STEP = 0.20
#: Of 20 % of the users and of none on local replicas, in this order.
TABLE, COLUMNS = "domino85/table_7", ("baseline", "variant")
MEASURED = (
    ("response_time", "response time"),
    ("processor", "utilization of the processor"),
    ("disk_ios", "disk operations"),
)
#: What replicates differ by: less is no gain, of a time or of a utilization. [1]
NOISE = 0.01


def check(case: Case) -> Iterator[Finding]:
    """Users who could work on local replicas."""
    classes = case.settings.workload.classes
    here = {each.task_name: i for i, each in enumerate(classes)}
    if ON_SERVER not in here:
        raise NothingToGoBy("no class of users has the demands measured beside local replicas")
    served = classes[here[ON_SERVER]]
    moved = min(STEP, served.share)
    if moved >= served.share:  # a class needs somebody in it
        raise NothingToGoBy("so few users work on databases of the server that they would all move")
    key = ("workload", "class", here[ON_SERVER], "share")
    left = round(served.share - moved, 6)
    if LOCAL in here:
        share = round(classes[here[LOCAL]].share + moved, 6)
        settings: Settings = ((key, left), (("workload", "class", here[LOCAL], "share"), share))
    else:
        given = deepcopy(case.configuration.data["workload"]["class"])
        given[here[ON_SERVER]]["share"] = left
        local = {"name": "users on local replicas", "task": LOCAL, "share": moved}
        settings = ((("workload", "class"), [*given, local]),)
    if not _gains(case, settings):
        return
    saved = tuple(_saved(row, what) for row, what in MEASURED)
    another = "another " if LOCAL in here else ""
    half = published("domino85/claims", "local_replica_network", "value")
    source = half.source.partition(", column")[0]
    of_all = "users with databases on the server"
    yield CARD.finding(
        "on_server",
        Evidence(of_all, served.share * 100.0, "%", "given", show_key(key)),
        Evidence("traffic of a user on a local replica", half.value, "%", "measured", source),
        *saved,
        key=key,
        options=[
            CARD.option(
                "move", settings=settings, moved=f"{another}{percent(moved)}", source=source,
                saved=saved[0].source.removeprefix("from "),
            )
        ],
        served=percent(served.share),
        half=half.value,
        saved=saved[0].value,
    )  # fmt: skip


def _saved(row: str, what: str) -> Evidence:
    """What the first users on local replicas were measured to save."""
    some, none = (published(TABLE, row, column).value for column in COLUMNS)
    return percentage(
        f"{what}, {percent(STEP)} of the users on local replicas over none",
        some / none - 1.0,
        source=f"from {load_table(TABLE).cite(row)}",
    )


def _gains(case: Case, settings: Settings) -> bool:
    """Whether anybody could measure what it brings: a response time, or how busy something is."""
    after = case.outlook_with(settings)
    for each in case.outlook.classes:
        then = after.time_of(each.name)
        if then is not None and then.mid <= each.response_time.mid * (1.0 - NOISE):
            return True
    return any(
        after.resource(each.name).utilization.mid <= each.utilization.mid - NOISE
        for each in case.outlook.resources
    )
