"""Who silences a rule of the linter or of the types says on the same line why."""

import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.repository import ROOT, source_files

_SILENCES = re.compile(r"\bnoqa\b|type:\s*ignore")
_WITH_REASON = re.compile(
    r"# noqa: [A-Z]+\d+(, [A-Z]+\d+)* - \w.*|# type: ignore\[[a-z-]+(, [a-z-]+)*\] # \w.*"
)


def _unexplained(path: Path) -> Iterator[str]:
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type != tokenize.COMMENT or not _SILENCES.search(token.string):
                continue
            if not _WITH_REASON.fullmatch(token.string):
                yield f"{token.start[0]}: {token.string}"


def test_every_silenced_rule_has_its_reason_beside_it() -> None:
    found = {
        path.relative_to(ROOT).as_posix(): unexplained
        for path in source_files()
        if (unexplained := [*_unexplained(path)])
    }
    assert found == {}, "write `# noqa: CODE - reason` or `# type: ignore[code] # reason`"


@pytest.mark.parametrize(
    "comment",
    ["# noqa", "# noqa: S101", "# noqa: S101 -", "# type: ignore", "# type: ignore[arg-type]"],
)
def test_a_rule_silenced_without_a_reason_is_found(comment: str, tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(f"x = 1  {comment}\n", encoding="utf-8")
    assert [*_unexplained(path)] == [f"1: {comment}"]
