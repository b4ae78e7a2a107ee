"""The one base of every error a user can meet, and the kinds that all rooms share.

A room with failures of its own subclasses `FirsthandError` next to the code that
raises it; a subclass is a name and a sentence, never a new constructor.
"""

from typing import ClassVar

__all__ = [
    "ConfigurationError",
    "DataFileError",
    "FirsthandError",
    "MissingEngineError",
    "MissingWeightsError",
    "PortInUseError",
    "UnfitWeightsError",
    "UnknownKeyError",
    "UnknownNameError",
]


class FirsthandError(Exception):
    """A failure that a user can understand and mend.

    It carries four sentences' parts and no payload: never a transcript, a picture,
    a secret or a reply. All four are positional so that the error survives pickling
    on its way through Dask and Prefect.

    Args:
        subject: What the failure is about, by name or id ("recording 'ab12…'").
        found: The value that was met.
        expected: What would have been right.
        remedy: What to do now, as a sentence.
    """

    exit_status: ClassVar[int] = 2

    def __init__(self, subject: str, found: str, expected: str, remedy: str) -> None:
        super().__init__(subject, found, expected, remedy)
        self.subject = subject
        self.found = found
        self.expected = expected
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.subject}: expected {self.expected}, found {self.found}. {self.remedy}"


class ConfigurationError(FirsthandError):
    """A configuration file holds a value that cannot be used."""


class UnknownKeyError(ConfigurationError):
    """A configuration file holds a key that nothing reads."""


class UnknownNameError(FirsthandError):
    """A name was asked of a registry that does not hold it."""


class DataFileError(FirsthandError):
    """A file from outside breaks its format; the message names file, item and field."""


class MissingEngineError(FirsthandError):
    """An engine needs a package, or an extra of this one, that is not installed."""


class MissingWeightsError(FirsthandError):
    """A weights file is absent, or its digest differs from the manifest."""


class PortInUseError(FirsthandError):
    """A server was to listen on a port that another process holds."""


class UnfitWeightsError(FirsthandError):
    """Weights of a user's are no model of the kind that their engine runs."""
