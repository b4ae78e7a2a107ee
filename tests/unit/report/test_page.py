"""The leaderboard page: what it says, what it never loads, what it never runs."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from firsthand.protocols import Overlap, StreamingPolicy
from firsthand.report import EvaluatedRun, LeaderboardPage, leaderboard_page
from firsthand.report.markdown import cell_text, leaderboard_markdown
from firsthand.report.page import page_warnings
from firsthand.report.policy_words import policy_sentences
from firsthand.store import table_from_rows
from firsthand.store.tables import FUNNEL
from tests.unit.report.evaluated import evaluated

_VOID = {"meta", "link", "br", "hr", "img", "input", "path", "use", "rect", "line", "circle"}


class _Outline(HTMLParser):
    """Collects what the tests ask of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.tags: list[str] = []
        self.links: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append(tag)
        self.ids += [str(given["id"])] if given.get("id") else []
        self.links += [
            str(given[name]) for name in ("href", "src", "xlink:href") if given.get(name)
        ]
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in _VOID:
            assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        self.text += data


def outline(html: str) -> _Outline:
    parser = _Outline()
    parser.feed(html)
    assert not parser.open
    return parser


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> LeaderboardPage:
    return evaluated(tmp_path_factory.mktemp("replies"))


@pytest.fixture(scope="module")
def html(page: LeaderboardPage) -> str:
    return leaderboard_page(page)


def test_the_page_is_well_formed_and_its_names_are_unique(html: str) -> None:
    found = outline(html)
    assert len(set(found.ids)) == len(found.ids)
    anchors = {link[1:] for link in found.links if link.startswith("#")}
    assert anchors <= set(found.ids)


def test_the_page_loads_nothing(html: str) -> None:
    found = outline(html)
    assert not {"script", "link", "img", "iframe", "object"} & set(found.tags)
    assert all(link.startswith("#") for link in found.links)
    assert not re.search(r"@import|url\((?!#)", html)


def test_the_same_rows_give_the_same_bytes(page: LeaderboardPage, html: str) -> None:
    assert leaderboard_page(page) == html


def test_the_ceiling_is_shown_last_and_not_ranked(html: str) -> None:
    ranking = html[html.index('class="ranking"') : html.index("How every ask ended")]
    cells = re.findall(r'class="rank">(.*?)</td>.*?</span>(\w+)', ranking, re.DOTALL)
    assert cells == [("1", "transcript"), ("2", "blind"), ("–", "oracle")]


def test_rule_sets_stand_side_by_side_and_never_in_one_table(html: str) -> None:
    sections = re.findall(r'<section id="(paper|official)".*?</section>', html, re.DOTALL)
    assert sections == ["paper", "official"]
    for table in re.findall(r"<table.*?</table>", html, re.DOTALL):
        assert not ("official" in table and "“paper”" in table)


def test_the_funnel_of_drafting_is_a_table_and_a_drawing(page: LeaderboardPage) -> None:
    rows = [
        {"release_id": "r", "place": place, "step": step, "reason": reason, "count": count}
        for place, step, reason, count in [
            (0, "proposed", "", 41),
            (1, "drafted", "", 37),
            (1, "drafted", "over <quota>", 4),
            (2, "released", "", 0),
        ]
    ]
    shown = replace(page, funnel=table_from_rows(FUNNEL, rows))
    html = leaderboard_page(shown)
    found = outline(html)
    assert "funnel" in found.ids
    assert "4 over <quota>" in found.text
    assert "over <quota>" not in html
    drawing = html[html.index('<section id="funnel"') :]
    drawing = drawing[drawing.index("<svg") : drawing.index("</svg>")]
    assert all(f">{text}</text>" in drawing for text in ("41", "37", "0", "proposed"))
    assert leaderboard_page(shown) == html
    assert "| drafted | 37 | 90.2% | 4 over \\<quota\\> |" in leaderboard_markdown(shown)
    assert 'id="funnel"' not in leaderboard_page(page)


def test_the_policy_of_short_samples_is_said_in_words(page: LeaderboardPage, html: str) -> None:
    assert "probes every 5 s" in outline(html).text
    assert "samples are short" in outline(html).text
    published = " ".join(policy_sentences(StreamingPolicy()))
    assert "samples are short" not in published
    assert "every 60 s, at most 10 times" in published
    queued = " ".join(policy_sentences(StreamingPolicy(overlap=Overlap.SERIAL)))
    assert "queue" in queued


def test_a_reader_is_warned_before_comparing(page: LeaderboardPage) -> None:
    text = " ".join(page_warnings(page))
    assert "3 recordings" in text
    assert "oracle reads the right answers" in text
    assert "Incomplete" not in text
    lost = page.leaderboard.to_pandas().assign(complete=False)
    lost_table = page.leaderboard.from_pandas(lost, schema=page.leaderboard.schema)
    assert "Incomplete: blind" in page_warnings(replace(page, leaderboard=lost_table))[0]


def test_what_a_subject_is_called_never_becomes_markup(tmp_path: Path) -> None:
    name = "<script>alert(1)</script> & $x$ {{ 7*7 }}"
    hostile = evaluated(tmp_path, ("blind", "oracle"), renamed={"blind": name})
    shown = leaderboard_page(hostile)
    found = outline(shown)
    assert "script" not in found.tags
    assert name in found.text


def test_the_markdown_holds_the_ranking_and_no_markup_from_outside(page: LeaderboardPage) -> None:
    text = leaderboard_markdown(page)
    lines = [line for line in text.splitlines() if line.startswith("| 1 |")]
    assert lines[0].startswith("| 1 | transcript | 80.0 (")
    assert "oracle (ceiling)" in text
    assert cell_text("a|b <i>\nc") == r"a\|b \<i\> c"


def test_a_page_about_no_questions_says_so(page: LeaderboardPage) -> None:
    empty = replace(page, leaderboard=page.leaderboard.slice(0, 0), runs=[])
    assert "0 closed-form questions" in outline(leaderboard_page(empty)).text


def test_two_policies_on_one_page_name_their_subjects(
    page: LeaderboardPage, tmp_path: Path
) -> None:
    other = evaluated(tmp_path, ("random",), StreamingPolicy())
    runs: list[EvaluatedRun] = [*page.runs, *other.runs]
    rows = page.leaderboard.to_pylist() + other.leaderboard.to_pylist()
    both = replace(
        page,
        leaderboard=page.leaderboard.from_pylist(rows, schema=page.leaderboard.schema),
        runs=runs,
        facts={**page.facts, **other.facts},
    )
    shown = outline(leaderboard_page(both)).text
    assert "blind, oracle, transcript" in shown
