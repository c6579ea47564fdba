"""``qmodel agree`` and ``convert`` with files of layered queueing networks."""

import qmodel as qm
from tests.qmodel.formats.test_lqn import EXAMPLES, RESULTS


def test_results_are_compared(written, run):
    path = written("m.lqxo", RESULTS)
    done = run("agree", path)  # M/M/1: 0.2 / (1 - 0.4) s
    assert "4 numbers of a solver 1.0" in done.out
    assert (
        "page                     response s          0.33333          0.3    +11.11 %" in done.out
    )
    assert run("agree", EXAMPLES / "bookstore.lqnx").code == 2
    assert '"difference": 0.11' in run("agree", path, "--json").out


def test_a_layered_model_is_converted(tmp_path, run):
    done = run("convert", EXAMPLES / "web_server.lqn", tmp_path / "a.toml")
    assert done.code == 0
    assert qm.load_model(tmp_path / "a.toml") == qm.load_model(EXAMPLES / "web_server.lqn")
    assert "jmva holds queueing networks" in run("convert", tmp_path / "a.toml", "--to", "jmva").err
    wrong = run("convert", "examples/two_tier.toml", "--to", "lqnx")
    assert (wrong.code, "lqnx holds layered models" in wrong.err) == (2, True)
