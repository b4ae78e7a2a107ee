"""What an evaluation says at its end: what was lost, and what to do about it."""

from firsthand.store.journal import JournalSummary
from tasks.run_summary import EvaluationSummary, RunLine


def summary(lost: str) -> EvaluationSummary:
    line = RunLine("local", "1", {"answered": 3, f"infrastructure_error({lost})": 2}, 0.0)
    return EvaluationSummary("r", (line,), JournalSummary(1, 0, {}), 1.0)


def test_calls_without_memory_come_with_what_to_do() -> None:
    lost = summary("SubjectMemoryError")
    assert lost.exit_status == 3
    (said,) = [line for line in lost.lines() if "too little memory" in line]
    assert said.startswith("  local: ")
    assert "number of pictures" in said


def test_other_losses_say_no_more_than_their_count() -> None:
    lost = summary("EndpointBusyError")
    assert lost.exit_status == 3
    assert not any("memory" in line for line in lost.lines())
