"""Transcription endpoints: sound in, words out, with the patience and privacy of every call."""

from firsthand.endpoints._client import Heard, attempt_transcription
from firsthand.endpoints.budget import Budget
from firsthand.endpoints.endpoint import Endpoint
from firsthand.endpoints.privacy import InputPrivacy, check_may_leave

__all__ = ["Heard", "transcribed"]


def transcribed(
    endpoint: Endpoint,
    wav: bytes,
    language: str,
    privacy: InputPrivacy,
    budget: Budget | None = None,
) -> Heard:
    """Return what an endpoint heard in a sound.

    Args:
        endpoint: A server that speaks OpenAI's protocol of audio transcriptions.
        wav: The sound as a WAV file.
        language: BCP 47 tag of what is spoken.
        privacy: What is known about the sound.
        budget: What may be spent; every attempt counts as a call.

    Raises:
        PrivateInputError: If an original would leave this machine without consent.
        BudgetExceededError: If the budget is used up.
        EndpointRefusedError: If the endpoint will not serve the call.
        EndpointBusyError: If it kept asking to come back later.
        EndpointUnreachableError: If it could not be reached or failed every time.
        EndpointAnswerError: If it answered with something that is no transcript.
    """
    if not endpoint.is_on_this_machine:
        check_may_leave(endpoint.name, privacy)

    spoken = language.split("-")[0]
    return endpoint.attempted(
        lambda target: attempt_transcription(target, wav, spoken), budget or Budget()
    )
