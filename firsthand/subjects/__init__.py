"""Models under test: what they are, which exist, and how a run asks and scores them."""

from firsthand.subjects.access import Access
from firsthand.subjects.blind import BlindSubject
from firsthand.subjects.chance import ChanceSubject
from firsthand.subjects.configuration import (
    SUBJECTS,
    BaselineSettings,
    SubjectConfiguration,
    subject_from_json,
)
from firsthand.subjects.endpoint_settings import EndpointSettings, History, HistoryKind, Limits
from firsthand.subjects.endpoint_subject import EndpointSubject
from firsthand.subjects.evaluation_protocol import PROTOCOLS, EvaluationProtocol, JudgedProtocol
from firsthand.subjects.grounding_shard import GROUNDING, GroundingShard
from firsthand.subjects.lifelong_planning import LIFELONG
from firsthand.subjects.oracle import OracleSubject
from firsthand.subjects.planned_shard import PlannedShard, RunPolicy
from firsthand.subjects.planning import STREAMING, Shard, plan_asks
from firsthand.subjects.protocol_runs import (
    GROUNDING_RUNS,
    LIFELONG_RUNS,
    STANDING_RUNS,
    STREAMING_RUNS,
)
from firsthand.subjects.rema import RemaSubject
from firsthand.subjects.rema_settings import RemaSettings
from firsthand.subjects.replay import ReplaySettings, ReplaySubject
from firsthand.subjects.results import (
    ResultTables,
    cost_table,
    merge_shards,
    run_shard,
    run_table,
)
from firsthand.subjects.running import ask_shard
from firsthand.subjects.scoring import read_shard, score_shard
from firsthand.subjects.standing_asks import PROACTIVE
from firsthand.subjects.subject import Subject, SubjectFacts, SubjectUnavailableError
from firsthand.subjects.transcript import TranscriptSubject
from firsthand.subjects.transformers_settings import Loading, TransformersSettings
from firsthand.subjects.transformers_subject import TransformersSubject

__all__ = [
    "GROUNDING",
    "GROUNDING_RUNS",
    "LIFELONG",
    "LIFELONG_RUNS",
    "PROACTIVE",
    "PROTOCOLS",
    "STANDING_RUNS",
    "STREAMING",
    "STREAMING_RUNS",
    "SUBJECTS",
    "Access",
    "BaselineSettings",
    "BlindSubject",
    "ChanceSubject",
    "EndpointSettings",
    "EndpointSubject",
    "EvaluationProtocol",
    "GroundingShard",
    "History",
    "HistoryKind",
    "JudgedProtocol",
    "Limits",
    "Loading",
    "OracleSubject",
    "PlannedShard",
    "RemaSettings",
    "RemaSubject",
    "ReplaySettings",
    "ReplaySubject",
    "ResultTables",
    "RunPolicy",
    "Shard",
    "Subject",
    "SubjectConfiguration",
    "SubjectFacts",
    "SubjectUnavailableError",
    "TranscriptSubject",
    "TransformersSettings",
    "TransformersSubject",
    "ask_shard",
    "cost_table",
    "merge_shards",
    "plan_asks",
    "read_shard",
    "run_shard",
    "run_table",
    "score_shard",
    "subject_from_json",
]
