"""Every key of a configuration is explained, and nothing that is no key."""

from advisor.configuration.changed_keys import all_keys
from advisor.configuration.key_texts import key_texts


def test_every_key_says_what_it_is():
    known = {key for key in all_keys() if not key.startswith("software.")}
    assert set(key_texts()) == known
    assert all(text.endswith((".", '".')) for text in key_texts().values())


def test_a_key_and_a_table_are_explained_on_the_command_line(run):
    assert "behind a balancer" in run("explain", "server.replicas").out
    assert "monitored.steal" in run("explain", "monitored").out
    assert run("explain", "server.nothing").code == 2
