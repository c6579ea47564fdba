"""What may not enter: every way a TOML or JSON file can be wrong, with the line it is told by."""

import io
import os
import pickle
import time
from pathlib import Path
from threading import Thread

import pytest

from qmodel import FileError, InvalidInput
from qmodel.documents.document import parse_document, read_document, told_format
from qmodel.documents.structure import DEPTH_LIMIT, SIGN_LIMIT
from qmodel.documents.syntax import SIZE_LIMIT, read_bytes
from tests.tables import asked, rows

GOOD = '[server]\ncpus = 1\nmemory = "64 MB"\n'
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def refusal(text, file_format="toml"):
    with pytest.raises(FileError) as caught:
        parse_document(text, file_format, "F")
    return str(caught.value)


def refusal_of_file(path, content=None, **options):
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(FileError) as caught:
        read_document(path, **options)
    assert str(caught.value).startswith(str(path))
    return str(caught.value).removeprefix(str(path))


def test_a_file_is_read(written):
    path = written("server.toml", GOOD)
    document = read_document(path)
    assert document.data == {"server": {"cpus": 1, "memory": "64 MB"}}
    assert (document.path, document.format, document.text) == (str(path), "toml", GOOD)
    assert read_document(str(path)).data == document.data


@pytest.mark.parametrize(
    "change", [lambda b: BYTE_ORDER_MARK + b, lambda b: b.replace(b"\n", b"\r\n")]
)
@pytest.mark.parametrize(
    ("name", "text"), [("a.toml", GOOD), ("a.json", '{"server":\n{"cpus": 1,\n"memory": "64 MB"}}')]
)
def test_byte_order_mark_and_line_ends_do_not_matter(written, change, name, text):
    document = read_document(written(name, change(text.encode())))
    assert document.data == {"server": {"cpus": 1, "memory": "64 MB"}}
    assert document.line(("server", "memory")) == 3


def test_what_cannot_be_read(written, tmp_path, monkeypatch):
    assert refusal_of_file(tmp_path / "none.toml") == ": cannot read: no such file"
    folder = tmp_path / "folder.toml"
    folder.mkdir()
    assert refusal_of_file(folder) == ": cannot read: is a directory; expected a file"
    assert refusal_of_file(tmp_path) == ": cannot read: is a directory; expected a file"
    nul = tmp_path / "nul\0.toml"
    with pytest.raises(FileError, match=r"nul\\x00.toml: cannot read: ") as caught:
        read_document(nul)
    assert str(caught.value).isprintable()

    def refuse(*_args, **_options):
        raise PermissionError(13, "Permission denied")

    locked = written("locked.toml", GOOD)
    monkeypatch.setattr(Path, "open", refuse)
    assert refusal_of_file(locked) == ": cannot read: permission denied"

    def break_down(*_args, **_options):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(Path, "open", break_down)
    assert refusal_of_file(locked) == ": cannot read: Input/output error"


def test_the_size_is_limited(written):
    path = written("large.toml", b"#".ljust(SIZE_LIMIT, b"x"))
    assert read_document(path).data == {}
    limit = " exceeds the 1 MB limit for a configuration or model"
    assert refusal_of_file(path, b"#".ljust(SIZE_LIMIT + 1, b"x")) == f": 1.01 MB{limit}"
    assert refusal_of_file(path, b"#".ljust(20 * SIZE_LIMIT, b"x")) == f": 20 MB{limit}"
    calibration = written("large.json", b"{}".ljust(10 * SIZE_LIMIT))
    assert read_document(calibration).data == {}
    many = ("{" + ",".join(f'"k{i}": 1' for i in range(2 * SIGN_LIMIT)) + "}").encode()
    assert len(read_document(written("many.json", many)).data) == 2 * SIGN_LIMIT


@pytest.mark.parametrize(("content", "problem"), rows(__file__, "encodings"))
def test_other_encodings_are_recognized(tmp_path, content, problem):
    problem = asked(problem, globals())
    assert refusal_of_file(tmp_path / "a.toml", asked(content, globals())) == f": {problem}"


