"""Prompts of the model drafter: files with an id and a version."""

import tomllib
from dataclasses import dataclass
from importlib.resources import files
from string import Template

from firsthand.core.errors import DataFileError

__all__ = ["Prompt", "load_prompt", "read_prompt"]

_FIELDS = {"id": str, "version": int, "system": str, "user": str}


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt with blanks.

    Args:
        prompt_id: Its name.
        version: Raised with every change of its texts.
        system: What the model is told about its task; no blanks.
        user: What it is asked, blanks as `$name`.
    """

    prompt_id: str
    version: int
    system: str
    user: str

    @property
    def name(self) -> str:
        """Id and version, under which replies and drafts are known."""
        return f"{self.prompt_id}@{self.version}"

    def filled(self, **blanks: str) -> str:
        """Return the user's text with every blank filled.

        Raises:
            KeyError: If a blank has no value.
        """
        return Template(self.user).substitute(blanks)


def load_prompt(prompt_id: str) -> Prompt:
    """Return a prompt that comes with the package.

    Raises:
        DataFileError: If there is none of that id.
    """
    file = files("firsthand.drafting.prompts").joinpath(f"{prompt_id}.toml")
    if not file.is_file():
        raise DataFileError(
            f"prompt {prompt_id!r}",
            "no file of that name",
            "the id of a packaged prompt",
            "Correct the drafting prompt in the configuration.",
        )
    return read_prompt(f"{prompt_id}.toml", file.read_text(encoding="utf-8"))


def read_prompt(file: str, text: str) -> Prompt:
    """Return the prompt that a TOML text holds.

    Raises:
        DataFileError: If it is no TOML, or a field is missing, surplus or of another type.
    """
    try:
        fields = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _broken(file, str(error)) from error
    odd = sorted(set(fields) ^ set(_FIELDS))
    odd += [name for name, kind in _FIELDS.items() if not isinstance(fields.get(name), kind)]
    if odd:
        raise _broken(file, f"a fault in {', '.join(dict.fromkeys(odd))}")
    system, user = str(fields["system"]).strip(), str(fields["user"]).strip()
    return Prompt(str(fields["id"]), int(fields["version"]), system, user)


def _broken(file: str, found: str) -> DataFileError:
    return DataFileError(
        f"prompt file {file!r}",
        found,
        "TOML with id, version, system and user",
        "Restore the file, or complete it.",
    )
