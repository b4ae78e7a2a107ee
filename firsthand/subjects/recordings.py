"""Recorded replies: what a run brought, ours or one in an official layout, to be replayed."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import cast

import pyarrow as pa

from firsthand.core.errors import DataFileError
from firsthand.core.identity import Json, canonical_json, digest_bytes
from firsthand.core.time import s_to_us
from firsthand.endpoints.replies import Finish, LatencySource, Reply
from firsthand.formats.teleego_run import TeleEgoRun

__all__ = [
    "Recording",
    "recording_of_replies",
    "recording_of_run",
    "recording_of_teleego",
    "replies_in",
]

AskKey = tuple[str, int]
"""Question and round."""


@dataclass(frozen=True, slots=True)
class Recording:
    """Replies by question and round, as one text that says everything.

    Args:
        payload: A JSON line for each reply, sorted.
    """

    payload: bytes

    @property
    def digest(self) -> str:
        """Digest of the replies; a name for them."""
        return digest_bytes(self.payload)


def recording_of_run(asks: pa.Table, replies: pa.Table) -> Recording:
    """Return the replies of one of our runs, from its rows of `asks` and `replies`."""
    by_key = {row["reply_key"]: row for row in replies.to_pylist()}
    found = {}
    for ask in asks.to_pylist():
        row = by_key.get(ask["reply_key"])
        if row is not None:
            key = (str(ask["question_id"]), int(ask["probe_round"]))
            found[key] = Reply(row["text"], row["finish"], row["latency_us"], row["latency_source"])
    return recording_of_replies(found)


def recording_of_teleego(run: TeleEgoRun) -> Recording:
    """Return the replies of a run that TeleEgo's released runners left.

    Of records of one ask the first counts. A record without a time counts as answered at
    once, as `firsthand score` counts it; one without a text is no reply.
    """
    found: dict[AskKey, Reply] = {}
    for part in run.participants:
        for record in part.records:
            text, elapsed_s = record.get("pred_text"), record.get("elapsed_time")
            if not isinstance(text, str) or not text.strip():
                continue
            probe_round = 0 if record["phase"] == "initial" else cast("int", record["round"])
            key = (f"teleego/{part.participant}/{record['index']}", probe_round)
            latency_us = s_to_us(cast("float", elapsed_s or 0.0))
            found.setdefault(key, Reply(text, "stop", latency_us, "measured"))
    return recording_of_replies(found)


def recording_of_replies(replies: Mapping[AskKey, Reply]) -> Recording:
    """Return replies by question and round as a recording."""
    lines = (_line(key, replies[key]) for key in sorted(replies))
    return Recording(b"".join(lines))


def _line(key: AskKey, reply: Reply) -> bytes:
    facts: Json = {"question_id": key[0], "probe_round": key[1], **asdict(reply)}
    return canonical_json(facts) + b"\n"


@lru_cache(maxsize=4)
def replies_in(path: Path) -> Mapping[AskKey, Reply]:
    """Return the replies in a recording's file, read once in a process.

    Raises:
        DataFileError: If the file is gone or no recording.
    """
    try:
        lines: Iterable[bytes] = path.read_bytes().splitlines()
        return dict(_reply(json.loads(line)) for line in lines)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataFileError(
            f"recording {path.name}",
            type(error).__name__,
            "a JSON line for each recorded reply",
            "Run the evaluation again from its run file, which makes the recording anew.",
        ) from None


def _reply(facts: Mapping[str, Json]) -> tuple[AskKey, Reply]:
    key = (str(facts["question_id"]), cast("int", facts["probe_round"]))
    return key, Reply(
        str(facts["text"]),
        cast("Finish", facts["finish"]),
        cast("int", facts["latency_us"]),
        cast("LatencySource", facts["latency_source"]),
    )
