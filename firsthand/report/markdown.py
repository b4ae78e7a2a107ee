"""The leaderboard in a few lines of Markdown, for places that show no HTML."""

import re
from collections.abc import Iterator, Sequence

from firsthand.report.board import Board, Figure, Standing, boards_of
from firsthand.report.funnel_steps import funnel_steps
from firsthand.report.grounding_board import GroundingBoard, grounding_boards_of
from firsthand.report.leaderboard import policy_of
from firsthand.report.lifelong_board import LifelongBoard, LifelongLine, lifelong_boards_of
from firsthand.report.page import LeaderboardPage, page_warnings
from firsthand.report.policy_words import policy_sentences
from firsthand.report.standing_board import StandingBoard, StandingLine, standing_boards_of

__all__ = ["cell_text", "leaderboard_markdown"]

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+!|~&-])")


def leaderboard_markdown(page: LeaderboardPage) -> str:
    """Return the page's warnings, rankings and policy as Markdown."""
    return "\n".join(_lines(page)) + "\n"


def cell_text(text: str) -> str:
    """Return a text as a Markdown cell that is neither markup nor more than one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def _lines(page: LeaderboardPage) -> Iterator[str]:
    yield "# Leaderboard"
    yield ""
    yield f"Release `{page.release_id}`"
    yield ""
    for warning in page_warnings(page):
        yield f"> {cell_text(warning)}"
        yield ">"
    for board in boards_of(page.leaderboard, page.facts):
        yield ""
        yield from _ranking(board)
    for standing in standing_boards_of(page.leaderboard, page.standing):
        yield ""
        yield from _standing_ranking(standing)
    for lifelong in lifelong_boards_of(page.leaderboard, page.lifelong):
        yield ""
        yield from _lifelong_ranking(lifelong)
    for grid in grounding_boards_of(page.grounding):
        yield ""
        yield from _grid(grid)
    yield from _funnel(page)
    yield ""
    yield "## How it was asked"
    yield ""
    policies = {policy_of(run.run) for run in page.runs}
    for policy in sorted(policies, key=lambda policy: policy.digest):
        yield from (f"- {cell_text(sentence)}" for sentence in policy_sentences(policy))
        yield ""


def _grid(board: GroundingBoard) -> Iterator[str]:
    yield f"## {board.heading}"
    yield ""
    yield " ".join([f"Differences are paired, to {cell_text(board.references)}.", *board.options])
    yield ""
    yield "| # | Subject | Input | What, where and when, % | Difference | Clips |"
    yield "|--:|:--|:--|:--|:--|--:|"
    for line in board.lines:
        cell = f"{line.cell}{' (diagnostic)' if line.diagnostic else ''}"
        texts = (line.rank, line.subject_id, cell, f"{line.score} {line.interval}")
        difference = f"{line.difference} {line.difference_interval}"
        shown = " | ".join(cell_text(text) for text in (*texts, difference))
        yield f"| {shown} | {line.planned} |"


def _funnel(page: LeaderboardPage) -> Iterator[str]:
    steps = funnel_steps(page.funnel)
    if not steps:
        return
    yield ""
    yield "## Where the questions come from"
    yield ""
    yield "| Step | Kept | Of those before | Not kept |"
    yield "|:--|--:|--:|:--|"
    for step in steps:
        lost = ", ".join(f"{count} {cell_text(reason)}" for reason, count in step.lost)
        yield f"| {step.name} | {step.kept} | {step.share} | {lost} |"


def _ranking(board: Board) -> Iterator[str]:
    yield f"## {board.heading}"
    yield ""
    yield "| # | Subject | RTA, % | MPT, min | Planned | Recordings | How asks ended |"
    yield "|--:|:--|:--|:--|--:|--:|:--|"
    for standing in board.standings:
        yield _row(standing, (standing.rta, standing.mpt))


def _standing_ranking(board: StandingBoard) -> Iterator[str]:
    yield f"## {board.heading}"
    yield ""
    yield from (f"- {cell_text(sentence)}" for sentence in board.sentences)
    yield ""
    yield "| # | Subject | In time, % | Too early, % | Planned | Recordings | How questions ended |"
    yield "|--:|:--|:--|:--|--:|--:|:--|"
    for line in board.lines:
        yield _row(line, (line.score, line.too_early))


def _lifelong_ranking(board: LifelongBoard) -> Iterator[str]:
    yield f"## {board.heading}"
    yield ""
    yield from (f"- {cell_text(sentence)}" for sentence in board.sentences)
    yield ""
    refs = "".join(f" Ref@{bin_s}, % |" for bin_s in board.bins_s)
    yield f"| # | Subject | Answers, % |{refs} Planned | Recordings | How answers ended |"
    yield f"|--:|:--|:--|{':--|' * len(board.bins_s)}--:|--:|:--|"
    for line in board.lines:
        yield _row(line, (line.answers, *line.refs))


def _row(line: Standing | StandingLine | LifelongLine, figures: Sequence[Figure]) -> str:
    """Return a subject's row: its rank, its name, its figures, and what the first one rests on."""
    marks = [
        *(["ceiling"] if line.facts.reads_truth else []),
        *(["human baseline"] if line.facts.is_person else []),
        *([] if line.complete else ["incomplete"]),
    ]
    cells = (
        "–" if line.rank is None else str(line.rank),
        cell_text(line.subject_id) + "".join(f" ({mark})" for mark in marks),
        *map(_figure, figures),
        str(figures[0].planned),
        str(line.clusters),
        ", ".join(f"{outcome.count} {outcome.name}" for outcome in line.outcomes),
    )
    return f"| {' | '.join(cells)} |"


def _figure(figure: Figure) -> str:
    return f"{figure.text} ({figure.interval})" if figure.interval else figure.text
