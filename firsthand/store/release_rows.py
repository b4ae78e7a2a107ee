"""Which rows and columns a release carries, and how it names recordings."""

import hashlib
import hmac
import re
from collections.abc import Callable, Iterable, Mapping

import pyarrow as pa
import pyarrow.compute as pc

from firsthand.store.tables import TABLES

__all__ = [
    "RELEASED_TABLES",
    "Substitution",
    "belonging_rows",
    "released_rows",
    "salted_id",
    "salting",
]

RELEASED_TABLES = (
    "participants",
    "consents",
    "recordings",
    "timeline",
    "streams",
    "clips",
    "speakers",
    "words",
    "utterances",
    "narrations",
    "scenarios",
    "clip_setups",
    "clip_options",
    "clicks",
    "masks",
    "referents",
    "strokes",
    "questions",
    "options",
    "evidence",
    "deid_audit",
    "audit_results",
)
"""What a release may hold: never drafts, reviews, faces' places, or quarantined files."""

# A released row refers to a released row of these tables, by these columns. A recording
# belongs to a release if a clip of it does.
_OWNERS = (
    ("participant_id", "participants"),
    ("stream_id", "streams"),
    ("recording_id", "clips"),
    ("question_id", "questions"),
)
_SHORTEST_PREFIX = 12
_HEX_RUN = re.compile(rf"[0-9a-f]{{{_SHORTEST_PREFIX},64}}")

Substitution = Callable[[str], str]


def salted_id(salt: str, identifier: str) -> str:
    """Return the released form of a recording's id: an HMAC-SHA256, 64 hexadecimal digits.

    Whoever holds an original file can compute its id, but not its released form.
    """
    return hmac.new(salt.encode(), identifier.encode(), hashlib.sha256).hexdigest()


def salting(salt: str, recording_ids: Iterable[str]) -> Substitution:
    """Return the function that puts salted ids in place of recordings' ids inside a text.

    An id inside a longer identifier is replaced where it stands; so is a leading piece of
    one, of at least 12 digits, by as many digits of the salted form.
    """
    known = sorted(set(recording_ids))
    whole = {identifier: salted_id(salt, identifier) for identifier in known}

    def piece(match: re.Match[str]) -> str:
        run = match[0]
        found = next((name for name in known if name.startswith(run)), None)
        return run if found is None else whole[found][: len(run)]

    def substitute(text: str) -> str:
        for identifier in known:
            text = text.replace(identifier, whole[identifier])
        return _HEX_RUN.sub(piece, text)

    return substitute


def belonging_rows(tables: Mapping[str, pa.Table]) -> dict[str, pa.Table]:
    """Return the tables without the rows that refer to an owner which is not there.

    Owners are settled first, so that a participant who is left out takes along the
    streams, with them the clips, and with these everything else about the recordings.
    """
    kept = dict(tables)
    owned: dict[str, pa.Array] = {}
    for column, owner in _OWNERS:
        kept[owner] = _owned_rows(kept[owner], owned)
        owned[column] = kept[owner].column(column).combine_chunks()
    return {name: _owned_rows(rows, owned) for name, rows in sorted(kept.items())}


def released_rows(tables: Mapping[str, pa.Table], substitute: Substitution) -> dict[str, pa.Table]:
    """Return the released columns, recordings' ids disguised, rows sorted by key."""
    return {name: _released(name, rows, substitute) for name, rows in sorted(tables.items())}


def _owned_rows(rows: pa.Table, owned: Mapping[str, pa.Array]) -> pa.Table:
    for column in set(owned).intersection(rows.column_names):
        rows = rows.filter(pc.is_in(rows.column(column), value_set=owned[column]))
    return rows


def _released(name: str, rows: pa.Table, substitute: Substitution) -> pa.Table:
    spec = TABLES[name]
    rows = rows.select(spec.released_columns).combine_chunks()
    columns = [_substituted(rows.column(field.name), field, substitute) for field in rows.schema]
    salted = pa.Table.from_arrays(columns, schema=rows.schema)
    return salted.sort_by([(column, "ascending") for column in spec.key]).combine_chunks()


def _substituted(
    values: pa.ChunkedArray, field: pa.Field, substitute: Substitution
) -> pa.ChunkedArray:
    if pa.types.is_string(field.type):
        encoded = values.combine_chunks().dictionary_encode()
        words = pa.array([substitute(text) for text in encoded.dictionary.to_pylist()], pa.string())
        return pa.chunked_array([words.take(encoded.indices)])
    if pa.types.is_list(field.type) and pa.types.is_string(field.type.value_type):
        lists = [
            None if row is None else [substitute(text) for text in row]
            for row in values.to_pylist()
        ]
        return pa.chunked_array([pa.array(lists, field.type)])
    return values
