"""Stands in for pydantic in the page's Python, for which there is no wheel of it beside NumPy's.

It checks files by the same classes and the same validators: types, bounds, aliases, defaults, and
what a class says of itself afterwards. Messages about a mistake are shorter than pydantic's.
"""

from __future__ import annotations

import os
import re
import types
import typing
from collections.abc import Callable
from math import isfinite
from typing import Annotated, Any, ClassVar, Literal, Union, get_args, get_origin

ConfigDict = dict
GetCoreSchemaHandler = GetJsonSchemaHandler = JsonSchemaValue = ErrorDetails = Any
MISSING: Any = object()
os.umask(0o022)  # in the browser it is 0o777, and a file that was written could not be read
Read = Callable[[Any], Any]


class ValidationError(ValueError):
    """Mistakes, each with its place and the error that a validator raised."""

    def __init__(self, mistakes: list[tuple[tuple[Any, ...], Exception]]) -> None:
        super().__init__("; ".join(f"{'.'.join(map(str, at))}: {e}" for at, e in mistakes))
        self.mistakes = mistakes

    def errors(self, **_: Any) -> list[dict[str, Any]]:
        return [
            {"type": "value_error", "loc": at, "input": None, "ctx": {"error": e}, "msg": str(e)}
            for at, e in self.mistakes
        ]


class BeforeValidator:
    def __init__(self, func: Read, **_: Any) -> None:
        self.func = func

    def around(self, read: Read) -> Read:
        return lambda value: read(self.func(value))


class AfterValidator(BeforeValidator):
    def around(self, read: Read) -> Read:
        return lambda value: self.func(read(value))


class Strict:
    def __init__(self, strict: bool = True) -> None:
        self.strict = strict


class WithJsonSchema:
    def __init__(self, *_: Any, **__: Any) -> None:
        pass


class FieldInfo:
    def __init__(self, default: Any = MISSING, *, alias: str = "", **rules: Any) -> None:
        self.default, self.alias, self.rules = default, alias, rules

    def around(self, read: Read) -> Read:
        return lambda value: self._kept(read(value))

    def _kept(self, value: Any) -> Any:
        if value is None:
            return value
        for name, (sign, holds) in BOUNDS.items():
            if name in self.rules and not holds(value, self.rules[name]):
                raise ValueError(f"must be {sign} {self.rules[name]:g}, got {value:g}")
        if (least := self.rules.get("min_length")) and len(value) < least:
            raise ValueError(f"needs at least {least}, got {len(value)}")
        if (pattern := self.rules.get("pattern")) and not re.search(pattern, value):
            raise ValueError("must not be empty")
        return value


BOUNDS: dict[str, tuple[str, Callable[[Any, Any], bool]]] = {
    "ge": (">=", lambda a, b: a >= b),
    "gt": (">", lambda a, b: a > b),
    "le": ("<=", lambda a, b: a <= b),
    "lt": ("<", lambda a, b: a < b),
}


def Field(default: Any = MISSING, **rules: Any) -> Any:  # noqa: N802
    return FieldInfo(default, **rules)


def model_validator(*, mode: str) -> Callable[[Any], Any]:
    assert mode == "after"

    def marked(method: Any) -> Any:
        method.checks_all = True
        return method

    return marked


def no_info_before_validator_function(func: Read, schema: Read) -> Read:
    return BeforeValidator(func).around(schema)


core_schema = types.SimpleNamespace(
    no_info_before_validator_function=no_info_before_validator_function, CoreSchema=Any
)
json_schema = types.SimpleNamespace(JsonSchemaValue=Any)


