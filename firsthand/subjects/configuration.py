"""Subjects by name: which ones exist, and how a configuration becomes one."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Protocol

from firsthand.core.errors import ConfigurationError
from firsthand.core.identity import Json, canonical_json, digest_json
from firsthand.core.keys import check_keys
from firsthand.core.registry import Registry
from firsthand.subjects.subject import Subject

__all__ = [
    "SUBJECTS",
    "BaselineSettings",
    "SubjectConfiguration",
    "SubjectSettings",
    "subject_from_json",
]

# Each subject takes settings of its own kind; a configuration holds name and settings together.
SubjectFactory = Callable[[Any], Subject]

SUBJECTS: Registry[SubjectFactory] = Registry("subject")


class SubjectSettings(Protocol):
    """What the settings of every subject have in common; frozen, and fit to be pickled."""

    @property
    def subject_id(self) -> str:
        """Its name on the leaderboard."""
        ...


@dataclass(frozen=True, slots=True)
class BaselineSettings:
    """Settings of a baseline.

    Args:
        subject_id: Its name on the leaderboard.
        latency_us: Declared time of an answer.
        latency_us_per_word: Declared time for each word or narration word heard so far.
        seed: Seed of what it draws; of no effect on subjects that draw nothing.
    """

    subject_id: str
    latency_us: int = 500_000
    latency_us_per_word: int = 0
    seed: int = 0

    @property
    def digest(self) -> str:
        """Digest of all settings but the name."""
        return digest_json([self.latency_us, self.latency_us_per_word, self.seed])[:12]


@dataclass(frozen=True, slots=True)
class SubjectConfiguration:
    """A subject as configured: its registered name and its settings.

    Args:
        name: Name in the registry `SUBJECTS`.
        settings: Its settings, of the kind that the subject takes.
        gpus: GPUs that a worker must have free to ask it; changes no reply.
    """

    name: str
    settings: SubjectSettings
    gpus: int = 0

    def build(self) -> Subject:
        """Return the subject, ready to follow streams."""
        return SUBJECTS[self.name](self.settings)


def subject_from_json(value: Json) -> SubjectConfiguration:
    """Return the baseline that a configuration describes, every key checked.

    Args:
        value: An object with `subject`, its registered name, and settings under their
            names; `subject_id` defaults to the registered name.

    Raises:
        ConfigurationError: If it is no object or a value has the wrong kind or range.
        UnknownKeyError: If a key names no setting.
        UnknownNameError: If no such subject is registered.
    """
    if not isinstance(value, Mapping) or not isinstance(value.get("subject"), str):
        raise ConfigurationError(
            "subject configuration",
            canonical_json(value).decode()[:80],
            "an object with the key 'subject'",
            f"Name one of {', '.join(SUBJECTS)}.",
        )
    name = str(value["subject"])
    check_keys(
        f"subject {name!r}", value, ["subject", *(field.name for field in fields(BaselineSettings))]
    )
    _ = SUBJECTS[name]
    return SubjectConfiguration(name, _settings(name, value))


def _settings(name: str, value: Mapping[str, Json]) -> BaselineSettings:
    subject_id = value.get("subject_id", name)
    if not isinstance(subject_id, str) or not subject_id:
        raise _wrong(name, "subject_id", subject_id, "a name")
    default = BaselineSettings(subject_id)
    return BaselineSettings(
        subject_id,
        latency_us=_amount(name, value, "latency_us", default.latency_us),
        latency_us_per_word=_amount(
            name, value, "latency_us_per_word", default.latency_us_per_word
        ),
        seed=_amount(name, value, "seed", default.seed),
    )


def _amount(name: str, value: Mapping[str, Json], key: str, default: int) -> int:
    given = value.get(key, default)
    if isinstance(given, bool) or not isinstance(given, int) or given < 0:
        raise _wrong(name, key, given, "a whole number of at least 0")
    return given


def _wrong(name: str, key: str, given: Json, expected: str) -> ConfigurationError:
    return ConfigurationError(
        f"subject {name!r}, {key}", repr(given), expected, "Correct the configuration."
    )