def test_the_byte_that_is_not_utf8_is_told(tmp_path):
    path = tmp_path / "a.toml"
    latin = b'name = "ok"\ncity = "Z\xfcrich"\n'
    assert refusal_of_file(path, latin) == ":2: not UTF-8 (byte 21 is 0xfc); save as UTF-8"
    assert (
        refusal_of_file(path, BYTE_ORDER_MARK + latin)
        == ":2: not UTF-8 (byte 24 is 0xfc); save as UTF-8"
    )


def test_standard_input_needs_a_format(monkeypatch):
    class Input:
        buffer = io.BytesIO(GOOD.encode())

    with pytest.raises(FileError, match=r"^-: cannot tell the format from the name; expected"):
        read_document("-")
    monkeypatch.setattr("sys.stdin", Input)
    assert read_document("-", "toml").data["server"]["cpus"] == 1


def test_the_format_is_told_by_the_extension_or_by_name(tmp_path):
    assert told_format("a.TOML") == "toml"
    assert told_format("a.txt", "JSON") == "json"
    path = tmp_path / "a.txt"
    problem = ': cannot tell the format from ".txt"; expected a name that ends in .toml or .json'
    assert refusal_of_file(path, b"x = 1") == problem
    assert read_document(path, format="toml").data == {"x": 1}
    assert refusal_of_file(path, format="yaml") == ': unknown format "yaml"; use toml or json'
    assert refusal_of_file(path, format="") == ': unknown format ""; use toml or json'


@pytest.mark.parametrize("file_format", ["toml", "json"])
@pytest.mark.parametrize("text", ["", " \n\t\n"])
def test_an_empty_file_holds_nothing(text, file_format):
    assert parse_document(text, file_format).data == {}


@pytest.mark.parametrize(("text", "problem"), rows(__file__, "json"))
def test_what_is_not_json(text, problem):
    assert refusal(text, "json").startswith(problem)


@pytest.mark.parametrize(("text", "problem"), rows(__file__, "toml"))
def test_what_is_not_toml(text, problem):
    assert refusal(text).startswith(problem)


@pytest.mark.parametrize(
    ("text", "file_format", "problem"),
    [*rows(__file__, "keys"), ("[a]\nb = 1\nb = 2\nc \ud7ff= 3", "toml", "F:3:1: a.b: duplicate")],
)
def test_keys_stand_once(text, file_format, problem):
    assert refusal(text, file_format).startswith(problem)


def test_the_same_key_in_different_tables_is_no_duplicate():
    text = "[a.b]\nx=1\n[a]\nx=1\n[[c]]\nx=1\n[c.d]\nx=1\n[[c]]\nx=1\n[c.d]\nx=1"
    assert parse_document(text).data["c"][1] == {"x": 1, "d": {"x": 1}}


@pytest.mark.parametrize(("text", "file_format", "problem"), [
    *rows(__file__, "values"),
    ("x = " + "9" * 400, "toml", "F:1: x: must be finite, got an integer beyond 1.8e308"),
    ("\nx = " + "9" * 1001, "toml", "F:2: a number has more than 1000 digits"),
    ('{"a": ' + "9" * 5000 + "}", "json", "F:1: a number has more than 1000 digits"),
])  # fmt: skip
def test_values_that_mean_nothing(text, file_format, problem):
    assert refusal(text, file_format).startswith(problem)


def test_large_numbers_and_any_letters_are_kept():
    assert parse_document("x = " + "9" * 300).data["x"] == int("9" * 300)
    assert parse_document('{"a": "\\ud83d\\ude00 \\n"}', "json").data["a"] == "\U0001f600 \n"


@pytest.mark.parametrize("file_format", ["toml", "json"])
def test_depth_is_limited(file_format):
    def nested(depth):
        lists = "[" * depth + "]" * depth
        return f"\nx = {lists}" if file_format == "toml" else f'\n{{"x": {lists}}}'

    braces = file_format == "json"
    parse_document(nested(DEPTH_LIMIT - braces), file_format)
    assert refusal(nested(DEPTH_LIMIT + 1), file_format) == "F:2: nested deeper than 100 levels"
    assert refusal("[" * 100_000, file_format) == "F:1: nested deeper than 100 levels"


