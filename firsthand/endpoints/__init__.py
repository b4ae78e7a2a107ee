"""Calls to models that speak over HTTP, and the store of their replies.

This room alone knows LiteLLM; it is imported when the first call is made, not before.
"""

from firsthand.endpoints.replies import (
    Reply,
    ReplyIdentity,
    ReplyLog,
    ReplyMissingError,
    ReplyOwner,
    UnstorableReplyError,
    erase_participant,
    reply_rows,
)

__all__ = [
    "Reply",
    "ReplyIdentity",
    "ReplyLog",
    "ReplyMissingError",
    "ReplyOwner",
    "UnstorableReplyError",
    "erase_participant",
    "reply_rows",
]
