"""Rows of table `words`, as many as a test wants."""

import pyarrow as pa

from firsthand.store import table_from_rows
from firsthand.store.tables import WORDS


def words_heard(recording_id: str, count: int) -> pa.Table:
    """Return so many words of one recording."""
    return table_from_rows(
        WORDS,
        [
            {
                "participant_id": "p1",
                "recording_id": recording_id,
                "word_index": index,
                "text": "word",
                "begin_us": index,
                "end_us": index + 1,
                "speaker": "p1",
                "confidence": 1.0,
                "timing": "aligned",
                "mendings": [],
                "revision": 0,
                "engine": "ear",
                "redacted": False,
            }
            for index in range(count)
        ],
    )
