"""Review applied: accepted drafts become questions, with options and evidence of their own."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from string import ascii_uppercase
from typing import cast

import pyarrow.parquet as pq

from firsthand.core.identity import Json, digest_json
from firsthand.core.time import ceil_to_second_us
from firsthand.curation.batches import batch_of
from firsthand.curation.double_review import ReviewDemand, standing_under
from firsthand.curation.reviewing import (
    ReviewDecision,
    ReviewOutcome,
    ReviewState,
    accepted_items,
)
from firsthand.curation.revisions import ReviewItem, revised_row
from firsthand.curation.start_items import START_KIND
from firsthand.store import Outputs, StepRequest, Zone, table_from_rows
from firsthand.store.build_notes import note_benchmark_file
from firsthand.store.decision_lines import decision_to_json
from firsthand.store.review_demands import write_demand
from firsthand.store.review_engines import MaskChoice, write_mask_choice
from firsthand.store.reviews import ReviewStore, read_decisions
from firsthand.store.tables import EVIDENCE, OPTIONS, QUESTIONS, REVIEWS
from tasks.items import Benchmark
from tasks.job import Job
from tasks.stage import Stage
from tasks.steps import ACCEPT

__all__ = ["ACCEPT_STAGE", "replay_decisions"]

Row = dict[str, Json]


def replay_decisions(job: Job) -> int:
    """Bring the benchmark's decisions file into the review store; return how many were new.

    What the benchmark asks of its review, which engine answers to clicks, and its file are
    noted beside it, for the reviewers' pages and for what follows a review.
    """
    spec = job.spec()
    review = spec.review
    write_demand(job.store, spec.name, review.demand)
    named = tuple((name, path) for name, path in spec.segment_anything if path is not None)
    write_mask_choice(job.store, spec.name, MaskChoice(spec.engines.masks, named))
    note_benchmark_file(job.store, spec.name, job.spec_path)
    if review.decisions is None:
        return 0
    reviews = ReviewStore.open(job.store.reviews)
    return reviews.replay(read_decisions(review.decisions), review.demand)


def _request(job: Job, benchmark: Benchmark) -> StepRequest:
    decisions = ReviewStore.open(job.store.reviews).decisions()
    return StepRequest(
        ACCEPT,
        inputs={
            **benchmark.digests("draft"),
            "decisions": digest_json([decision_to_json(decision) for decision in decisions]),
        },
        parameters={"benchmark": benchmark.name, "double_share": _demand(job).double_share},
        subject=benchmark.name,
    )


def _work(job: Job, benchmark: Benchmark, folder: Path) -> Outputs:
    del folder
    reviews = ReviewStore.open(job.store.reviews)
    drafts = {str(row["draft_id"]): row for row in _drafts(job, benchmark)}
    shown = {name: row for name, row in drafts.items() if not row["rejected_by"]}
    items = [ReviewItem.of("draft", name, row) for name, row in shown.items()]
    on_drafts = [one for one in reviews.decisions() if one.item_kind == "draft"]
    outcome = accepted_items(on_drafts, items, standing_under(_demand(job)))
    batch = batch_of(benchmark.name, "draft", _stood(items, on_drafts, _demand(job)))
    people = {
        **{("draft", name): str(row["participant_id"]) for name, row in drafts.items()},
        **{(START_KIND, r.recording_id): r.participant_id for r in benchmark.recordings},
    }
    questions = _ordered(revised_row(shown[item.item_id], item) for item in outcome.accepted)
    tables = (
        (REVIEWS, list(reviews.export_rows(people))),
        (QUESTIONS, [_question(benchmark, n, row) for n, row in enumerate(questions)]),
        (OPTIONS, [row for one in questions for row in _options(benchmark, one)]),
        (EVIDENCE, [row for one in questions for row in _evidence(benchmark, one)]),
    )
    return Outputs(
        tables=tuple((spec, Zone.PUBLIC, table_from_rows(spec, rows)) for spec, rows in tables),
        values={**_counts(outcome, len(drafts), len(shown)), "outcome": batch.outcome},
    )


def _stood(
    items: Iterable[ReviewItem], decisions: Iterable[ReviewDecision], demand: ReviewDemand
) -> Iterator[tuple[ReviewItem, ReviewItem, ReviewState]]:
    own: dict[str, list[ReviewDecision]] = defaultdict(list)
    for decision in decisions:
        own[decision.item_id].append(decision)
    stander = standing_under(demand)
    for item in items:
        yield item, *stander(item, own[item.item_id])


def _demand(job: Job) -> ReviewDemand:
    return job.spec().review.demand


def _drafts(job: Job, benchmark: Benchmark) -> Iterator[Row]:
    for receipt in benchmark.receipts("draft"):
        for part in receipt.parts_of("drafts"):
            yield from pq.read_table(job.store.root / part.path).to_pylist()


def _counts(outcome: ReviewOutcome, drafted: int, shown: int) -> dict[str, Json]:
    states = {f"drafts_{state.value}": count for state, count in outcome.counts.items()}
    return {
        "drafts": drafted,
        "drafts_checked_out": drafted - shown,
        **states,
    }


def _ordered(rows: Iterator[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: (str(row["stream_id"]), _due_us(row), str(row["draft_id"])))


def _spans(row: Row) -> list[tuple[int, int]]:
    listed = cast("Sequence[Mapping[str, int]]", row["evidence"])
    return [(span["begin_us"], span["end_us"]) for span in listed]


def _due_us(row: Row) -> int:
    return ceil_to_second_us(max(end_us for _, end_us in _spans(row)))


def _question_id(benchmark: Benchmark, row: Row) -> str:
    # The draft's id was minted once from stream, rule and evidence; the question keeps it.
    return f"{benchmark.name}/{row['participant_id']}/{str(row['draft_id']).split('-')[-1]}"


def _question(benchmark: Benchmark, source_index: int, row: Row) -> dict[str, object]:
    kept = set(QUESTIONS.schema.names) & set(row)
    return {
        **{name: row[name] for name in kept},
        "question_id": _question_id(benchmark, row),
        "source_index": source_index,
        "due_us": _due_us(row),
    }


def _options(benchmark: Benchmark, row: Row) -> Iterator[dict[str, object]]:
    texts = cast("Sequence[str]", row["options"])
    for index, text in enumerate(texts):
        yield {
            "participant_id": row["participant_id"],
            "question_id": _question_id(benchmark, row),
            "option_index": index,
            "letter": ascii_uppercase[index],
            "text": text,
        }


def _evidence(benchmark: Benchmark, row: Row) -> Iterator[dict[str, object]]:
    for index, (begin_us, end_us) in enumerate(_spans(row)):
        yield {
            "participant_id": row["participant_id"],
            "question_id": _question_id(benchmark, row),
            "evidence_index": index,
            "stream_id": row["stream_id"],
            "begin_us": begin_us,
            "end_us": end_us,
        }


ACCEPT_STAGE = Stage("accept", _request, _work)
