"""The queue of judged answers: people grade blindly what a judge graded."""

from collections.abc import Iterator, Mapping

from starlette.datastructures import FormData

from firsthand.core.identity import Json
from firsthand.curation.judgement_items import JUDGEMENT_KIND, check_grade_edit
from firsthand.curation.revisions import EditError, ReviewItem
from firsthand.judging import Rubric, load_rubric
from firsthand.review_app.footage import Footage
from firsthand.review_app.queue import QUEUES, Entry, FormReading, Queue
from firsthand.store import Store, scopes_of
from firsthand.store.tables import JUDGEMENTS
from firsthand.subjects.judged_sample import judged_run, release_name

__all__ = ["JUDGEMENT_QUEUE"]

_TITLE = 90


def _entries(store: Store, benchmark: str) -> Iterator[Entry]:
    for scope in scopes_of(store, JUDGEMENTS.name):
        if release_name(store, scope) != benchmark:
            continue
        for answer in judged_run(store, scope).answers:
            facets = {"participant": answer.participant_id, "rubric": answer.rubric}
            yield Entry(answer.item, answer.participant_id, facets)


def _rubric(name: str) -> Rubric:
    return load_rubric(name.split("@")[0])


def _title(item: ReviewItem) -> str:
    title = f"{item.content['question']} – {item.content['answer']}"
    return f"{title[:_TITLE]}…" if len(title) > _TITLE else title


def _view(item: ReviewItem, footage: Footage) -> Mapping[str, object]:
    del footage
    rubric = _rubric(str(item.content["rubric"]))
    paragraphs = [part for part in rubric.user.strip().split("\n\n") if "$" not in part]
    lines = [line for part in paragraphs for line in part.splitlines() if "Score:" not in line]
    return {
        "content": item.content,
        "grades": [f"{grade:g}" for grade in sorted(rubric.credit_of)],
        "chosen": "" if item.content["grade"] is None else f"{item.content['grade']:g}",
        "guidance": " ".join(lines),
    }


def _read(form: FormData, item: ReviewItem, footage: Footage) -> FormReading:
    del footage
    grades = sorted(_rubric(str(item.content["rubric"])).credit_of)
    entered = {f"{grade:g}": grade for grade in grades}.get(str(form.get("grade", "")))
    content: dict[str, Json] = {**item.content, "grade": entered}
    try:
        check_grade_edit(item, content, grades)
    except EditError:
        return FormReading(item.content, {"grade": "Choose a grade; reject what cannot be graded."})
    return FormReading(content)


def _word(name: str, value: Json) -> str:
    del name
    return f"{value:g}" if isinstance(value, int | float) else str(value or "none")


JUDGEMENT_QUEUE = QUEUES.register(JUDGEMENT_KIND)(
    Queue(
        kind=JUDGEMENT_KIND,
        name="Judged answers",
        task="Grade the answer by the rubric, as the judge did; what it said is not shown.",
        template="judgement.html.j2",
        tables=(),
        run_tables=("judgements",),
        facets={"participant": "Participant", "rubric": "Rubric"},
        reasons=("The reference is wrong", "The question is unclear", "It is no answer"),
        entries=_entries,
        title=_title,
        view=_view,
        read=_read,
        word=_word,
        keys=(("1 2 3 …", "The first, second, third grade"),),
    )
)
