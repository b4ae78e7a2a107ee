"""The signature under a finished review: a form in the orchestrator's pages, asked for once."""

import time
from typing import Literal
from uuid import UUID

from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import FlowRunFilter
from prefect.client.schemas.objects import StateType
from prefect.flow_runs import suspend_flow_run
from prefect.input import RunInput
from prefect.input.actions import delete_flow_run_input, read_flow_run_input
from prefect.input.run_input import Keyset, keyset_from_base_key
from prefect.runtime import deployment, flow_run
from pydantic import Field

from firsthand.curation.reviewing import DecisionKind
from flows.finish import check
from tasks.batches import (
    Signature,
    is_signed,
    missing_decisions,
    missing_signature,
    question_batch,
    record_signature,
    sign_off_text,
)
from tasks.build import Build
from tasks.items import Benchmark

__all__ = ["SignOff", "ask_for_sign_off"]


class SignOff(RunInput):
    """What a person enters under a finished review.

    Prefect stores a form after it has suspended the run: killed in between, the run would
    offer a form without fields. This one is stored before, and storing it again is nothing.
    """

    name: str = Field(min_length=1, max_length=80, description="Your name; a release names it.")
    decision: Literal["accept", "reject"] = Field(description="Whether this may be released.")
    reason: str = Field(
        min_length=3, max_length=2_000, description="Why, in a sentence; a release states it."
    )

    @classmethod
    def save(cls, keyset: Keyset, flow_run_id: UUID | None = None) -> None:
        """Store fields and description of the form with its run, unless they are there."""
        # The description is stored last.
        if read_flow_run_input(keyset["description"], flow_run_id) is not None:
            return
        if read_flow_run_input(keyset["schema"], flow_run_id) is not None:
            delete_flow_run_input(keyset["schema"], flow_run_id)
        super().save(keyset, flow_run_id)


def ask_for_sign_off(build: Build, benchmark: Benchmark) -> str | None:
    """Return what a release waits for, having asked for a signature if one is demanded.

    The run is suspended until a person has filled in the form. What cannot be released
    anyway is not put before anybody, and neither is an outcome that is signed, or whose form
    another run holds open.

    Raises:
        StageFailedError: If a check fails.
    """
    missing = missing_decisions(benchmark)
    if missing is not None:
        return missing
    checked = check(build, benchmark)
    if not build.job.spec().review.sign_off or is_signed(build.job, benchmark):
        return None
    # The outcome names the form: the same one is asked about once a run, another one anew.
    key = f"sign-off-{question_batch(benchmark).outcome}"
    holder = _other_run_with(key)
    if holder is not None:
        return f"the form of the run {holder} is open."
    form = SignOff.with_initial_data(description=sign_off_text(build.job, checked))
    form.save(keyset_from_base_key(f"suspended-{key}"))
    given = suspend_flow_run(wait_for_input=form, key=key)
    signature = Signature(given.name.strip(), DecisionKind(given.decision), given.reason.strip())
    record_signature(build.job, benchmark, signature, time.time)
    return missing_signature(build.job, benchmark)


def _other_run_with(key: str) -> str | None:
    chosen = FlowRunFilter.model_validate(
        {
            "deployment_id": {"any_": [deployment.id]},
            "state": {"type": {"any_": [StateType.PAUSED]}},
        }
    )
    with get_client(sync_client=True) as client:
        paused = client.read_flow_runs(flow_run_filter=chosen)
    for run in paused:
        held = run.state is not None and run.state.state_details.pause_key == key
        if held and str(run.id) != flow_run.id:
            return run.name
    return None
