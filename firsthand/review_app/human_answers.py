"""The queue of the human baseline: the questions that subjects get, answered by people."""

from collections.abc import Iterator, Mapping, Sequence
from string import ascii_uppercase
from typing import cast

from starlette.datastructures import FormData

from firsthand.core.taxonomy import QuestionType
from firsthand.curation.human_items import HUMAN_KIND
from firsthand.curation.revisions import ReviewItem
from firsthand.review_app.clock_text import clock_text
from firsthand.review_app.footage import Footage, Line
from firsthand.review_app.queue import QUEUES, Entry, FormReading, Queue
from firsthand.store import Store
from firsthand.store.release_index import NoReleaseError, newest_release
from firsthand.store.releases import ReleaseCheck, read_release
from firsthand.subjects.human_baseline import human_items

__all__ = ["HUMAN_QUEUE"]

_BACK_US = 120_000_000
_MOST_CHARACTERS = 2_000


def _entries(store: Store, benchmark: str) -> Iterator[Entry]:
    try:
        path = newest_release(store, benchmark)
    except NoReleaseError:
        return
    for person, item in human_items(read_release(path, ReleaseCheck.SIZES)):
        yield Entry(item, person, {"participant": person, "stream": str(item.content["stream_id"])})


def _due_us(item: ReviewItem) -> int:
    return int(str(item.content["due_us"]))


def _title(item: ReviewItem) -> str:
    # The question itself is shown when its time has come, and not in a list.
    return f"Question due at {clock_text(_due_us(item))} of {item.content['stream_id']}"


def _view(item: ReviewItem, footage: Footage) -> Mapping[str, object]:
    due_us, stream_id = _due_us(item), str(item.content["stream_id"])
    takes = [take for take in footage.takes(stream_id) if take.stream.start_us <= due_us]
    last = takes[-1] if takes else None
    options = cast("Sequence[str]", item.content["options"])
    return {
        "takes": takes,
        "first_take": last,
        "until_us": {
            take.recording_id: min(due_us, take.stream.end_us) - take.stream.start_us
            for take in takes
        },
        "evidence": (),
        "lines": [line for line in _lines(footage, stream_id, due_us) if line.end_us <= due_us],
        "begin_us": due_us + 1,
        "end_us": due_us,
        "due_us": due_us,
        "content": item.content,
        "options": list(zip(ascii_uppercase, options, strict=False)),
        "chosen": str(item.content["answer"]).split(", "),
    }


def _lines(footage: Footage, stream_id: str, due_us: int) -> list[Line]:
    return footage.lines(stream_id, max(due_us - _BACK_US, 0), due_us)


def _read(form: FormData, item: ReviewItem, footage: Footage) -> FormReading:
    del footage
    given = [" ".join(str(one).split())[:_MOST_CHARACTERS] for one in form.getlist("answer")]
    if item.content["question_type"] == QuestionType.MC_MULTI:
        given = [", ".join(sorted(one for one in given if one in ascii_uppercase))]
    answer = given[0] if given else ""
    if not answer:
        return FormReading(item.content, {"answer": "Give an answer."})
    return FormReading({**item.content, "answer": answer})


HUMAN_QUEUE = QUEUES.register(HUMAN_KIND)(
    Queue(
        kind=HUMAN_KIND,
        name="Human baseline",
        task="Watch a stream and answer its questions in order, as the models do; time counts.",
        template="human.html.j2",
        tables=(),
        facets={"participant": "Participant", "stream": "Stream"},
        reasons=("The question is unclear", "It cannot be seen or heard"),
        entries=_entries,
        title=_title,
        view=_view,
        read=_read,
        is_sitting=True,
    )
)
