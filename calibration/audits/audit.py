"""The audit: which numbers of a table contradict laws that no system can break.

The laws are in `calibration/audits/laws`, one a file. None of them reads errata; errata at the
place of a contradiction are named afterwards.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Self

from calibration.audits.contradiction import Contradiction, Place, Silence, Suspicion
from calibration.audits.errata_links import link
from calibration.audits.group import groups, with_think_time
from calibration.audits.law import Evidence
from calibration.audits.laws import LAWS
from calibration.audits.laws.exchanged import merge
from calibration.audits.laws.units import as_slip, reread
from calibration.audits.noise import SHIPPED, USUAL, Noise
from calibration.audits.reconciliation import MOST, Reconciliation
from calibration.audits.shipped import observations, user_observations, with_classes
from calibration.printed_tables.card import TableError
from calibration.printed_tables.errata import Erratum
from calibration.printed_tables.table import MeasuredTable, View, errata, load_table, table_names
from calibration.recordings.user_table import UserTable

__all__ = ["Audit", "Contradiction", "Noise", "Place", "Silence", "audit", "audit_source"]


#: Laws whose arithmetic is no test against noise and is not counted as one.
EXACT = {"percentages", "percentiles"}


@dataclass(frozen=True, slots=True)
class Audit:
    """What the laws say of a table, or of the tables of one source together."""

    name: str
    #: Row by row, each with its law, its size and what would resolve it.
    contradictions: tuple[Contradiction, ...]
    #: Laws that could not speak, and why.
    silent: tuple[Silence, ...]
    #: Tests made, which set the threshold.
    tests: int
    #: Size beyond which a contradiction is reported, in standard errors. [1]
    threshold: float
    #: How far the numbers of the largest group lie off, over the noise assumed; 1 if that is
    #: right. [1]
    scatter: float | None = None
    #: Published errata of the source that stand at no contradiction.
    not_found: tuple[Erratum, ...] = ()

    @property
    def tested(self) -> bool:
        """Whether any law could be held against its numbers; else it says nothing of them."""
        mute = {each.law for each in self.silent if not each.what}
        return bool(self.tests or self.contradictions or EXACT - mute)

    def of_table(self, name: str) -> Self:
        """The part of it that concerns one table.

        Examples
        --------
        >>> found = audit_source("domino5_raid").of_table("domino5_raid/table_1")
        >>> [each.law for each in found.contradictions], found.contradictions[0].errata
        (['percentages'], ('E-R00-01',))
        """
        short = name.partition("/")[2]
        found = (e for e in self.contradictions if any(p.table == name for p in e.places))
        return replace(
            self, name=name, contradictions=tuple(found),
            silent=tuple(each for each in self.silent if name in each.what),
            not_found=tuple(each for each in self.not_found if short in each.tables),
        )  # fmt: skip


def audit(
    table: MeasuredTable | UserTable | Sequence[MeasuredTable], noise: Noise | None = None
) -> Audit:
    """Look for contradictions with the operational laws.

    Parameters
    ----------
    table : MeasuredTable, UserTable or sequence of MeasuredTable
        One table, or tables of one source that are to be held against one another.
    noise : Noise, optional
        Noise of one run. By default that of the replicate runs of 1995: between two runs for a
        user's table, of one run for the shipped ones.

    Returns
    -------
    Audit
        Contradictions larger than the threshold, which grows with the number of tests so that a
        table without any fault raises something with a probability of less than one in a hundred.

    Raises
    ------
    TableError
        If tables of several sources, or none, are given.

    Examples
    --------
    >>> from calibration.printed_tables.table import load_table
    >>> found = audit(load_table("domino85/table_7", "printed"))
    >>> [(each.law, each.rows[-1], round(each.size, 1)) for each in found.contradictions]
    ... # doctest: +NORMALIZE_WHITESPACE
    [('percentages', 'domino85/table_7: disk_ios', 1.8),
     ('class mix', 'domino85/table_7: variant', 3.4)]
    """
    tables: tuple[MeasuredTable, ...] = ()
    if isinstance(table, UserTable):
        name = table.path
        runs = tuple(with_classes(user_observations(table, noise or USUAL)))
    else:
        tables = (table,) if isinstance(table, MeasuredTable) else tuple(table)
        sources = {each.source.name for each in tables}
        if len(sources) != 1:
            named = ", ".join(sorted(sources)) or "none"
            raise TableError(f"tables of one source can be audited together, got {named}")
        name = tables[0].name if len(tables) == 1 else sources.pop()
        runs = observations(tables, noise or SHIPPED)
    found, silent = groups(runs if tables else reread(runs))
    evidence = Evidence(runs, tuple(with_think_time(group) for group in found), tables)
    return _weigh(name, evidence, silent)


def audit_source(name: str, view: View = "printed", noise: Noise | None = None) -> Audit:
    """Audit all tables of a source together, and link what is found to its errata.

    Parameters
    ----------
    name : str
        A source, such as "notes31".
    view : {"printed", "corrected"}
        As printed by default: the audit is to find what is wrong.
    noise : Noise, optional
        As for `audit`.

    Examples
    --------
    >>> [each.law for each in audit_source("groupwise52").contradictions]
    []
    """
    return audit([load_table(each, view) for each in table_names(name)], noise)


def _weigh(name: str, evidence: Evidence, silent: tuple[Silence, ...]) -> Audit:
    """Make all tests, then keep what is larger than chance makes the largest of so many."""
    said = [each for law in LAWS for each in law.suspects(evidence)]
    suspicions = [each for each in said if isinstance(each, Suspicion)]
    problems = [
        Reconciliation(group, [way for law in LAWS for way in law.directions(group)])
        for group in evidence.groups
    ]
    doubtful = [each for each in suspicions if not each.exact and each.contradiction.size > 0.0]
    tests = len(doubtful) + sum(len(problem.directions) for problem in problems)
    limit = threshold(tests)

    found: list[Contradiction] = []
    scatter, most_tests = None, 0
    mute = [each for each in said if isinstance(each, Silence)]
    for group, problem in zip(evidence.groups, problems, strict=True):
        shifts = problem.shifts(limit)
        if len(problem.directions) > most_tests:
            scatter, most_tests = problem.scatter(shifts), len(problem.directions)
        if len(shifts) == MOST:
            mute.append(Silence("all laws", group.task, f"{MOST} mistakes are named and no more"))
        exchanged, rest = merge(shifts)
        found += exchanged
        found += [as_slip(shift, shift.direction.explain(shift)) for shift in rest]
    accused = {row for each in found for row in each.rows}
    found += [
        each.contradiction
        for each in suspicions
        if (each.exact or each.contradiction.size > limit)
        and not (each.consequence and accused.intersection(each.contradiction.rows))
    ]
    order = [law.name for law in LAWS]
    found.sort(key=lambda each: (each.places[0].table, order.index(each.law)))

    spoken = {way.law for problem in problems for way in problem.directions}
    spoken |= {law.name for law in LAWS if law.applies(evidence)}
    mute += [Silence(law.name, "", law.needs) for law in LAWS if law.name not in spoken]
    linked, not_found = _with_errata(found, evidence)
    return Audit(name, linked, (*silent, *mute), tests, limit, scatter, not_found)


def _with_errata(
    found: Sequence[Contradiction], evidence: Evidence
) -> tuple[tuple[Contradiction, ...], tuple[Erratum, ...]]:
    """What was found with errata and lines, and the errata that stand at none of it."""
    known: tuple[Erratum, ...] = ()
    if evidence.tables:
        source = evidence.tables[0].source.name
        shorts = {table.name.partition("/")[2] for table in evidence.tables}
        whole = len(shorts) == len(table_names(source))
        known = tuple(
            erratum for erratum in errata(source) if whole or shorts.intersection(erratum.tables)
        )
    lines = {run.name: run.line for run in evidence.runs if run.line is not None}
    linked = tuple(
        replace(link(each, known), lines=tuple(lines[row] for row in each.rows if row in lines))
        for each in found
    )
    named = {name for each in linked for name in each.errata}
    return linked, tuple(erratum for erratum in known if erratum.id not in named)


#: Probability that a table without any fault raises anything.
LEVEL = 0.005


def threshold(tests: int) -> float:
    """Size that all of so many tests together exceed with probability `LEVEL`, by chance.

    Bonferroni's inequality for two-sided tests of normal errors: each test may err with
    probability ``LEVEL / tests``. A one-sided test is counted only if its number lies beyond the
    bound at all; a two-sided probability then is the right one for it (Q. Zhao, D. S. Small and
    W. Su, "Multiple testing when many p-values are uniformly conservative," JASA 114, 2019,
    discarding at 1/2).
    """
    return NormalDist().inv_cdf(1.0 - LEVEL / (2.0 * max(tests, 1)))
