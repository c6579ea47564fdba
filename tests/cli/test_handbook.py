"""``qmodel handbook``: opens it, or says where it is, or how to build it; never fails."""

import json
import urllib.request
import webbrowser
from http.server import ThreadingHTTPServer
from threading import Thread

import pytest

from advisor.cli import handbook
from tests.advisor.configurations import ROOT


@pytest.fixture
def page(tmp_path, monkeypatch):
    """A handbook of one page, with a module that a browser runs only as JavaScript."""
    path = tmp_path.joinpath(*handbook.FIRST_PAGE)
    path.parent.mkdir(parents=True)
    path.write_text("<h1>the first page</h1>", encoding="utf-8")
    path.with_name("dial.mjs").write_text("export {};", encoding="utf-8")
    monkeypatch.setattr(handbook, "built_handbook", lambda: path)
    return path


def test_prints_where_it_is(run, page):
    done = run("handbook", "--print")
    assert (done.code, done.out, done.err) == (0, f"{page}\n", "")
    found = json.loads(run("handbook", "--json").out)
    assert (found["built"], found["page"]) == (True, str(page))


def test_says_how_to_build_it(run, monkeypatch):
    monkeypatch.setattr(handbook, "built_handbook", lambda: None)
    for arguments in (["handbook"], ["handbook", "--print"]):
        done = run(*arguments)
        assert (done.code, done.err) == (0, "")
        assert len(done.out.splitlines()) == 1
        assert f"make book` in {ROOT}" in done.out
    monkeypatch.setattr(handbook, "__file__", "/site-packages/advisor/cli/handbook.py")
    assert "pip download" in run("handbook").out
    found = json.loads(run("handbook", "--json").out)
    assert (found["built"], found["page"]) == (False, None)


def test_finds_what_was_built_above_the_current_folder(tmp_path, monkeypatch):
    below = tmp_path / "examples"
    below.mkdir()
    path = tmp_path.joinpath(*handbook.FIRST_PAGE)
    path.parent.mkdir(parents=True)
    monkeypatch.chdir(below)
    monkeypatch.setattr(handbook, "__file__", str(tmp_path / "a" / "b" / "c.py"))
    assert handbook.built_handbook() is None
    path.touch()
    assert handbook.built_handbook() == path


@pytest.mark.usefixtures("page")
def test_opens_what_it_serves_until_interrupted(run, monkeypatch):
    asked = []
    serve = ThreadingHTTPServer.handle_request

    def one_request_each(server):
        for name in ("", "dial.mjs"):
            with Answering(server, serve):
                answer = urllib.request.urlopen(asked[0] + name, timeout=10)
                asked.append((answer.headers["Content-Type"], answer.read()))
        raise KeyboardInterrupt

    monkeypatch.setattr(handbook, "_can_show", lambda: True)
    monkeypatch.setattr(webbrowser, "open", lambda address: asked.append(address) or True)
    monkeypatch.setattr(ThreadingHTTPServer, "serve_forever", one_request_each)
    done = run("handbook")
    assert done.code == 0
    assert asked[0] in done.out
    assert asked[1:] == [
        ("text/html", b"<h1>the first page</h1>"),
        ("text/javascript", b"export {};"),
    ]
    assert done.err == ""


class Answering:
    """The server answers one request beside the block."""

    def __init__(self, server, serve):
        self.thread = Thread(target=serve, args=(server,))

    def __enter__(self):
        self.thread.start()

    def __exit__(self, *_):
        self.thread.join(10)
