"""The text of layered queueing networks, as before LQNX: sections of letters, ended by -1.

Read token by token. Expressions and variables ($x) are those of another program and are refused.
"""

import re
from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from qmodel.documents.wording import did_you_mean, show_text
from qmodel.formats.lqn import records

_TOKEN = re.compile(
    r'(?P<skip>\s+|\#[^\n]*)|(?P<text>"[^"\n]*")|(?P<sign>->|[\[\](){};:,&+*])'
    r"|(?P<word>[^\s\[\](){};:,&+*#\"]+)"
)
_NUMBER = re.compile(r"-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_END = "-1"
#: Letters of sections and declarations whose construct is not read.
_REFUSED = {"U": "groups of processors", "R": "reports (SPEX)", "C": "convergence (SPEX)"}


class _Token(NamedTuple):
    text: str
    line: int


def read_lqn(text: str, path: str) -> records.Lqn:
    """What an LQN text says; raises `FileError` with line, name and problem."""
    return _Reader(path, text).model()


class _Reader:
    def __init__(self, path: str, text: str) -> None:
        self.file, self.tokens, self.at = records.Lqn(path), list[_Token](), 0
        line, position = 1, 0
        while position < len(text):
            if (match := _TOKEN.match(text, position)) is None:
                shown = show_text(text[position : position + 1])
                raise self.file.error(line, f"{shown} has no place here")
            if match.lastgroup != "skip":
                self.tokens.append(_Token(match[0], line))
            line += match[0].count("\n")
            position = match.end()
        self.entries: dict[str, tuple[records.Task, records.LqnEntry]] = {}

    def model(self) -> records.Lqn:
        """All sections."""
        sections: dict[str, Callable[[], None]] = {
            "G": self._general, "P": self._processors, "T": self._tasks, "E": self._entries,
            "A": self._activities,
        }  # fmt: skip
        while self.at < len(self.tokens):
            token = self._next("a section")
            if token.text in _REFUSED or token.text.startswith("$"):
                what = _REFUSED.get(token.text, f"the variable {token.text}")
                raise self._error(token, f"{what}: not read; leave it out, or write its value")
            if token.text not in sections:
                expected = f"expected a section: {', '.join(sections)}"
                raise self._error(token, f"{show_text(token.text)}, {expected}")
            sections[token.text]()
        for task, entry in self.entries.values():
            if not entry.phases and entry.start is None:
                problem = f"entry {entry.name!r} of task {task.name!r} has no line in section E"
                raise self.file.error(entry.line, problem)
        return self.file

    def _error(self, token: _Token, problem: str) -> Exception:
        return self.file.error(token.line, problem)

    def _peek(self) -> str:
        return self.tokens[self.at].text if self.at < len(self.tokens) else ""

    def _next(self, what: str) -> _Token:
        if self.at == len(self.tokens):
            last = self.tokens[-1].line if self.tokens else 1
            raise self.file.error(last, f"the file ends, expected {what}")
        self.at += 1
        return self.tokens[self.at - 1]

    def _number(self, what: str, whole: bool = False, least: float = 0.0) -> float:
        token = self._next(what)
        if token.text.startswith("$"):
            problem = (
                f"{what} is the variable {token.text}: write its value; sweeps are qmodel sweep"
            )
            raise self._error(token, problem)
        number = float(token.text) if _NUMBER.fullmatch(token.text) else -1.0
        if number < least or (whole and number != int(number)):
            kind = f"a whole number{' from 1' if least else ''}" if whole else "a number >= 0"
            raise self._error(token, f"{what} is {show_text(token.text)}, expected {kind}")
        return number

    def _numbers(self, what: str) -> list[float]:
        """Numbers up to -1."""
        found = []
        while self._peek() != _END:
            found.append(self._number(what))
        self.at += 1
        return found

    def _known(self, what: str, names: Mapping[str, object]) -> _Token:
        token = self._next(what)
        if token.text not in names:
            known = did_you_mean(token.text, [*names])
            raise self._error(token, f"no {what} {show_text(token.text)}; {known}")
        return token

    def _general(self) -> None:
        while self._next("the end of section G, -1").text != _END:
            pass

    def _list(self, section: str) -> str | None:
        """The letter of the next declaration; None at the end of the section."""
        token = self._next(f"a declaration of section {section}, or -1")
        return None if token.text == _END else token.text

    def _processors(self) -> None:
        self._number("number of processors", whole=True)
        while (letter := self._list("P")) is not None:
            name = self._next("a processor")
            if letter != "p":
                raise self._error(name, f"declaration {show_text(letter)}, expected p")
            if name.text in self.file.hosts:
                raise self._error(name, f"processor {show_text(name.text)} is there twice")
            word = self._next("scheduling")
            if (discipline := records.PROCESSORS.get(word.text)) is None:
                read = "f, s, p and i are"
                problem = f"processor {name.text!r}: scheduling {show_text(word.text)} is not read"
                raise self._error(word, f"{problem}; {read}")
            host = records.Host(name.text, name.line, discipline)
            self.file.hosts[name.text] = host
            host.copies = records.ANY if word.text == "i" else 1.0
            if _NUMBER.fullmatch(self._peek()) and self._peek() != _END:
                self.at += 1  # a quantum
            while self._peek() in {"m", "i", "r", "R"}:
                letter = self._next("a flag").text
                if letter == "i":
                    host.copies = records.ANY
                elif letter == "m":
                    host.copies = self._number("number of processors", whole=True, least=1.0)
                elif letter == "r":
                    host.replicas = int(self._number("number of replicas", whole=True)) or 1
                else:
                    host.speed = self._number("speed of a processor")

    def _tasks(self) -> None:
        self._number("number of tasks", whole=True)
        while (letter := self._list("T")) is not None:
            if letter in "iIoO":
                source = self._known("task", self.file.tasks).text
                to, number = self._next("a task").text, self._number("fan", whole=True)
                if letter in "oO":
                    self.file.tasks[source].fan_out[to] = int(number)
                continue
            name, word = self._next("a task"), self._next("scheduling")
            if letter != "t":
                raise self._error(name, f"declaration {show_text(letter)}, expected t")
            if name.text in self.file.tasks:
                raise self._error(name, f"task {show_text(name.text)} is there twice")
            if word.text not in records.TASKS:
                problem = f"task {name.text!r}: scheduling {show_text(word.text)} is not read"
                raise self._error(word, f"{problem}; r, n, f and i are")
            task = records.Task(name.text, "", name.line, word.text == "r")
            task.copies = records.ANY if word.text == "i" else 1.0
            while (entry := self._next("an entry, or -1")).text != _END:
                if entry.text in self.entries:
                    raise self._error(entry, f"entry {show_text(entry.text)} is there twice")
                made = records.LqnEntry(entry.text, entry.line)
                task.entries.append(made)
                self.entries[entry.text] = task, made
            if self._peek() == "q":
                raise self._error(
                    self._next("q"), f"task {name.text!r}: queue lengths are not read"
                )
            task.processor = self._known("processor", self.file.hosts).text
            if re.fullmatch(r"-?\d+", self._peek()) and self._peek() != _END:
                task.priority = int(self._next("a priority").text)
            while self._peek() in {"m", "i", "r", "z", "g", "t"} and not self._begins_task():
                letter = self._next("a flag").text
                if letter == "i":
                    task.copies = records.ANY
                elif letter == "m":
                    task.copies = self._number("number of threads", whole=True, least=1.0)
                elif letter == "r":
                    task.replicas = int(self._number("number of replicas", whole=True)) or 1
                elif letter == "z":
                    task.think = self._number("think time")
                else:
                    what = "groups" if letter == "g" else "tokens"
                    raise self._error(name, f"task {name.text!r}: {what} are not read")
            self.file.tasks[name.text] = task

    def _begins_task(self) -> bool:
        """Whether a t, or an i, begins the next declaration: a name and scheduling, or a fan."""
        ahead = [token.text for token in self.tokens[self.at + 1 : self.at + 4]]
        if self._peek() == "i":
            return len(ahead) == 3 and ahead[0] in self.file.tasks and bool(ahead[2].isdigit())
        return self._peek() == "t" and len(ahead) > 1 and ahead[1].isalpha() and len(ahead[1]) == 1

    def _entries(self) -> None:
        self._number("number of entries", whole=True)
        while (letter := self._list("E")) is not None:
            token = self._known("entry", self.entries)
            _, entry = self.entries[token.text]
            if letter == "a":
                entry.arrivals = self._number("arrival rate")
            elif letter == "A":
                entry.start = self._next("an activity").text
            elif letter == "F":
                to = self._next("an entry").text
                entry.forwards[to] = self._number("probability")
                if self._peek() == _END:
                    self.at += 1
            elif letter in {"M", "H"}:
                self._skip_results(letter)
            elif letter in {"s", "Z", "f", "c", "y", "z"}:
                to = self._next("an entry").text if letter in "yz" else ""
                numbers = self._numbers("a number, or -1")
                for i, number in enumerate(numbers, 1):
                    if number or i == 1 or letter == "c":
                        self._put(token, letter, entry.phase(i), to, number)
            else:
                what = {"P": "semaphores", "V": "semaphores", "p": "priorities of entries"}
                problem = f"entry {token.text!r}: {what.get(letter, show_text(letter))}"
                raise self._error(token, f"{problem}: not read")

    def _skip_results(self, letter: str) -> None:
        """Histograms and greatest times are asked of a solver, and say nothing of the model."""
        while letter == "M" and self._next("-1").text != _END:
            pass
        if letter == "H":
            self._number("phase")
            while _NUMBER.fullmatch(self._peek()) or self._peek() in {":", "log", "linear", "sqrt"}:
                self.at += 1

    def _put(
        self, token: _Token, letter: str, to: records.Activity, called: str, number: float
    ) -> None:
        if letter == "s":
            to.demand = number
        elif letter == "Z":
            to.think = number
        elif letter == "f":
            to.fixed = bool(number)
        elif letter == "c":
            if number != 1.0:
                problem = f"{token.text!r}: a coefficient of variation of {number:g} is not read"
                raise self._error(token, f"{problem}; times are exponential")
        else:
            made = to.calls if letter == "y" else to.sends
            if number:
                made[called] = made.get(called, 0.0) + number

    def _activities(self) -> None:
        task = self.file.tasks[self._known("task", self.file.tasks).text]
        while (letter := self._next("an activity, : or -1").text) not in {":", _END}:
            token = self._next("an activity")
            activity = task.activities.setdefault(
                token.text, records.Activity(token.text, token.line)
            )
            if letter in {"M", "H"}:
                raise self._error(token, f"activity {token.text!r}: {letter} is not read")
            if letter not in {"s", "Z", "f", "c", "y", "z"}:
                raise self._error(token, f"{show_text(letter)}, expected s, Z, f, c, y, z or :")
            called = self._next("an entry").text if letter in "yz" else ""
            self._put(token, letter, activity, called, self._number("a number"))
        if letter == _END:
            return
        while self._peek() != _END:
            task.precedences.append(self._precedence(task))
            if self._peek() == ";":
                self.at += 1
            elif self._peek() != _END:
                token = self._next("; or -1")
                raise self._error(token, f"{show_text(token.text)}, expected ; or -1")
        self.at += 1

    def _precedence(self, task: records.Task) -> records.Precedence:
        made = records.Precedence([], [], line=self.tokens[self.at].line)
        while True:
            name = self._next("an activity").text
            made.before.append(name)
            if self._peek() == "[":
                self.at += 1
                while (token := self._next("an entry, or ]")).text != "]":
                    if token.text != ",":
                        task.replies.setdefault(token.text, []).append(name)
            if self._peek() == "(":
                raise self._error(self._next("("), f"quorum after {name!r}: not read")
            if self._peek() not in {"&", "+"}:
                break
            made.joins = self._kind()
        if self._peek() != "->":
            return made
        self.at += 1
        while True:
            token = self._next("an activity")
            if token.text == "(":
                share = self._number("probability")
                self._next(")")
                made.forks = "or"
                made.after.append((self._next("an activity").text, share))
            elif _NUMBER.fullmatch(token.text) and self._peek() == "*":
                self.at += 1
                made.forks = "loop"
                made.after.append((self._next("an activity").text, float(token.text)))
            else:
                made.after.append((token.text, -1.0 if made.forks == "loop" else 1.0))
            if self._peek() not in {"&", "+", ","}:
                return made
            if self._peek() == ",":
                self.at += 1
            else:
                made.forks = self._kind()

    def _kind(self) -> Literal["and", "or"]:
        return "and" if self._next("& or +").text == "&" else "or"
