"""Narrations in the pages: verified, typed, spoken; what a build takes from them."""

import io
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from firsthand.curation.narration_items import reviewed_narrations
from firsthand.media.sound import mono_16k
from firsthand.store import Store, read_table
from firsthand.store.reviews import ReviewStore
from firsthand.store.tables import NARRATIONS
from tests.unit.review_app.desk_store import (
    FOOTAGE,
    LENGTH_US,
    RECORDING,
    SECOND_US,
    Reviewer,
    fields_of,
    make_store,
)

ADDRESS = f"/review/small/narration/item/{RECORDING}/0"
IMPORTED = ("The wearer points at a cup.", SECOND_US, 3 * SECOND_US, "imported")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return make_store(tmp_path / "store")


@pytest.fixture
def anna(store: Store) -> Reviewer:
    return Reviewer(store, "anna")


def send(anna: Reviewer, decision: str, **changed: Any) -> Any:
    fields = {**fields_of(anna.client.get(ADDRESS).text), "decision": decision, **changed}
    return anna.client.post(ADDRESS, data=fields, follow_redirects=False)


def told(store: Store) -> list[tuple[Any, ...]]:
    rows = read_table(store, "small", NARRATIONS).to_pylist()
    decisions = ReviewStore.open(store.reviews).decisions()
    found = reviewed_narrations(RECORDING, rows, decisions, LENGTH_US)
    return [(one["text"], one["begin_us"], one["end_us"], one["source"]) for one in found]


def sentences(*given: tuple[str, str, str, str]) -> dict[str, list[str]]:
    begins, ends, texts, sources = (list(column) for column in zip(*given, strict=True))
    names = ("narration_begin", "narration_end", "narration_text", "narration_source")
    return dict(zip(names, (begins, ends, texts, sources), strict=True))


def test_an_imported_minute_waits_and_is_verified_as_it_is(store: Store, anna: Reviewer) -> None:
    assert "<b>1</b> of 1 waits for you" in anna.client.get("/").text
    assert send(anna, "accept").status_code == 303
    (decision,) = ReviewStore.open(store.reviews).decisions()
    assert (decision.decision.value, decision.edit) == ("accept", {})
    assert told(store) == [IMPORTED]


def test_what_is_typed_counts_beside_what_was_imported(store: Store, anna: Reviewer) -> None:
    new = ("4.25", "6", " The wearer  opens a drawer. ", "typed")
    old = ("1.000", "3.000", IMPORTED[0], "imported")
    assert send(anna, "accept", **sentences(new, old)).status_code == 303
    assert told(store) == [
        IMPORTED,
        ("The wearer opens a drawer.", 4_250_000, 6_000_000, "typed"),
    ]


def test_a_sentence_that_was_touched_is_no_longer_the_importers(
    store: Store, anna: Reviewer
) -> None:
    send(anna, "accept", **sentences(("1.000", "3.000", "The wearer lifts a cup.", "imported")))
    assert told(store) == [("The wearer lifts a cup.", SECOND_US, 3 * SECOND_US, "typed")]


@pytest.mark.parametrize(
    "times", [("4", "4"), ("4", "15"), ("-1", "2"), ("soon", "2"), ("nan", "2")]
)
def test_a_sentence_at_no_time_is_refused(
    store: Store, anna: Reviewer, times: tuple[str, str]
) -> None:
    answer = send(anna, "accept", **sentences((*times, "A drawer.", "typed")))
    assert answer.status_code == 422
    assert ReviewStore.open(store.reviews).decisions() == []


def spoken_note(length_s: int) -> bytes:
    """The begin of the sample's speech as a browser's recorder encodes it: Opus in WebM."""
    samples = mono_16k(FOOTAGE)[: length_s * 16_000]
    encoded = io.BytesIO()
    with av.open(encoded, "w", format="webm") as media:
        stream = media.add_stream("libopus", rate=48_000)
        resampler = av.AudioResampler(format="flt", layout="mono", rate=48_000)
        frame = av.AudioFrame.from_ndarray(samples[np.newaxis], format="flt", layout="mono")
        frame.sample_rate = 16_000
        stream.layout = "mono"
        for made in resampler.resample(frame):
            for packet in stream.encode(made):
                media.mux(packet)
        for packet in stream.encode(None):
            media.mux(packet)
    return encoded.getvalue()


def test_a_spoken_sentence_is_written_down(anna: Reviewer) -> None:
    token = fields_of(anna.client.get(ADDRESS).text)["form_token"][0]
    for note, status, words in (
        (spoken_note(4), 200, "cup"),
        (b"no sound at all", 422, "Record it again"),
    ):
        answer = anna.client.post(
            "/heard/small", data={"form_token": token}, files={"note": ("note", note)}
        )
        assert answer.status_code == status
        assert words in answer.text
    assert anna.client.post("/heard/small", data={"form_token": "x"}).status_code == 403
