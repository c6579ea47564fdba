"""Coverage: what the five papers recommend, and what the advisor makes of each of it.

Every recommendation is a row of a file ``<topic>.toml`` beside this module. The files are read
strictly: rules, tables, errata and examples must exist, each recommendation of each paper stands
in exactly one file, and a row that no rule covers gives a reason (`scripts/paper_coverage` checks).

A row::

    [[recommendation]]
    id = "notes31-02"           # paper and running number, in the order of the paper
    place = "Chapter 4, Memory"
    says = "at least 64 MB, as connections drop when memory runs out"   # in our own words
    kind = "quantitative"       # or "qualitative"
    printed = "64 MB; 32 MB failed"                  # the paper's numbers, "" if it has none
    tables = ["notes31/profiling_claims"]            # as `qmodel tables` names them
    rules = ["MEM001"]          # rules that cover it; empty if none does
    reason = ""                 # why no rule covers it; needed where rules is empty
    errata = ["E-N95-15"]       # what is wrong with it
    verdict = "agrees"          # agrees, qualified, contradicted or not modelled
    because = ""                # needed unless the verdict is "agrees"
    example = "examples/proliant2000_as_tested.toml"  # the paper's own configuration, "" for none
    settings = []               # changes to the example first, as `qmodel whatif --set` takes them
    expected = "fires"          # what *every* rule of the row does there: "fires" or "silent"
    quantity = { of = "option", metric = "server.memory", printed = 64, unit = "MB" }

``settings`` and ``quantity`` may be left out. Verdicts:

agrees
    the advisor says the same; all quantities of the row agree.
qualified
    the same within limits that ``because`` names: a load, an erratum, another paper.
contradicted
    the model says otherwise; ``because`` says why.
not modelled
    no queueing model speaks to it: a rule passes it on as documented, or none does. Such a row
    does not count among the quantitative ones that the model should reproduce.

A quantity is one number of the paper and where the advisor's counterpart is found; a row may have
several, as an array of them. ``of`` is one of

change
    the effect of ``settings`` of the quantity, made to the row's example; ``metric`` is
    "response time of CLASS" or "utilization of RESOURCE"; unit "%" for a relative change,
    "points" for a difference of utilizations.
outlook
    the prediction for the row's example at its peak, same metrics; unit "s", "ms" or "%".
alone
    the same without batch tasks.
evidence
    a number behind a finding of the row's rules; ``metric`` and ``unit`` are those of the evidence.
threshold
    the number that such evidence is held against.
option
    what an option of the row's rules sets; ``metric`` is the key, as in "disk.drives"; ``unit``
    as the option writes it, "" for a bare number.
comparison
    a number of the agreement report (`qmodel agreement`); ``metric`` is its cell, as in
    "notes31/table_4_7:4 KB:response_time"; unit as there. Of several predictions of a cell the
    one counts that knew least: of a held-out row, of a row left out, of a fitted one, and the
    table says which.

``printed`` is the paper's number (``printed_to`` the upper end of a printed range), ``tolerance``
how far the advisor's may lie from it, in the same unit (0 if left out). A quantity agrees if it is
within the tolerance, or if its 90 % interval reaches the printed number; the table tells which.
``note`` says what the tolerance rests on. ``erratum`` names the certain erratum by which the
printed number is wrong: it is shown, and that the advisor does not repeat it is no disagreement.

`python -m scripts.paper_coverage` asks the advisor again and writes ``outcomes.json`` and
``TABLE.md``.
"""

from advisor.coverage.outcome import Outcome, load_outcomes
from advisor.coverage.recommendation import Recommendation, load_recommendations

__all__ = ["Outcome", "Recommendation", "load_outcomes", "load_recommendations"]
