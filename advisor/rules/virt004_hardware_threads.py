"""The check of VIRT004, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.configuration.parts import catalogue_of
from advisor.findings.records import Evidence, Finding
from advisor.findings.words import percent, seconds
from advisor.rule_support.card import card_of
from advisor.rule_support.evidence import percentage
from advisor.rule_support.rule import Case, NothingToGoBy
from qmodel.devices.catalogue import Processor

CARD = card_of(__file__)


def check(case: Case) -> Iterator[Finding]:
    """Cores that are as many as the hardware threads of the processor that is named."""
    server = case.settings.server
    if case.settings.workload.system is not None:
        raise NothingToGoBy("no processor of the catalogue is named")
    part = catalogue_of(case.configuration).find(Processor, server.processor or "")
    if part.threads == 1 or server.hyper_threads or server.cpu_quota is not None:
        return  # a quota counts hardware threads as well
    if server.cores != part.cores * part.threads:
        return
    settings = ((("server", "cores"), part.cores), (("server", "hyper_threads"), True))
    then = case.outlook_with(settings)
    users = max((c for c in then.classes if not c.batch), key=lambda c: c.response_time.mid)
    busy = then.resource("cpu").utilization.mid
    source = "queueing network with cores of two hardware threads"
    yield CARD.finding(
        "threads",
        Evidence("cores of the processor", float(part.cores), "cores", "given", part.source),
        percentage("utilization of cpu then", busy, source=source), cores=server.cores,
        half=part.cores, name=part.name,
        what=f"cpu is {percent(busy)} busy, {users.name} takes {seconds(users.response_time.mid)}",
    )  # fmt: skip
