"""Calls to models that speak over HTTP, and the store of their replies.

This room alone knows LiteLLM; it is imported when the first call is made, not before.
Errors are in `firsthand.endpoints.errors`.
"""

from firsthand.endpoints.budget import Budget
from firsthand.endpoints.calling import Calling
from firsthand.endpoints.calls import Call, Generation, Media, Turn
from firsthand.endpoints.endpoint import Endpoint, Patience, Price
from firsthand.endpoints.privacy import (
    DEIDENTIFIED,
    ORIGINAL,
    InputPrivacy,
    original_with_consent,
)
from firsthand.endpoints.replies import (
    Reply,
    ReplyIdentity,
    ReplyLog,
    ReplyOwner,
    erase_participant,
    reply_rows,
)
from firsthand.endpoints.spending import Spending, SpendingLog
from firsthand.endpoints.traffic import Lane, Traffic

__all__ = [
    "DEIDENTIFIED",
    "ORIGINAL",
    "Budget",
    "Call",
    "Calling",
    "Endpoint",
    "Generation",
    "InputPrivacy",
    "Lane",
    "Media",
    "Patience",
    "Price",
    "Reply",
    "ReplyIdentity",
    "ReplyLog",
    "ReplyOwner",
    "Spending",
    "SpendingLog",
    "Traffic",
    "Turn",
    "erase_participant",
    "original_with_consent",
    "reply_rows",
]
