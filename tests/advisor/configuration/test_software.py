"""Software in a configuration: strict, optional, and nothing to the network."""

import re
import tomllib

import pytest

import advisor
from advisor.configuration.changed_keys import change_of
from qmodel.errors import FileError, InvalidInput
from tests.advisor.configurations import ROOT, batch, configured, measured, quiet
from tests.tables import rows

TEMPLATE = ROOT / "advisor" / "presets" / "notes31.toml"


@pytest.mark.parametrize(("software", "words"), rows(__file__, "mistakes_are_named"))
def test_mistakes_are_named(software, words):
    with pytest.raises(FileError) as error:
        quiet(software=software)
    assert "\n" not in str(error.value)
    assert all(word in str(error.value) for word in words), error.value


def test_what_is_not_given_is_not_known():
    software = quiet().settings.software
    given = [*software.model_dump(exclude={"settings"}).values()]
    assert {*given, *software.settings.model_dump().values()} == {None}


def test_it_changes_no_prediction():
    plain = advisor.predict(measured())
    told = advisor.predict(
        measured(software={"operating_system": "NetWare 3.11", "attachments_once": False})
    )
    assert told == plain


@pytest.mark.parametrize("pause", ["-1 s", "5"])
def test_a_pause_is_a_time(pause):
    with pytest.raises(FileError, match="pause"):
        quiet(batch=[batch(cpu="1 s", pause=pause)])


def test_settings_can_be_given_on_the_command_line():
    configuration = quiet()
    change = change_of(configuration, ["software.settings.server_pool_tasks=80"])
    assert change.apply(configuration).settings.software.settings.server_pool_tasks == 80
    with pytest.raises(InvalidInput, match="server_pool_tasks"):
        change_of(configuration, ["software.settings.server_pool_task=80"])


def test_what_the_templates_show_as_possible_is():
    for path in TEMPLATE.parent.glob("*.toml"):
        text = path.read_text(encoding="utf-8")
        shown = re.sub(r"^# (\[[a-z\[\].]+\]|[a-z_]+ = .*)$", r"\1", text, flags=re.MULTILINE)
        data = tomllib.loads(shown)
        assert configured(data).settings.targets.response_time
