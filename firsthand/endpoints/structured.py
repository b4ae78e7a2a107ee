"""Replies held to a JSON schema, where the endpoint lets itself be held to one."""

from dataclasses import replace

from firsthand.endpoints.budget import Budget
from firsthand.endpoints.calls import Call
from firsthand.endpoints.endpoint import Endpoint
from firsthand.endpoints.errors import EndpointRefusedError
from firsthand.endpoints.privacy import InputPrivacy
from firsthand.endpoints.replies import Reply

__all__ = ["complete_in_schema"]


def complete_in_schema(
    endpoint: Endpoint, call: Call, privacy: InputPrivacy, budget: Budget
) -> Reply:
    """Return the reply to a call, which says whether it was held to the call's schema.

    An endpoint that refuses the call with a schema is asked once more without it: was it
    the schema, the reply is marked `schema_refused`; was it something else, the second
    refusal tells.

    Raises:
        FirsthandError: As `Endpoint.complete` does.
    """
    if call.reply_schema is None:
        return endpoint.complete(call, privacy, budget)
    try:
        return replace(endpoint.complete(call, privacy, budget), reply_format="schema")
    except EndpointRefusedError:
        free = endpoint.complete(replace(call, reply_schema=None), privacy, budget)
        return replace(free, reply_format="schema_refused")
