"""A run of ours in Inspect's log format, so that its viewer and its tools can read it."""

import importlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from firsthand.core.errors import MissingEngineError
from firsthand.core.time import us_to_s
from firsthand.metrics import VerdictColumns, outcome_codes, tally
from firsthand.subjects.asking import ANSWERED, TURN, UNFINISHED, Row
from firsthand.subjects.material import KeptQuestion, ReleaseTables, questions_of
from firsthand.subjects.results import ResultTables

__all__ = ["InspectLog", "inspect_log", "write_inspect_log"]


@dataclass(frozen=True, slots=True)
class InspectLog:
    """A run, ready to be written.

    Args:
        log: The `EvalLog` of Inspect's library.
    """

    log: Any


def inspect_log(
    release: ReleaseTables, run: Row, results: ResultTables, created: datetime
) -> InspectLog:
    """Return a run as an evaluation log; every ask, asked or not, is a sample.

    A sample's scores are named by metric and rule set (`rta_paper`), their value is the
    verdict's, their explanation its outcome. A score of the log is the mean over all planned
    asks, its `recorded_only` the mean over those that were answered. A run that lost asks has
    the status `error`.

    Args:
        release: The release asked about.
        run: The run's row of table `runs`.
        results: The run's tables.
        created: When the log is made, since no run depends on a clock.

    Raises:
        MissingEngineError: If Inspect's library is not installed.
    """
    log, model = _library("inspect_ai.log"), _library("inspect_ai.model")
    sheet = _Sheet(release, run, results)
    samples = [_sample(log, model, sheet, ask) for ask in sheet.asks]
    lost = [ask for ask in sheet.asks if str(ask["outcome"]).startswith(UNFINISHED)]
    error = f"{len(lost)} asks were lost to infrastructure or budget; the run can be resumed"
    return InspectLog(
        log.EvalLog(
            status="error" if lost else "success",
            error=log.EvalError(message=error, traceback="", traceback_ansi="") if lost else None,
            eval=log.EvalSpec(
                created=created.isoformat(),
                eval_id=sheet.run_id,
                run_id=sheet.run_id,
                task=f"firsthand/{run['protocol']}",
                task_id=sheet.run_id,
                task_args={"policy": str(run["policy"])},
                dataset=log.EvalDataset(
                    name=release.release_id,
                    samples=len(samples),
                    sample_ids=[str(ask["ask_id"]) for ask in sheet.asks],
                ),
                model=sheet.model,
                config=log.EvalConfig(),
                metadata={
                    "subject_revision": str(run["subject_revision"]),
                    "planned_asks": run["planned_asks"],
                    "complete": run["complete"],
                    "asks_in_context": run["asks_in_context"],
                },
            ),
            results=log.EvalResults(
                total_samples=len(samples),
                completed_samples=sum(ask["outcome"] == ANSWERED for ask in sheet.asks),
                scores=list(_scores(log, sheet)),
            ),
            stats=log.EvalStats(model_usage={sheet.model: _usage(model, sheet.replies.values())}),
            samples=samples,
        )
    )


def write_inspect_log(found: InspectLog, path: Path) -> None:
    """Write a log; the ending of the name, `.eval` or `.json`, says in which form.

    Raises:
        MissingEngineError: If Inspect's library is not installed.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    _library("inspect_ai.log").write_eval_log(found.log, str(path))


class _Sheet:
    """A run's rows by what they belong to."""

    def __init__(self, release: ReleaseTables, run: Row, results: ResultTables) -> None:
        self.run_id = str(run["run_id"])
        # A provider and a name: it was asked by us, whatever it is.
        self.model = f"firsthand/{run['subject_id']}"
        self.questions = {kept.question_id: kept for kept in questions_of(release)}
        self.asks: Sequence[Row] = sorted(
            results.asks.to_pylist(), key=lambda ask: (ask["due_us"], ask["ask_id"])
        )
        self.replies = {row["reply_key"]: row for row in results.replies.to_pylist()}
        self.verdicts: Sequence[Row] = results.verdicts.to_pylist()
        self.by_ask: dict[str, list[Row]] = {}
        for verdict in self.verdicts:
            self.by_ask.setdefault(str(verdict["ask_id"]), []).append(verdict)
        self.readings = {
            (row["ask_id"], row["reader"]): row for row in results.readings.to_pylist()
        }


