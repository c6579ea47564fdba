"""Every command fits on one screen, its answer first; the screens are kept as text."""

import re

import pytest

from advisor.report.screen import LINES
from tests.screens.screens import HERE, SCREENS, WIDTHS, path_of, shown

#: What the first five lines of each screen must say.
VERDICTS = {
    "advise_at_risk": r"\? AT RISK   18 users may not fit: utilization of cpu 76 %",
    "advise_fits": r"✓ FITS   400 users; \d+ would, then cpu reaches 80 %",
    "advise_not_known": r"\? NOT KNOWN   50 users; the model knows of nothing",
    "advise_overloaded": "✗ OVERLOADED   500 users do not fit: utilization of cpu 85 %",
    "advise_too_slow": "✗ TOO SLOW   20 users do not fit: response time of edit 1748 s",
    "audit": "no contradiction", "convert": '"station"',
    "examples": r"\d+ examples; qmodel examples --copy DIR",
    "explain": "CPU001 faster-processor Offers a faster processor where",
    "explain_finding": "warning: the processor is the bottleneck, busy 100 % at the peak",
    "explain_network": "'demands as given'", "help": "Usage: qmodel",
    "init": "A web server for qmodel advise",
    "predict_growth": r"The targets are kept for 14\.\d months",
    "simulate": r"edit: response time 0\.8\d+ ± 0\.03 s",
    "agreement": r"\d+ of \d+ numbers that no fit saw",
    "agreement_system": r"\d+ of \d+ numbers that no fit saw", "calibrate": "✓ USABLE",
    "calibrate_models": "✓ USABLE", "catalogue": r"\d+ parts",
    "catalogue_part": r"SATA SSD \(drive\)", "import": "✓ 5 runs, from steps of users",
    "predict": r"✓ \d+ users fit, then cpu reaches 80 %; you have 400 users",
    "predict_percentiles": r"✓ \d+ users fit, then cpu reaches 80 %",
    "budget": r"99 % of enter order under 1 s ✓ \d",
    "predict_1995": "✗ not even one user fits; then cpu reaches 80 %; you have 20 users",
    "predict_arrivals": r"users fit",
    "predict_calibration": r"cpu is full at \d+ \(\d+-\d+\) users", "rules": r"\d+ rules",
    "schedule": r"worst hour .* -> .*Best possible", "size": r"✓ cheapest: cost 15",
    "size_front": r"✓ cheapest: cost", "solve": "bottleneck: disk",
    "solve_percentiles": "bottleneck: disk", "sweep": "40 points, solved by",
    "whatif": r"server.cpus 2: 90.5 ms -> [\d.]+ ms \(-[\d.]+ %\)",
    "whatif_two": r"\[1\] disk.raid raid5, not raid0: 1748 s -> 1751 s",
}  # fmt: skip


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", SCREENS)
def test_the_screen_is_as_kept(name, width):
    """`python -m scripts.write_screens` writes them anew."""
    assert shown(SCREENS[name], width) == path_of(name, width).read_text(encoding="utf-8")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", SCREENS)
def test_it_is_one_screen_that_begins_with_the_answer(name, width):
    lines = path_of(name, width).read_text(encoding="utf-8").splitlines()
    assert len(lines) <= LINES
    assert max(map(len, lines)) <= width
    assert re.search(" ".join(VERDICTS[name].split()), " ".join(" ".join(lines[:5]).split()))
    assert "…" not in "\n".join(lines)


def words(text):
    """The words of a text that a line must not break: longer ones than a line are none."""
    return {word for word in re.findall(r"[A-Za-z][\w/]*", text) if len(word) > 3}


@pytest.mark.parametrize("name", SCREENS)
def test_no_word_is_cut_where_lines_are_shorter(name):
    """What stands at 80 columns stands at 120 columns as well, word by word."""
    narrow, wide = (words(path_of(name, w).read_text(encoding="utf-8")) for w in WIDTHS)
    longer = "".join(path_of(name, 120).read_text(encoding="utf-8").split())
    pieces = {word for word in narrow - wide if word in longer}
    assert not pieces


def test_a_bar_has_twenty_cells_however_narrow():
    for width in WIDTHS:
        bars = re.findall(r"[█░|]+", path_of("predict", width).read_text(encoding="utf-8"))
        assert min(map(len, bars)) == 20


def test_there_is_no_other_screen():
    kept = {path.name for path in HERE.glob("*.txt")}
    assert kept == {path_of(name, width).name for name in SCREENS for width in WIDTHS}
    assert VERDICTS.keys() == SCREENS.keys()
