"""Calls of this process to endpoints: its reply log, its lanes, what the run has spent."""

import functools
import os
import socket
from pathlib import Path

from firsthand.endpoints import DEIDENTIFIED, Calling, ReplyLog, SpendingLog, Traffic
from tasks.evaluation import AskedQuestions
from tasks.job import Job
from tasks.secrets import secret

__all__ = ["calling_of", "reply_log"]


def reply_log(folder: Path) -> ReplyLog:
    """Return this process's log, up to date; read once, since logs are long."""
    log = _log(folder)
    log.refresh()
    return log


def calling_of(job: Job, asked: AskedQuestions, purpose: str = "") -> Calling:
    """Return how a shard's endpoints are called; a release holds nothing but de-identified data.

    Args:
        job: The job.
        asked: The shard.
        purpose: What the calls are for, if they are paid from a budget of their own.
    """
    return Calling(
        privacy=DEIDENTIFIED,
        secret=secret,
        traffic=_traffic(),
        spending=SpendingLog(job.store.spending / f"{asked.shard.run_id}{purpose}.jsonl"),
        began_unix_s=asked.began_unix_s,
    )


@functools.cache
def _log(folder: Path) -> ReplyLog:
    return ReplyLog(folder, f"{socket.gethostname()}-{os.getpid()}")


@functools.cache
def _traffic() -> Traffic:
    return Traffic()