def _sample(log: ModuleType, model: ModuleType, sheet: _Sheet, ask: Row) -> object:
    question = sheet.questions[str(ask["question_id"])]
    reply = sheet.replies.get(ask["reply_key"])
    text = _asked_text(question, ask)
    outcome = str(ask["outcome"])
    return log.EvalSample(
        id=str(ask["ask_id"]),
        epoch=1,
        input=text,
        choices=[option.text for option in question.options] or None,
        target=list(question.answer),
        messages=[model.ChatMessageUser(content=text), *_answers(model, sheet, reply)],
        output=_output(model, sheet, reply),
        scores=dict(_sample_scores(sheet, ask, reply)),
        metadata={
            "outcome": outcome,
            "phase": str(ask["phase"]),
            "probe_round": ask["probe_round"],
            "due_s": us_to_s(int(str(ask["due_us"]))),
            "question_id": question.question_id,
            "participant_id": question.participant_id,
            "category": question.category,
            "subcategory": question.subcategory,
            "missing_modalities": ask["missing_modalities"],
            **({} if reply is None else {"latency_source": str(reply["latency_source"])}),
        },
        model_usage={} if reply is None else {sheet.model: _usage(model, [reply])},
        total_time=None if reply is None else us_to_s(reply["latency_us"]),
        error=None
        if not outcome.startswith(UNFINISHED)
        else log.EvalError(message=outcome, traceback="", traceback_ansi=""),
    )


def _asked_text(question: KeptQuestion, ask: Row) -> str:
    asked = question.asked(int(str(ask["due_us"])), 0)
    return replace(asked, standing=ask["phase"] == TURN).prompt


def _answers(model: ModuleType, sheet: _Sheet, reply: Mapping[str, Any] | None) -> list[object]:
    if reply is None:
        return []
    return [model.ChatMessageAssistant(content=reply["text"], model=sheet.model)]


def _output(model: ModuleType, sheet: _Sheet, reply: Mapping[str, Any] | None) -> object:
    if reply is None:
        return model.ModelOutput(model=sheet.model)
    (message,) = _answers(model, sheet, reply)
    stopped = "max_tokens" if reply["finish"] == "length" else "stop"
    return model.ModelOutput(
        model=sheet.model,
        choices=[model.ChatCompletionChoice(message=message, stop_reason=stopped)],
        usage=_usage(model, [reply]),
        time=us_to_s(reply["latency_us"]),
    )


def _usage(model: ModuleType, replies: Iterable[Mapping[str, Any]]) -> object:
    rows = list(replies)
    read, written = (
        sum(row[name] or 0 for row in rows) for name in ("input_tokens", "output_tokens")
    )
    costs = [row["cost_usd"] for row in rows if row["cost_usd"] is not None]
    return model.ModelUsage(
        input_tokens=read,
        output_tokens=written,
        total_tokens=read + written,
        total_cost=sum(costs) if costs else None,
    )


def _sample_scores(
    sheet: _Sheet, ask: Row, reply: Mapping[str, Any] | None
) -> Iterator[tuple[str, object]]:
    score = _library("inspect_ai.scorer").Score
    for verdict in sheet.by_ask.get(str(ask["ask_id"]), ()):
        reading = sheet.readings.get((ask["ask_id"], verdict["reader"]))
        answer = ", ".join(reading["answer"]) if reading else None
        yield (
            f"{verdict['metric']}_{verdict['rule_set']}",
            score(
                value=verdict["score"],
                answer=answer or None,
                explanation=str(verdict["outcome"]),
                metadata={
                    "reader": f"{verdict['reader']} {verdict['reader_version']}",
                    "scorer_version": verdict["scorer_version"],
                    "latency_s": None if reply is None else us_to_s(reply["latency_us"]),
                },
            ),
        )


def _scores(log: ModuleType, sheet: _Sheet) -> Iterator[object]:
    names = sorted({(str(row["metric"]), str(row["rule_set"])) for row in sheet.verdicts})
    for metric, rule_set in names:
        rows = [r for r in sheet.verdicts if (r["metric"], r["rule_set"]) == (metric, rule_set)]
        found = tally(_columns(rows))
        figures = {"mean": found.mean, "recorded_only": found.recorded_only}
        yield log.EvalScore(
            name=f"{metric}_{rule_set}",
            scorer=f"{metric}_{rule_set}",
            scored_samples=found.recorded,
            unscored_samples=found.planned - found.recorded,
            metrics={
                name: log.EvalMetric(name=name, value=value)
                for name, value in figures.items()
                if value is not None
            },
            metadata={
                "planned": found.planned,
                "outcomes": {str(outcome): count for outcome, count in found.outcomes.items()},
            },
        )


def _columns(rows: Sequence[Row]) -> VerdictColumns:
    score = np.array([float(str(row["score"])) for row in rows], np.float64)
    return VerdictColumns(score, outcome_codes(str(row["outcome"]) for row in rows))


def _library(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise MissingEngineError(
            "package 'inspect-ai'",
            "not installed",
            "Inspect's library, which writes its log format",
            "Install it beside firsthand, in an environment of their own: "
            "pip install 'firsthand[inspect]'.",
        ) from None
