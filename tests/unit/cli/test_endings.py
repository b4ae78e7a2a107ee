import pytest

from firsthand.cli.endings import ended
from firsthand.core.errors import FirsthandError


def test_a_known_error_ends_with_its_status_and_its_message(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def command() -> int:
        raise FirsthandError("the file", "nothing", "a table", "Give another path.")

    assert ended(command) == FirsthandError.exit_status
    assert capsys.readouterr().err.startswith("firsthand: the file")


def test_an_interruption_ends_as_a_shell_expects_and_says_how_to_go_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def command() -> int:
        raise KeyboardInterrupt

    # A shell counts a process that signal 2 ended as 128 + 2.
    assert ended(command) == 130
    assert capsys.readouterr().err == "firsthand: interrupted; the same command goes on from here\n"


def test_a_fault_of_ours_keeps_its_traceback() -> None:
    def command() -> int:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        ended(command)
