"""Participants, their consents, and what their recordings are about, from the benchmark file."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from firsthand.core.identity import digest_json
from firsthand.core.text import same_name
from firsthand.store import Outputs, StepRequest, Zone, table_from_rows
from firsthand.store.tables import CONSENTS, PARTICIPANTS, SCENARIOS
from schemas.participant_spec import ParticipantSpec, ScenarioSpec
from tasks.items import Recording, SourceFile, Stream
from tasks.job import Job
from tasks.stage import Stage
from tasks.steps import DESCRIBE

__all__ = ["DESCRIBE_STAGE", "participant_of", "scenario_of", "unknown_scenarios"]

Row = dict[str, object]


def participant_of(job: Job, participant_id: str) -> ParticipantSpec:
    """Return what the benchmark file says of a participant."""
    people = {person.participant_id: person for person in job.spec().participants}
    return people[participant_id]


def scenario_of(job: Job, recording: Recording) -> str | None:
    """Return the name of a recording's scenario, if it has one."""
    scenario = _scenarios(participant_of(job, recording.participant_id)).get(
        same_name(recording.file_name)
    )
    return scenario.name if scenario else None


def unknown_scenarios(job: Job, delivered: Sequence[SourceFile]) -> list[str]:
    """Return the files that scenarios describe and nobody delivered, each with its participant."""
    known = {same_name(source.item_id) for source in delivered}
    named = (
        f"{person.participant_id}/{scenario.file.name}"
        for person in job.spec().participants
        for scenario in person.scenarios
    )
    return sorted(name for name in named if same_name(name) not in known)


def _request(job: Job, stream: Stream) -> StepRequest:
    person = participant_of(job, stream.participant_id)
    told = {
        "participant_id": person.participant_id,
        "time_zone": person.time_zone,
        "consents": [[c.scope, c.granted_on.isoformat()] for c in person.consents],
        "scenarios": [
            [str(row["recording_id"]), str(row["name"]), str(row["description"])]
            for row in _scenario_rows(person, stream)
        ],
    }
    return StepRequest(
        DESCRIBE, inputs={"participant": digest_json(told)}, subject=stream.participant_id
    )


def _work(job: Job, stream: Stream, folder: Path) -> Outputs:
    del folder
    person = participant_of(job, stream.participant_id)
    people = [{"participant_id": person.participant_id, "time_zone": person.time_zone}]
    consents = [
        {
            "participant_id": person.participant_id,
            "scope": consent.scope,
            "granted_on": consent.granted_on,
            "withdrawn_on": None,
        }
        for consent in person.consents
    ]
    scenarios = list(_scenario_rows(person, stream))
    return Outputs(
        tables=(
            (PARTICIPANTS, Zone.PUBLIC, table_from_rows(PARTICIPANTS, people)),
            (CONSENTS, Zone.PUBLIC, table_from_rows(CONSENTS, consents)),
            (SCENARIOS, Zone.PUBLIC, table_from_rows(SCENARIOS, scenarios)),
        )
    )


def _scenario_rows(person: ParticipantSpec, stream: Stream) -> Iterator[Row]:
    by_name = _scenarios(person)
    for recording in stream.recordings:
        scenario = by_name.get(same_name(recording.file_name))
        if scenario is not None:
            yield {
                **recording.keys,
                "name": scenario.name,
                "description": scenario.description,
            }


def _scenarios(person: ParticipantSpec) -> dict[str, ScenarioSpec]:
    return {same_name(scenario.file.name): scenario for scenario in person.scenarios}


DESCRIBE_STAGE = Stage("describe", _request, _work)
