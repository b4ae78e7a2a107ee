"""The kitchen release asked of a model behind a scripted server."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from firsthand.endpoints import DEIDENTIFIED, Calling, ReplyLog
from firsthand.protocols import StreamingPolicy
from firsthand.subjects import (
    Access,
    EndpointSettings,
    ResultTables,
    SubjectConfiguration,
    merge_shards,
    plan_asks,
    run_shard,
)
from tests.unit.endpoints.chat_server import ChatServer, Planned, says
from tests.unit.subjects.kitchen import S, kitchen

POLICY = StreamingPolicy(probe_step_us=5 * S, probes=2)
RIGHT: Mapping[str, str] = {
    "Where is the red mug?": "A",
    "The kettle is boiling.": "true",
    "What hangs beside the window?": "A",
    "What colour is the towel?": "green",
    "The door was never opened.": "false",
}
_QUESTION = re.compile(r"The question:\n(.*)")


def configured(chat: ChatServer, **settings: Any) -> SubjectConfiguration:
    """A model at the server that declares a second for every answer."""
    default = EndpointSettings(
        "model",
        "openai/tester",
        "weights-1",
        base_url=chat.url,
        declared_latency_us=S,
        timeout_s=5.0,
        attempts=3,
    )
    return SubjectConfiguration("litellm", replace(default, **settings))


def patient(**calling: Any) -> Calling:
    """How endpoints are called in a test: waits take no time."""
    return Calling(**{"privacy": DEIDENTIFIED, "pause": lambda _: None, **calling})


def run(
    folder: Path,
    subject: SubjectConfiguration,
    calling: Calling | None = None,
    size: int = 200,
    policy: StreamingPolicy = POLICY,
) -> ResultTables:
    """Ask the whole kitchen."""
    release = kitchen()
    log = ReplyLog(folder, "w")
    access = Access(calling=calling or patient())
    shards = plan_asks(release, [subject], policy, asks_per_shard=size)
    return merge_shards(run_shard(shard, release, log, access) for shard in shards)


def prompt_of(request: Any) -> str:
    """The text of the last turn of a request."""
    content = request["messages"][-1]["content"]
    return str(content if isinstance(content, str) else content[-1]["text"])


def question_of(request: Any) -> str:
    """The question that a request puts."""
    found = _QUESTION.search(prompt_of(request))
    assert found is not None
    return found[1]


def knowing(request: Any) -> Planned:
    """Answer every question of the kitchen rightly."""
    return says(RIGHT[question_of(request)], tokens=(100, 2))


Answering = Callable[[Any], Planned]
