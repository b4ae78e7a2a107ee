"""A store with a few drafted questions over real footage, and the pages over it."""

import html
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from firsthand.core.identity import digest_file
from firsthand.curation.revisions import content_digest
from firsthand.review_app import create_app, reviewers_of
from firsthand.store import TABLES, Store, Zone, commit_table, table_from_rows
from firsthand.store.commits import write_part

SAMPLES = Path(__file__).parents[3] / "data" / "samples"
FOOTAGE = SAMPLES / "recordings" / "P1" / "VID_20260503_093000.mp4"
RECORDING = "c0ffee" + "0" * 58
SECOND_US = 1_000_000
LENGTH_US = 14 * SECOND_US
ORIGIN = "http://127.0.0.1"
KEY = "ab" * 32

Row = dict[str, Any]


def span(begin_s: int, end_s: int) -> Row:
    return {"begin_us": begin_s * SECOND_US, "end_us": end_s * SECOND_US}


def draft(name: str, **given: Any) -> Row:
    row: Row = {
        "participant_id": "P1",
        "draft_id": f"draft-{name}",
        "revision": 0,
        "stream_id": "P1.stream",
        "question_type": "mc_single",
        "category": "Memory",
        "subcategory": "Short-term Memory",
        "text": f"What stood on the {name} table?",
        "options": ["a cup", "a book", "a lamp"],
        "answer": ["A"],
        "evidence": [span(2, 5)],
        "required_modalities": ["video"],
        "scenario": None,
        "drafter": "rules",
        "rejected_by": [],
        **given,
    }
    return {**row, "content_digest": content_digest("draft", row)}


DRAFTS = (
    draft("first"),
    draft("second", evidence=[span(4, 7), span(8, 9)]),
    draft(
        "third",
        question_type="mc_multi",
        text="Which of these <script>alert(1)</script> stood there?",
        answer=["A", "C"],
        evidence=[span(6, 8)],
    ),
    draft(
        "fourth",
        question_type="binary",
        text="True or false: the cup was  red.",
        options=[],
        answer=["true"],
        evidence=[span(7, 9)],
        scenario="kitchen",
    ),
    draft(
        "fifth",
        question_type="open_ended",
        subcategory="Entity Tracking",
        options=[],
        answer=["on the table", "the table"],
        evidence=[span(8, 10)],
        required_modalities=["speech", "video"],
    ),
    draft("refused", rejected_by=["near_duplicate"]),
)


def commit(store: Store, table: str, rows: Sequence[Mapping[str, object]], key: str = KEY) -> None:
    spec = TABLES[table]
    part = write_part(store, spec, table_from_rows(spec, rows), Zone.PUBLIC, key)
    commit_table(store, "small", spec, [part])


def make_store(folder: Path, drafts: Sequence[Row] = DRAFTS) -> Store:
    """Lay out a store: one recording with its words, a narration, and drafts."""
    store = Store.opened(folder)
    digest = digest_file(FOOTAGE)
    blob = store.blob(Zone.PUBLIC, digest, ".mp4")
    blob.parent.mkdir(parents=True)
    shutil.copyfile(FOOTAGE, blob)
    own = {"participant_id": "P1", "recording_id": RECORDING}
    clip = {"clip_id": f"{RECORDING}.0", "stream_id": "P1.stream", "start_us": 0}
    media = {"deidentified_sha256": digest, "proxy_sha256": digest}
    commit(store, "clips", [{**own, **clip, **media, "end_us": LENGTH_US, "scenario": None}])
    commit(store, "timeline", [{**own, **_PLACE}])
    words = ["This", "cup", "is", "hers"]
    commit(store, "words", [_word(number, text) | own for number, text in enumerate(words)])
    said = {"begin_us": SECOND_US, "end_us": 3 * SECOND_US, "text": "The wearer points at a cup."}
    commit(store, "narrations", [{**own, **said, "narration_index": 0, "source": "imported"}])
    commit(store, "drafts", drafts)
    return store


_PLACE = {
    "stream_id": "P1.stream",
    "day": 1,
    "start_utc_us": 1_777_800_600 * SECOND_US,
    "utc_offset_s": 0,
    "start_label": "D1-09:30:00",
    "end_label": "D1-09:30:14",
    "duration_us": LENGTH_US,
    "stream_start_us": 0,
    "stream_end_us": LENGTH_US,
    "start_source": "container",
    "doubtful": False,
}


def _word(number: int, text: str) -> Row:
    return {
        "word_index": number,
        "text": text,
        "begin_us": 2 * SECOND_US + number * 400_000,
        "end_us": 2 * SECOND_US + number * 400_000 + 300_000,
        "speaker": "P1",
        "confidence": 0.9,
        "timing": "aligned",
        "mendings": [],
        "revision": 0,
        "engine": "faster_whisper",
        "redacted": False,
    }


class Reviewer:
    """A signed-in reviewer at the pages, without a browser."""

    def __init__(self, store: Store, name: str, *, app: Any = None) -> None:
        self.client = TestClient(app or create_app(store), base_url=ORIGIN)
        self.client.headers["origin"] = ORIGIN
        code = reviewers_of(store).invite(name)
        answer = self.client.post("/sign-in", data={"code": code}, follow_redirects=False)
        assert answer.status_code == 303

    def address(self, name: str) -> str:
        return f"/review/small/draft/item/draft-{name}"

    def page(self, name: str) -> str:
        answer = self.client.get(self.address(name))
        assert answer.status_code == 200
        return answer.text

    def send(self, page: str, name: str, decision: str, **changed: Any) -> Any:
        """Send the form of a page as a browser would, with some fields changed."""
        fields = {**fields_of(page), "decision": decision, **changed}
        return self.client.post(self.address(name), data=fields, follow_redirects=False)

    def undo(self, page: str, name: str) -> Any:
        action = f"/undo/small/draft/item/draft-{name}"
        form = page[page.index(f'action="{action}') :]
        fields = fields_of(form[: form.index("</form>")])
        return self.client.post(action, data=fields, follow_redirects=False)


_CONTROL = re.compile(
    r"<(input)\b([^>]*)>()|<(?P<kind>textarea|select)\b([^>]*)>(.*?)</(?P=kind)>", re.S
)
_ATTRIBUTE = re.compile(r'([a-z-]+)="([^"]*)"')


def fields_of(page: str) -> dict[str, Any]:
    """Read the fields of the last form that holds them, as a browser would send them."""
    found: dict[str, list[str]] = {}
    start = page.index('id="decide"') if 'id="decide"' in page else 0
    for match in _CONTROL.finditer(page[start:]):
        kind, attributes, inner = (part for part in match.groups() if part is not None)
        given = dict(_ATTRIBUTE.findall(attributes))
        if "name" not in given:
            continue
        value = given.get("value", "")
        if kind == "textarea":
            value = inner
        if kind == "select":
            value = _chosen(inner)
        if given.get("type") in ("radio", "checkbox") and " checked" not in attributes:
            continue
        found.setdefault(given["name"], []).append(html.unescape(value))
    return dict(found)


def _chosen(inner: str) -> str:
    selected = re.search(r"<option([^>]*) selected>([^<]*)", inner)
    assert selected is not None
    value = re.search(r'value="([^"]*)"', selected[1])
    return value[1] if value else selected[2]
