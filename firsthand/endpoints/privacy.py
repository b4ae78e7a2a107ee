"""What may be sent where: originals stay on this machine unless a consent allows it."""

from dataclasses import dataclass

from firsthand.endpoints.errors import PrivateInputError

__all__ = ["DEIDENTIFIED", "ORIGINAL", "InputPrivacy", "check_may_leave", "original_with_consent"]


@dataclass(frozen=True, slots=True)
class InputPrivacy:
    """What is known about the input of a call; made by the three names beside it.

    Args:
        is_deidentified: Whether bystanders have been removed from it.
        consent_id: The recorded consent that lets the original leave this machine.
    """

    is_deidentified: bool
    consent_id: str | None = None


DEIDENTIFIED = InputPrivacy(is_deidentified=True)
ORIGINAL = InputPrivacy(is_deidentified=False)


def original_with_consent(consent_id: str) -> InputPrivacy:
    """Return the privacy of an original that a recorded consent lets leave this machine.

    Raises:
        ValueError: If no consent is named.
    """
    if not consent_id:
        raise ValueError("an original leaves this machine only with a named consent")
    return InputPrivacy(is_deidentified=False, consent_id=consent_id)


def check_may_leave(subject: str, privacy: InputPrivacy) -> None:
    """Return if input of this privacy may go to a machine elsewhere.

    Args:
        subject: What it would be sent to, for the error.
        privacy: What is known about the input.

    Raises:
        PrivateInputError: If it is an original without a consent.
    """
    if privacy.is_deidentified or privacy.consent_id is not None:
        return
    raise PrivateInputError(
        subject,
        "input that is not de-identified",
        "de-identified input, or a recorded consent to send the original",
        "De-identify it first, use an engine on this machine, or record the consent.",
    )
