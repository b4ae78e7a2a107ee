"""Reading a YAML file into a strict record, with errors that name file, key and remedy."""

import difflib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args

import yaml
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, ValidationError
from pydantic import ValidationInfo as Info
from pydantic_core import ErrorDetails, PydanticCustomError

from firsthand.core.errors import ConfigurationError, UnknownKeyError
from firsthand.core.text import same_name

__all__ = ["ExistingPath", "LocalPath", "LocalPaths", "Record", "WeightsPath", "load_record"]

_SECRET_KEYS = frozenset({"salt", "api_key", "token", "password"})
_LONGEST_VALUE = 60


class Record(BaseModel):
    """A frozen record that refuses unknown keys and never turns one type into another."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


Loaded = TypeVar("Loaded", bound=Record)


def _inside_folder(text: object, info: Info) -> Path:
    folder = Path(str((info.context or {})["folder"]))
    if not isinstance(text, str) or not text:
        raise PydanticCustomError("local_path", "a path relative to this file")
    path = (folder / text).resolve()
    if Path(text).is_absolute() or not path.is_relative_to(folder):
        raise PydanticCustomError("local_path", "a relative path that stays in this file's folder")
    return _as_on_disk(path)


def _as_on_disk(path: Path) -> Path:
    """Return a path as the file system spells it, where only the form of accents differs."""
    if path.exists() or path.parent == path:
        return path
    parent = _as_on_disk(path.parent)
    if parent.is_dir():
        for found in parent.iterdir():
            if same_name(found.name) == same_name(path.name):
                return found
    return parent / path.name


def _existing(path: Path) -> Path:
    if not path.exists():
        raise PydanticCustomError("missing_path", "a file or folder that exists")
    return path


def _as_list(value: object) -> object:
    return tuple(value) if isinstance(value, list) else (value,)


def _beside_or_absolute(text: object, info: Info) -> Path:
    if not isinstance(text, str) or not text:
        raise PydanticCustomError("weights_path", "a path, absolute or relative to this file")
    return Path(str((info.context or {})["folder"])) / text


LocalPath = Annotated[Path, BeforeValidator(_inside_folder)]
"""A path written relative to the YAML file, absolute once read; it need not exist."""

ExistingPath = Annotated[LocalPath, AfterValidator(_existing)]

WeightsPath = Annotated[Path, BeforeValidator(_beside_or_absolute)]
"""Where a user keeps weights: anywhere on the machine. The engine says if they are absent."""

LocalPaths = Annotated[tuple[ExistingPath, ...], BeforeValidator(_as_list)]
"""One existing file or folder, or a list of them."""


def load_record(path: Path, model: type[Loaded]) -> Loaded:
    """Return the record that a YAML file holds; its paths are relative to the file.

    Raises:
        UnknownKeyError: If the file holds a key that the record does not know.
        ConfigurationError: If the file cannot be read, or a value cannot be used.
    """
    content = _read_mapping(path)
    try:
        return model.model_validate(content, context={"folder": path.parent.resolve()})
    except ValidationError as error:
        raise _explained(path, model, error) from None


class _StrictLoader(yaml.SafeLoader):
    """Safe YAML that refuses a key written twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002 - PyYAML's signature
        keys: set[object] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if key in keys:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key!r} is written twice", key_node.start_mark
                )
            keys.add(key)
        mapping: dict[Any, Any] = super().construct_mapping(node, deep)
        return mapping


def _read_mapping(path: Path) -> dict[str, Any]:
    try:
        content = yaml.load(path.read_text(encoding="utf-8-sig"), _StrictLoader)  # noqa: S506 - a SafeLoader
    except OSError as error:
        raise ConfigurationError(
            f"configuration file {path.name}",
            error.strerror or type(error).__name__,
            "a readable YAML file",
            "Correct the path.",
        ) from None
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        raise _not_yaml(path, error) from None
    if not isinstance(content, dict):
        raise ConfigurationError(
            f"configuration file {path.name}",
            type(content).__name__,
            "a mapping of keys to values",
            "Begin it with `schema_version: 1`.",
        )
    return content


def _not_yaml(path: Path, error: UnicodeDecodeError | yaml.YAMLError) -> ConfigurationError:
    mark = getattr(error, "problem_mark", None)
    where = f", line {mark.line + 1}, column {mark.column + 1}" if mark else ""
    return ConfigurationError(
        f"configuration file {path.name}{where}",
        str(getattr(error, "problem", None) or "bytes that are not UTF-8"),
        "YAML in UTF-8, each key once",
        "Mend the file at that place.",
    )