def reader(kind: Any) -> Read:
    """What turns a plain value into one of a type."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        read = reader(parts[0])
        for each in parts[1:]:
            if hasattr(each, "__get_pydantic_core_schema__"):
                inside = read
                read = each.__get_pydantic_core_schema__(parts[0], lambda _, inside=inside: inside)
            elif hasattr(each, "around"):
                read = each.around(read)
        return read
    if origin in {Union, types.UnionType}:
        return _first_of([reader(part) for part in parts])
    if origin is Literal:
        return lambda value: _member(value, parts)
    if origin in {tuple, list}:
        return _sequence(origin, parts)
    if origin is dict:
        key, item = reader(parts[0]), reader(parts[1])
        return lambda value: {key(k): _at(k, item, v) for k, v in _is(value, dict).items()}
    if kind is Any:
        return lambda value: value
    if kind is None or kind is type(None):
        return lambda value: _is(value, type(None))
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return kind.model_validate
    return lambda value: _is(value, kind)


NAMES = {float: "number", int: "a whole number", str: "text", bool: "true or false", dict: "table"}


def _is(value: Any, kind: Any) -> Any:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if kind is float and number:
        if not isfinite(value):
            raise ValueError(f"must be finite, got {value}")
        return float(value)
    if kind is int and number and isinstance(value, int):
        return value
    if kind not in {int, float} and isinstance(value, kind):
        return value
    raise ValueError(f"expected {NAMES.get(kind, getattr(kind, '__name__', kind))}, got {value!r}")


def _member(value: Any, words: tuple[Any, ...]) -> Any:
    if value not in words:
        raise ValueError(f"unknown {value!r}; one of {', '.join(map(str, words))}")
    return value


def _first_of(readers: list[Read]) -> Read:
    def read(value: Any) -> Any:
        problem: Exception | None = None
        for each in readers:
            try:
                return each(value)
            except ValueError as error:
                problem = problem or error
        assert problem is not None
        raise problem

    return read


def _sequence(origin: Any, parts: tuple[Any, ...]) -> Read:
    if origin is list or (len(parts) == 2 and parts[1] is ...):
        each = reader(parts[0])
        return lambda value: origin(
            _at(i, each, v) for i, v in enumerate(_is(value, (list, tuple)))
        )
    readers = [reader(part) for part in parts]
    return lambda value: tuple(
        _at(i, read, v)
        for i, (read, v) in enumerate(zip(readers, _is(value, (list, tuple)), strict=True))
    )


def _at(place: Any, read: Read, value: Any) -> Any:
    try:
        return read(value)
    except ValidationError as error:
        raise ValidationError([((place, *at), e) for at, e in error.mistakes]) from None
    except ValueError as error:
        raise ValidationError([((place,), error)]) from None


class _Fields:
    """The fields of a class by name, found when asked for."""

    def __get__(self, _: Any, model: Any) -> dict[str, FieldInfo]:
        return {name: info for name, (_, info, _) in model._fields().items()}


class BaseModel:
    """A table of a file, read from plain values by the types of its fields."""

    model_config: ClassVar[dict[str, Any]] = {}
    model_fields = _Fields()

    def __init__(self, **given: Any) -> None:
        made = type(self).model_validate(given)
        self.__dict__.update(made.__dict__)

    @classmethod
    def _fields(cls) -> dict[str, tuple[str, FieldInfo, Read]]:
        """Alias, rules and reader of each field by its name, made on first use."""
        if "_made" not in cls.__dict__:
            found = {}
            for name, hint in typing.get_type_hints(cls, include_extras=True).items():
                kind = hint
                if name.startswith(("_", "model_")) or get_origin(kind) is ClassVar:
                    continue
                inside = get_args(kind)[1:] if get_origin(kind) is Annotated else ()
                infos = [each for each in inside if isinstance(each, FieldInfo)]
                default = getattr(cls, name, MISSING)
                if isinstance(default, FieldInfo):
                    infos.append(default)
                    kind = Annotated[kind, default]
                    default = default.default
                info = FieldInfo(default, alias=next((i.alias for i in infos if i.alias), name))
                for each in infos:
                    info.rules |= each.rules
                found[name] = (info.alias, info, reader(kind))
            cls._made = found
        return cls._made

    def __init_subclass__(cls, **_: Any) -> None:
        cls._checks = [
            getattr(cls, name)
            for parent in reversed(cls.__mro__)
            for name, each in vars(parent).items()
            if getattr(each, "checks_all", False)
        ]

    @classmethod
    def model_validate(cls, data: Any) -> Any:
        if isinstance(data, cls):
            return data
        left = dict(_is(data, dict))
        self = object.__new__(cls)
        mistakes: list[tuple[tuple[Any, ...], Exception]] = []
        kept: set[str] = set()
        for name, (alias, info, read) in cls._fields().items():
            value = left.pop(alias, MISSING)
            if value is MISSING:
                if info.default is MISSING and "default_factory" in info.rules:
                    value = info.rules["default_factory"]()
                elif info.default is MISSING:
                    mistakes.append(((alias,), ValueError("required")))
                    continue
                else:
                    value = info.default
            else:
                kept.add(name)
                try:
                    value = _at(alias, read, value)
                except ValidationError as error:
                    mistakes.extend(error.mistakes)
            self.__dict__[name] = value
        if cls.model_config.get("extra") == "forbid":
            mistakes.extend(((key,), ValueError("no such key")) for key in left)
        if mistakes:
            raise ValidationError(mistakes)
        self.__dict__["model_fields_set"] = kept
        for check in cls._checks:
            try:
                self = check(self)
            except ValidationError:
                raise
            except ValueError as error:
                raise ValidationError([((), error)]) from None
        return self

    def model_copy(self, *, update: dict[str, Any] | None = None) -> Any:
        made = object.__new__(type(self))
        kept = self.model_fields_set | set(update or {})
        made.__dict__.update(self.__dict__ | (update or {}) | {"model_fields_set": kept})
        return made

    def model_dump(self, **_: Any) -> dict[str, Any]:
        def plain(value: Any) -> Any:
            if isinstance(value, BaseModel):
                return value.model_dump()
            if isinstance(value, tuple | list):
                return type(value)(map(plain, value))
            return {k: plain(v) for k, v in value.items()} if isinstance(value, dict) else value

        return {name: plain(self.__dict__[name]) for name in self._fields()}

    @classmethod
    def model_json_schema(cls, **_: Any) -> dict[str, Any]:
        """Which keys there are, table by table; no more is asked of it here."""
        defs: dict[str, Any] = {}

        def table(model: Any) -> dict[str, Any]:
            kinds = typing.get_type_hints(model, include_extras=True)
            return {"properties": {a: part(kinds[n]) for n, (a, _, _) in model._fields().items()}}

        def part(kind: Any) -> dict[str, Any]:
            if isinstance(kind, type) and issubclass(kind, BaseModel):
                if kind.__name__ not in defs:
                    defs[kind.__name__] = {}
                    defs[kind.__name__].update(table(kind))
                return {"$ref": f"#/$defs/{kind.__name__}"}
            inside = [part(each) for each in get_args(kind) if each is not ...]
            found = next((each for each in inside if each), {})
            return {"items": found} if get_origin(kind) is tuple and "$ref" in found else found

        return {**table(cls), "$defs": defs}

    def _key(self) -> tuple[Any, ...]:
        return tuple(self.__dict__[name] for name in self._fields())

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._key() == other._key()  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash((type(self), self._key()))

    def __setattr__(self, name: str, _: Any) -> None:
        raise ValueError(f"{type(self).__name__}.{name} is frozen")

    def __repr__(self) -> str:
        shown = ", ".join(f"{n}={v!r}" for n, v in zip(self._fields(), self._key(), strict=True))
        return f"{type(self).__name__}({shown})"
