"""The record of mutation names modules, tests and lines that are there."""

from pathlib import Path

from benchmarks.mutation.record import read, read_reasons

ROOT = Path(__file__).resolve().parents[2]
REASONS = read_reasons()


def test_modules_and_the_tests_that_judge_them_are_there():
    _, modules = read()
    assert len(modules) > 100
    for name, entry in modules.items():
        for path in (name, *entry["tests"]):
            assert (ROOT / path.partition("::")[0]).is_file(), path
        assert not entry.get("left"), f"{name} has survivors without a reason"
    assert {reason["module"] for reason in REASONS} <= set(modules)


def test_the_line_of_a_reason_is_there():
    gone = [r for r in REASONS if r["line"] not in (ROOT / r["module"]).read_text("utf-8")]
    assert not gone
