"""Replies, kept under the digest of everything they depend on.

Each worker appends to a log of its own, one JSON line a reply, and reads the logs
of all. A process killed in the middle of a line leaves a torn one: it is counted, passed
over and fenced off from what is appended next. Failures are never replies: what went wrong
once must be asked again.
"""

import json
import math
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal, cast

from firsthand.core.errors import FirsthandError
from firsthand.core.identity import Json, canonical_json, checked_id, digest_json
from firsthand.core.time import s_to_us
from firsthand.store.files import append_lines, replaced_file, sync_file

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

# Waiting for the disk takes milliseconds, many times what a baseline takes to answer.
_SETTLED_EVERY_S = 0.1

Finish = Literal["stop", "length"]
LatencySource = Literal["measured", "declared"]
ReplyFormat = Literal["free", "schema", "schema_refused"]


class UnstorableReplyError(FirsthandError):
    """A failure was to be stored as a reply."""


class ReplyMissingError(FirsthandError):
    """A reply is needed that no log holds."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a subject said, and what it took.

    Args:
        text: The reply as sent, unread; empty only if it was cut by length.
        finish: `stop` if the subject ended it, `length` if a limit cut it.
        latency_us: From the call, or the due moment, to the last token; retry waits left out.
        latency_source: Whether the latency was measured or declared by the subject.
        input_tokens: Tokens read; None if the subject does not count.
        output_tokens: Tokens written; None likewise.
        cost_usd: Price of the call; None if no price is known.
        reply_format: `free`; `schema` if the endpoint was held to a JSON schema, or
            `schema_refused` if it would not be, and answered without one.
    """

    text: str
    finish: Finish
    latency_us: int
    latency_source: LatencySource = "measured"
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    reply_format: ReplyFormat = "free"

    @property
    def is_storable(self) -> bool:
        """Whether this is a reply and not a failure that looks like one."""
        return self.finish == "length" or (self.finish == "stop" and bool(self.text.strip()))


@dataclass(frozen=True, slots=True)
class ReplyOwner:
    """Who a stored reply is from and about.

    Args:
        participant_id: The participant whose data was shown; a withdrawal erases by it.
        subject_id: The subject that replied.
    """

    participant_id: str
    subject_id: str


@dataclass(frozen=True, slots=True)
class ReplyIdentity:
    """Everything a reply depends on.

    Args:
        subject_id: The subject.
        subject_revision: Its weights, version or prompt program; another one is another reply.
        prompt: The rendered prompt.
        media: Digests of bytes, or records of source digest, PTS range, sampling and size.
        history: Digests of the session's earlier turns, in order.
        arguments: Generation arguments: limits, temperature, seed.
        sample_index: Which of several samples of one ask.
    """

    subject_id: str
    subject_revision: str
    prompt: str
    media: tuple[Json, ...] = ()
    history: tuple[str, ...] = ()
    arguments: Mapping[str, Json] = field(default_factory=dict)
    sample_index: int = 0

    @property
    def key(self) -> str:
        """The digest under which the reply is kept."""
        return digest_json({**asdict(self), "arguments": dict(self.arguments)})


_OFFSET_BITS = 44
"""A place is one number, the log above and the offset below: there are very many places."""


@dataclass(slots=True)
class _Scanned:
    """How far a log was read: the file itself, since a withdrawal replaces it."""

    file_id: int
    until_bytes: int = 0


