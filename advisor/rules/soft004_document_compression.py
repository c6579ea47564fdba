"""SOFT004 document-compression: Recommends to compress the documents of a Domino server.

What it does
    Where a Domino 8.5 server does not compress documents, names what compression saved on the
    measured system.
Why it matters
    Smaller mail files need fewer drives for space, and less time for backup and compaction.
Threshold
    Documents not compressed, with whatever load.
Example
    documents are not compressed; a mail file of 250 MB took 170 MB compressed.
Limits
    Documented, not modelled: the article measured no load with and without it, so neither its
    processor time nor its disk operations are known; its runs with release 8.5 have it in them.
    The size of a mail file before is printed as 256 MB and as about 250 MB (erratum E-D09-05).
"""

from collections.abc import Iterator

from advisor.configuration.changes import Change
from advisor.findings.records import Evidence, Finding, Option
from advisor.rule_support.rule import Case, NothingToGoBy, Rule, documented
from calibration.agreements.published import published


def check(case: Case) -> Iterator[Finding]:
    """Documents that are not compressed."""
    compressed = case.settings.software.document_compression
    if compressed is None:
        raise NothingToGoBy("software.document_compression is not given", evidence=True)
    if compressed:
        return
    after, before = (
        published("domino85/claims", f"{each}_database", "value")
        for each in ("compressed", "uncompressed")
    )
    sizes = f"{before.value:g} {before.unit} took {after.value:g} {after.unit}"
    saved = 1.0 - after.value / before.value
    key = ("software", "document_compression")
    yield Finding(
        level="note",
        state="problem",
        message=f"documents are not compressed; a mail file of {sizes} compressed",
        key=key,
        evidence=(
            Evidence("mail file before", before.value, before.unit, "measured", before.source),
            Evidence("mail file compressed", after.value, after.unit, "measured", after.source),
            Evidence(
                "storage saved",
                saved * 100.0,
                "%",
                "computed",
                "1 - compressed / uncompressed mail file",
            ),
        ),
        options=(
            Option(
                Change("compress documents", ((key, True),)),
                sources=(before.source, after.source),
                effort="rebuild",
                side_effects=("mail files have to be compacted for it",),
                valid="databases of the new format, mail of the measured sizes",
                benefit=documented(f"a mail file takes {100 * saved:.0f} % less space"),
            ),
        ),
    )


RULE = Rule.of(__name__, "documents are compressed", __doc__, check, ("domino85",))
