"""Move a module or rename a name wherever it stands: python -m scripts.rename OLD NEW.

    python -m scripts.rename qmodel.solvers.aql qmodel.solvers.amva.aql     # a module or a package
    python -m scripts.rename qmodel.closed.one_class qmodel.closed.of_one   # a name of a module

A module is moved by git, and its dotted name and its path are replaced in every file of the
repository: imports, docstrings, doctests, contracts, the records of mutation and of planted faults.
A name is replaced in its module, in the modules that import it from there or write it behind the
module's name, and in the lines of code of the records. Imports are then sorted and the files
formatted.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

TEXTS = {".py", ".toml", ".md", ".json", ".yml", ".mjs", ".pyi"}
#: Records that quote lines of code.
QUOTING = ("tests/faults/faults.toml", "benchmarks/mutation/reasons.toml")


def main(old: str, new: str, root: Path) -> int:
    before = {path: path.read_text("utf-8") for path in _files(root)}
    if (found := _place(root, old)) is not None:
        to = root / Path(*new.split(".")).with_suffix(found.suffix)
        to.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["git", "mv", found, to], cwd=root, check=True)
        changed = {_moved(p, found, to): moved(text, old, new) for p, text in before.items()}
    elif old.rpartition(".")[0] == new.rpartition(".")[0]:
        module, _, name = old.rpartition(".")
        home = _place(root, module)
        if home is None:
            sys.exit(f"there is no module {old}, and no module {module}")
        home = home / "__init__.py" if home.is_dir() else home
        changed = {
            path: renamed(text, module, name, new.rpartition(".")[2], home=path == home)
            if path.suffix == ".py"
            else _quoted(text, name, new.rpartition(".")[2], home.relative_to(root).as_posix())
            for path, text in before.items()
            if path.suffix == ".py" or path.relative_to(root).as_posix() in QUOTING
        }
    else:
        sys.exit(f"there is no module {old}; a name is renamed within its module")
    touched = [path for path, text in changed.items() if text != before.get(path)]
    for path in touched:
        path.write_text(changed[path], "utf-8")
    sources = [str(path) for path in touched if path.suffix == ".py"]
    ruff = [sys.executable, "-m", "ruff"]
    subprocess.run([*ruff, "check", "--quiet", "--fix", "--select", "I", *sources], cwd=root)
    subprocess.run([*ruff, "format", "--quiet", *sources], cwd=root)
    print("\n".join(str(path.relative_to(root)) for path in touched))
    return 0


def moved(text: str, old: str, new: str) -> str:
    """A text in which a module has moved."""
    parent, _, leaf = old.rpartition(".")
    to, _, name = new.rpartition(".")
    text = re.sub(rf"(?<![\w.]){re.escape(old)}(?!\w)", new, text)
    for a, b in ((f"{old.replace('.', '/')}{end}", f"{new.replace('.', '/')}{end}")
                 for end in (".py", "/")):  # fmt: skip
        text = re.sub(rf"(?<![\w/]){re.escape(a)}", b, text)
    imported = re.compile(
        rf"^([ ]*)from {re.escape(parent)} import (\([^)]*\)|[^\n(]*)$", re.MULTILINE
    )
    gone = False

    def apart(match: re.Match[str]) -> str:
        nonlocal gone
        names = [n.strip() for n in match[2].strip("()").split(",") if n.strip()]
        others = [n for n in names if n.split(" as ")[0] != leaf]
        if len(others) == len(names):
            return match[0]
        gone = gone or leaf in names
        lines = [f"from {to} import {n.replace(leaf, name, 1)}" for n in names if n not in others]
        lines += [f"from {parent} import {', '.join(others)}"] if others else []
        return "\n".join(match[1] + line for line in lines)

    text = imported.sub(apart, text)
    if gone and leaf != name:
        text = _tokens(text, leaf, name, lambda before, after: before != "." and after == ".")
    if f'"{parent}"' in text:  # rooms of contracts go by their last name within their container
        blocks = text.split("[[tool.importlinter.contracts]]")
        inside = rf'(?<=["| ]){leaf}(?=["| ])'
        blocks = [
            re.sub(inside, name, b) if f'containers = ["{parent}"]' in b and to == parent else b
            for b in blocks
        ]
        text = "[[tool.importlinter.contracts]]".join(blocks)
    return text


def renamed(text: str, module: str, old: str, new: str, *, home: bool) -> str:
    """A module in which a name of a module is another one."""
    parent, _, leaf = module.rpartition(".")
    text = re.sub(rf"(?<![\w.]){re.escape(module)}\.{old}\b", f"{module}.{new}", text)
    direct = rf"from {re.escape(module)} import (\([^)]*\b{old}\b[^)]*\)|[^\n(]*\b{old}\b)"
    if re.search(rf"from {re.escape(parent)} import (\([^)]*\b{leaf}\b|[^\n(]*\b{leaf}\b)", text):
        text = re.sub(rf"(?<![\w.]){leaf}\.{old}\b", f"{leaf}.{new}", text)
    if home or re.search(direct, text):
        return _tokens(text, old, new, lambda before, _: home or before != ".", quoted=home)
    return text


def _tokens(text: str, old: str, new: str, wanted, *, quoted: bool = False) -> str:
    """A source with a name replaced where the code says it, and in its doctests and backquotes."""
    quotes = "[`\"']" if quoted else "`"  # in its module: `__all__`
    lines = text.splitlines(keepends=True)
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    for i in reversed(range(len(tokens))):
        token = tokens[i]
        (row, start), (_, end) = token.start, token.end
        if token.type == tokenize.NAME and token.string == old:
            if wanted(tokens[i - 1].string if i else "", tokens[i + 1].string):
                lines[row - 1] = lines[row - 1][:start] + new + lines[row - 1][end:]
        elif token.type in {tokenize.STRING, tokenize.COMMENT}:
            for r in range(token.start[0] - 1, token.end[0]):
                if lines[r].lstrip().startswith((">>>", "...")):
                    lines[r] = re.sub(rf"\b{old}\b", new, lines[r])
                lines[r] = re.sub(rf"(?<={quotes}){old}(?={quotes})", new, lines[r])
    return "".join(lines)


def _quoted(text: str, old: str, new: str, module: str) -> str:
    """A record whose entries about a module quote its code."""
    parts = re.split(r"(?m)^(?=\[\[)", text)
    return "".join(re.sub(rf"\b{old}\b", new, p) if f'"{module}"' in p else p for p in parts)


def _files(root: Path) -> Iterator[Path]:
    listed = subprocess.run(["git", "ls-files"], cwd=root, check=True, capture_output=True)
    for line in listed.stdout.decode().splitlines():
        if Path(line).suffix in TEXTS and (root / line).is_file():
            yield root / line


def _place(root: Path, dotted: str) -> Path | None:
    place = root / Path(*dotted.split("."))
    if place.is_dir():
        return place
    return place.with_suffix(".py") if place.with_suffix(".py").is_file() else None


def _moved(path: Path, old: Path, new: Path) -> Path:
    return new / path.relative_to(old) if path.is_relative_to(old) else path


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:], root=Path(__file__).resolve().parents[1]))
