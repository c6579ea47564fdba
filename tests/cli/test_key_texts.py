"""Every key of a configuration is explained, and nothing that is no key."""

from advisor.configuration.changed_keys import _keys, all_keys
from advisor.configuration.key_texts import key_texts
from advisor.machines.tables import MachinesFile


def test_every_key_says_what_it_is():
    several = MachinesFile.model_json_schema()
    known = {*all_keys(), *(key.replace("[]", "") for key in _keys(several, several, ""))}
    assert set(key_texts()) == {key for key in known if not key.startswith("software.")}
    assert all(text.endswith((".", '".')) for text in key_texts().values())


def test_a_key_and_a_table_are_explained_on_the_command_line(run):
    assert "behind a balancer" in run("explain", "server.replicas").out
    assert "monitored.steal" in run("explain", "monitored").out
    assert "threads = 200" in run("explain", "service.threads").out
    assert run("explain", "server.nothing").code == 2
