"""Every error that a user can meet is provoked here, and says what it must."""

import pickle
from pathlib import Path

import pytest

# Importing them files their provocations.
import tests.architecture.provocations_of_engines
import tests.architecture.provocations_of_jobs  # noqa: F401 - likewise
from firsthand.core.errors import FirsthandError
from tests.architecture.provocations import PROVOCATIONS
from tests.architecture.repository import PACKAGES, all_modules


def _name(kind: type[FirsthandError]) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


def _kinds(base: type[FirsthandError]) -> set[type[FirsthandError]]:
    direct = set(base.__subclasses__())
    return direct.union(*(_kinds(kind) for kind in direct)) if direct else direct


@pytest.fixture(scope="module")
def kinds() -> set[type[FirsthandError]]:
    for _ in all_modules():
        pass
    return {
        kind
        for kind in _kinds(FirsthandError)
        if kind.__module__.split(".")[0] in (*PACKAGES, "deployments")
    }


def test_every_error_is_provoked(kinds: set[type[FirsthandError]]) -> None:
    missing = sorted(_name(kind) for kind in kinds.difference(PROVOCATIONS))
    recipe = "\n\n".join(
        f"from {name.rpartition('.')[0]} import {name.rpartition('.')[2]}\n\n"
        f"@provokes({name.rpartition('.')[2]})\n"
        f"def _(folder: Path) -> None:\n"
        f"    <call public code so that it raises; `folder` is empty and yours>"
        for name in missing
    )
    assert missing == [], f"add to tests/architecture/provocations.py:\n\n{recipe}"


def test_no_provocation_is_left_of_an_error_that_is_gone(
    kinds: set[type[FirsthandError]],
) -> None:
    assert sorted(map(_name, set(PROVOCATIONS).difference(kinds))) == []


def test_no_error_has_a_constructor_of_its_own(kinds: set[type[FirsthandError]]) -> None:
    assert [_name(kind) for kind in kinds if "__init__" in vars(kind)] == []


@pytest.mark.parametrize("kind", PROVOCATIONS.keys(), ids=_name)
def test_an_error_says_what_it_is_about_and_survives_pickling(
    kind: type[FirsthandError], tmp_path: Path
) -> None:
    with pytest.raises(FirsthandError) as caught:
        PROVOCATIONS[kind](tmp_path)
    error = caught.value
    assert type(error) is kind, f"provoked {type(error).__name__}: {error}"
    for part in (error.subject, error.found, error.expected, error.remedy):
        assert part.strip()
        assert part in str(error)
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    assert type(again) is kind
    assert again.args == error.args
    assert str(again) == str(error)