def _explained(path: Path, model: type[Record], error: ValidationError) -> ConfigurationError:
    problems = [_of_kind(problem) for problem in _own_problems(error)]
    first = problems[0]
    more = f" ({len(problems) - 1} more to mend)" if len(problems) > 1 else ""
    subject = f"configuration file {path.name}, key {_spelled(_keys_of(model, first['loc']))}"
    if first["type"] == "extra_forbidden":
        return _unknown_key(subject, more, first, model)
    return ConfigurationError(
        subject, _found(first), _expected(first), f"Correct this value{more}."
    )


def _of_kind(problem: ErrorDetails) -> ErrorDetails:
    """Return a problem with a union's kind as one with the key that names it."""
    if not problem["type"].startswith("union_tag_"):
        return problem
    context = problem.get("ctx", {})
    key = str(context.get("discriminator", "kind")).strip("'")
    given = problem["input"].get(key) if isinstance(problem["input"], Mapping) else None
    expected = context.get("expected_tags", f"a known {key}")
    return {
        **problem,
        "type": "missing" if given is None else "union_tag_invalid",
        "loc": (*problem["loc"], key),
        "input": given,
        "msg": f"one of {expected}",
    }


def _own_problems(error: ValidationError) -> list[ErrorDetails]:
    """Return the problems, unknown keys first, without those that follow from another.

    A misspelt key is also a missing one, and a list is too short where an item is bad.
    """
    problems = error.errors(include_url=False)
    paths = [problem["loc"] for problem in problems]
    own = [
        problem
        for problem in problems
        if not any(
            len(path) > len(problem["loc"]) and path[: len(problem["loc"])] == problem["loc"]
            for path in paths
        )
    ]
    return sorted(own, key=lambda problem: problem["type"] != "extra_forbidden")


def _unknown_key(
    subject: str, more: str, problem: ErrorDetails, model: type[Record]
) -> UnknownKeyError:
    key = str(problem["loc"][-1])
    known = sorted(_model_at(model, problem["loc"][:-1]).model_fields)
    near = difflib.get_close_matches(key, known, n=1)
    remedy = f"Did you mean {near[0]!r}?" if near else "Remove the key."
    return UnknownKeyError(
        subject, f"the unknown key {key!r}{more}", f"one of {', '.join(known)}", remedy
    )


def _keys_of(model: type[Record], path: Sequence[int | str]) -> list[int | str]:
    """Return a path as it is written in the file: without the names of kinds in it."""
    return [step for step, _ in _walk(model, path) if step is not None]


def _model_at(model: type[Record], path: Sequence[int | str]) -> type[Record]:
    """Follow a path of keys, positions and kinds to the record that it ends in."""
    return [model, *(record for _, record in _walk(model, path))][-1]


def _walk(
    model: type[Record], path: Sequence[int | str]
) -> Iterator[tuple[int | str | None, type[Record]]]:
    """Yield each step of a path with the record that it leads to; None for a kind's name."""
    here = [model]
    for step in path:
        if isinstance(step, int):
            yield step, here[0]
            continue
        of_kind = [record for record in here if len(here) > 1 and _is_kind(record, step)]
        if of_kind:
            here = of_kind
            yield None, here[0]
            continue
        field = here[0].model_fields.get(step)
        here = (list(_records_in(field.annotation)) if field else []) or here
        yield step, here[0]


_DISCRIMINATORS = ("kind", "name")
"""Keys that say which record of a union is meant: of subjects, and of protocols."""


def _is_kind(record: type[Record], name: str) -> bool:
    """Whether a record of a union answers to that value of its discriminator."""
    return any(
        name in get_args(record.model_fields[key].annotation)
        for key in _DISCRIMINATORS
        if key in record.model_fields
    )


def _records_in(annotation: Any) -> Iterator[type[Record]]:  # noqa: ANN401 - of any type
    if isinstance(annotation, type) and issubclass(annotation, Record):
        yield annotation
        return
    for part in get_args(annotation):
        yield from _records_in(part)


def _spelled(path: Sequence[int | str]) -> str:
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.lstrip(".") or "(whole file)"


def _found(problem: ErrorDetails) -> str:
    value = problem["input"]
    if problem["type"] == "missing":
        return "nothing"
    if any(step in _SECRET_KEYS for step in problem["loc"]):
        return f"a value of type {type(value).__name__}, not shown"
    if isinstance(value, Mapping | list):
        return f"a {'mapping' if isinstance(value, Mapping) else 'list'}"
    text = repr(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}…"


def _expected(problem: ErrorDetails) -> str:
    if problem["type"] == "missing":
        return "a value for this required key"
    message = problem["msg"].removeprefix("Input should be ")
    return message[:1].lower() + message[1:]