class ReplyLog:
    """The replies in a folder of logs; this worker's threads append to its own.

    Only the places of replies are held in memory, not their texts. If logs hold several
    replies under one key, the last of the last log by name counts.

    Args:
        folder: Where the logs of all workers lie; made on the first `put`.
        worker: Name of this worker; two that run at the same time need two names.
        clock: Seconds that pass, for how often the disk is waited for.
    """

    def __init__(
        self, folder: Path, worker: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._folder = folder
        self._own = folder / f"{checked_id('worker', worker).replace('/', '~')}.jsonl"
        self._places: dict[str, int] = {}
        self._logs: list[Path] = []
        self._scanned: dict[Path, _Scanned] = {}
        self._torn: set[int] = set()
        self._writing = threading.Lock()
        self._clock = clock
        self._is_settled = True
        self._settled_s = -math.inf
        self.refresh()

    def __contains__(self, key: str) -> bool:
        return key in self._places

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._places))

    @property
    def torn_lines(self) -> int:
        """Lines that a killed writer left unreadable."""
        return len(self._torn)

    def get(self, key: str) -> Reply | None:
        """Return the reply under `key`, or None if it must be asked for."""
        record = self._record(key)
        return None if record is None else _reply_of(record)

    def owner(self, key: str) -> ReplyOwner | None:
        """Return whom the reply under `key` is from and about, or None if there is none."""
        record = self._record(key)
        return None if record is None else _owner_of(record)

    def put(self, key: str, reply: Reply, owner: ReplyOwner) -> None:
        """Store a reply: when this returns, the death of this process does not lose it.

        Neither does a power cut, but for replies that took next to no time to get and
        came within a tenth of a second of another: those it may lose until `settle`.

        Raises:
            UnstorableReplyError: If it is a failure: no text although the subject ended it.
        """
        if not reply.is_storable:
            raise UnstorableReplyError(
                f"reply {key[:12]!r} of {owner.subject_id!r}",
                f"{len(reply.text)} characters and finish {reply.finish!r}",
                "a text, or a finish by length",
                "Record the ask as failed; it is asked again on the next run.",
            )
        with self._writing:
            _fence(self._own)
            record = {"reply_key": key, **asdict(owner), **asdict(reply)}
            is_due = _took_long(reply) or self._clock() - self._settled_s >= _SETTLED_EVERY_S
            append_lines(self._own, [record], durable=is_due)
            self._note_settled(is_settled=is_due)
            self._scan(self._own)

    def settle(self) -> None:
        """Return once a power cut loses none of the replies stored so far."""
        with self._writing:
            if not self._is_settled:
                sync_file(self._own)
                self._note_settled(is_settled=True)

    def refresh(self) -> None:
        """Take up what other workers have stored since."""
        with self._writing:
            for log in sorted(self._folder.glob("*.jsonl")):
                self._scan(log)

    def _note_settled(self, *, is_settled: bool) -> None:
        self._is_settled = is_settled
        if is_settled:
            self._settled_s = self._clock()

    def _scan(self, log: Path) -> None:
        file_id = log.stat().st_ino
        scanned = self._scanned.get(log)
        if scanned is None:
            self._logs.append(log)
            scanned = _Scanned(file_id)
        elif scanned.file_id != file_id:
            self._forget(log)
            scanned = _Scanned(file_id)
        self._scanned[log] = scanned
        above = self._logs.index(log) << _OFFSET_BITS
        with log.open("rb") as file:
            file.seek(scanned.until_bytes)
            for line in file:
                self._index(above | scanned.until_bytes, line)
                # An unterminated last line stays unscanned: its writer may still be at work.
                if line.endswith(b"\n"):
                    scanned.until_bytes += len(line)

    def _forget(self, log: Path) -> None:
        """Drop the places of a log that was replaced: its offsets mean nothing any more."""
        number = self._logs.index(log)
        here = [key for key, place in self._places.items() if place >> _OFFSET_BITS == number]
        for key in here:
            del self._places[key]
        self._torn = {place for place in self._torn if place >> _OFFSET_BITS != number}

    def _index(self, place: int, line: bytes) -> None:
        records, whole = _records(line)
        if not whole:
            self._torn.add(place)
        for record in records:
            reply = _reply_of(record)
            if reply is not None and reply.is_storable and "reply_key" in record:
                self._places[str(record["reply_key"])] = place

    def _record(self, key: str) -> dict[str, Json] | None:
        place = self._places.get(key)
        if place is None:
            return None
        with self._logs[place >> _OFFSET_BITS].open("rb") as file:
            file.seek(place & ((1 << _OFFSET_BITS) - 1))
            records, _ = _records(file.readline())
        found = [record for record in records if record.get("reply_key") == key]
        # A log that was replaced since holds something else here; `refresh` finds out.
        return found[-1] if found else None


def reply_rows(log: ReplyLog, keys: Iterable[str], *, run_id: str) -> Iterator[dict[str, object]]:
    """Yield the rows of table `replies` for the keys of one run, each key once.

    Raises:
        ReplyMissingError: If a key is in no log.
    """
    for key in sorted(set(keys)):
        reply, owner = log.get(key), log.owner(key)
        if reply is None or owner is None:
            raise ReplyMissingError(
                f"reply {key[:12]!r} of run {run_id!r}",
                "no log that holds it",
                "every reply of the run",
                "Run the evaluation again; it asks only what is missing.",
            )
        yield {"reply_key": key, "run_id": run_id, **asdict(owner), **asdict(reply)}


def erase_participant(folder: Path, participant_id: str, scratch: Path) -> int:
    """Remove every reply about a participant from all logs; return how many.

    Torn lines go too, since they may hold part of one. No worker may be writing.
    """
    erased = 0
    for log in sorted(folder.glob("*.jsonl")):
        with (
            replaced_file(log, scratch) as temporary,
            log.open("rb") as old,
            temporary.open("wb") as new,
        ):
            for record in (record for line in old for record in _records(line)[0]):
                if record.get("participant_id") == participant_id:
                    erased += 1
                else:
                    new.write(canonical_json(record) + b"\n")
    return erased


def _took_long(reply: Reply) -> bool:
    is_measured = reply.latency_source == "measured"
    return is_measured and reply.latency_us >= s_to_us(_SETTLED_EVERY_S)


def _fence(log: Path) -> None:
    """End a torn last line, so that the next record does not stick to it."""
    if not log.exists() or log.stat().st_size == 0:
        return
    with log.open("rb+") as file:
        file.seek(-1, 2)
        if file.read(1) != b"\n":
            file.write(b"\n")


def _records(line: bytes) -> tuple[list[dict[str, Json]], bool]:
    """Return the whole records in a line, and whether there was nothing else in it."""
    text = line.decode("utf-8", errors="replace").strip("\r\n \ufeff")
    records: list[dict[str, Json]] = []
    decoder = json.JSONDecoder()
    while text:
        try:
            record, end = decoder.raw_decode(text)
        except json.JSONDecodeError:
            return records, False
        if not isinstance(record, dict):
            return records, False
        records.append(record)
        text = text[end:].lstrip()
    return records, True


def _reply_of(record: Mapping[str, Json]) -> Reply | None:
    text, finish, latency_us = record.get("text"), record.get("finish"), record.get("latency_us")
    if not isinstance(text, str) or not isinstance(latency_us, int):
        return None
    source = record.get("latency_source")
    if finish not in ("stop", "length") or source not in ("measured", "declared"):
        return None
    return Reply(
        text=text,
        finish=finish,
        latency_us=latency_us,
        latency_source=source,
        input_tokens=cast("int | None", record.get("input_tokens")),
        output_tokens=cast("int | None", record.get("output_tokens")),
        cost_usd=cast("float | None", record.get("cost_usd")),
        # Replies of before schemas were sent say nothing of it: none was.
        reply_format=cast("ReplyFormat", record.get("reply_format", "free")),
    )


def _owner_of(record: Mapping[str, Json]) -> ReplyOwner:
    return ReplyOwner(str(record["participant_id"]), str(record["subject_id"]))