@pytest.mark.parametrize(
    "text",
    ["a." * 100 + "a = 1", "'a' . " * 100 + "a = 1", "[" + "a." * 100 + "a]",
     '"a".' * 100 + "a = 1",
     "x = {" + "a." * 100 + "a = 1}", "[" + "a." * 60 + "a]\n" + "b." * 60 + "b = 1"],
)  # fmt: skip
def test_the_depth_of_dotted_keys_is_limited(text):
    assert "nested deeper than 100 levels" in refusal(text)


def test_text_that_ends_in_quotation_marks_hides_nothing():
    for start in ('x = ["""q"""", ', 'x = ["""q""""", ', "x = ['''q'''', ", 'x = ["q\\\\", '):
        assert refusal(start + "[" * 101) == "F:1: nested deeper than 100 levels"


def test_brackets_and_dots_in_text_and_comments_do_not_nest():
    deep = "[" * 200 + "a." * 200
    text = f'a = "{deep}\\""  # {deep}\nb = \'{deep}\'\nc = """\n{deep}"" \\""" {deep}"""\n'
    text += f"d = '''{deep}'' ''''\n# \" {deep}"
    assert parse_document(text).data["b"] == deep
    assert parse_document('{"a": "' + deep + '\\""}', "json").data["a"] == deep + '"'


@pytest.mark.parametrize(("text", "file_format"), rows(__file__, "too_many"))
def test_the_number_of_keys_and_values_is_limited(text, file_format):
    most = 300_000 if file_format == "json" else 30_000
    said = refusal(asked(text, globals()), file_format)
    assert said.startswith(f"F: too many keys and values; at most {most} of")


@pytest.mark.parametrize(
    "text",
    ["a." * 500_000 + "a = 1", '"a".' * 250_000 + "a = 1", "a" * SIZE_LIMIT, '"' * SIZE_LIMIT,
     '"""\\' * (SIZE_LIMIT // 4), "'''\"" * (SIZE_LIMIT // 4), "x = " + "1_" * (SIZE_LIMIT // 2),
     f"[{'a.' * 98}a]\n" + "".join(f"k{i} = 1\n" for i in range(SIGN_LIMIT - 200)) + "x = nan"],
    ids=["dots", "quoted dots", "word", "quotes", "escapes", "apostrophes", "digits", "header"],
)  # fmt: skip
def test_no_megabyte_takes_long(text):
    started = time.process_time()
    refusal(text)
    # Hours, for some of these, without the limits; a second on a busy machine with them.
    assert time.process_time() - started < 10


@pytest.mark.parametrize(("text", "file_format"), rows(__file__, "hidden"))
def test_text_hidden_in_the_other_syntax_is_limited_too(text, file_format):
    started = time.process_time()
    assert "looks like" not in refusal(asked(text, globals()), file_format)
    assert time.process_time() - started < 10


def test_an_error_is_one_line_with_its_parts():
    error = FileError("a.toml", "must be >= 1, got -5", key="workload.users", line=14)
    assert str(error) == "a.toml:14: workload.users: must be >= 1, got -5"
    assert (error.path, error.line, error.key) == ("a.toml", 14, "workload.users")
    assert (error.problem, error.others) == ("must be >= 1, got -5", ())
    assert isinstance(error, InvalidInput)
    assert (
        str(FileError("a\n\x1b[31m.toml", "x\u2028y\ud800")) == r"a\n\x1b[31m.toml: x\u2028y\ud800"
    )
    assert str(FileError("a.json", "x", line=1, column=25)) == "a.json:1:25: x"


def test_an_error_survives_a_process_boundary():
    error = FileError("a", "b", key="c", line=1, column=2, others=(FileError("a", "d"),))
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == str(error) == "a:1:2: c: b"
    assert (copy.key, copy.line, copy.column, str(copy.others[0])) == ("c", 1, 2, "a: d")


def test_control_characters_of_a_file_do_not_reach_the_terminal():
    text = refusal('"\\u001b[31m\\n" = nan')
    assert text.isprintable()
    assert "holds the character U+001B, which does not show" in text


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_that_stays_empty_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("qmodel.documents.syntax.PATIENCE", 0.01)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def write():
        time.sleep(0.2)
        pipe.write_bytes(b"later")

    Thread(target=write).start()
    assert read_bytes(str(pipe)) == b"later"
    assert "pipe" in capsys.readouterr().err
