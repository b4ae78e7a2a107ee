"""`make demo`: the whole job on the sample recordings, and what to try next."""

import sys
import time
from collections.abc import Iterator
from pathlib import Path

from deployments.api_server import api_in_use
from deployments.local import Summary, load_flow
from deployments.settings import Settings
from firsthand.cli.endings import ended

__all__ = ["main"]

_SAMPLES = Path("data") / "samples"


def main() -> int:
    """Build, evaluate, publish; print the summary; 0 unless something failed."""
    settings = Settings.from_environment()
    began_s = time.monotonic()
    with api_in_use(settings) as wait_for_api:
        flows = [load_flow(f"flows.{name}.{name}") for name in _PARAMETERS]
        wait_for_api()
        parameters = _parameters(settings)
        summaries = [flow(**given) for flow, given in zip(flows, parameters, strict=True)]
    sys.stdout.write("\n".join(_closing_lines(settings, summaries, began_s)) + "\n")
    return 0


_PARAMETERS = ("build_benchmark", "evaluate_models", "publish_leaderboard")


def _parameters(settings: Settings) -> list[dict[str, object]]:
    samples = settings.checkout / _SAMPLES
    workers = {"processes": settings.workers, "scheduler": settings.scheduler}
    return [
        {"spec": samples / "benchmark.yaml", "store": settings.store, "workers": workers},
        {"run": samples / "run.yaml", "store": settings.store, "workers": workers},
        {"store": settings.store, "benchmark": "samples"},
    ]


def _closing_lines(settings: Settings, summaries: list[Summary], began_s: float) -> Iterator[str]:
    # The flows' packages are imported only after the API's environment is set.
    from firsthand.report.quality import QualityInputs
    from tasks.job import new_job
    from tasks.stages.measure import measured_quality

    samples = settings.checkout / _SAMPLES
    truth = QualityInputs("samples", samples / "truth.json", samples / "recordings")
    job = new_job("quality", settings.store, samples / "benchmark.yaml")
    yield ""
    for summary in summaries:
        yield from summary.lines()
        yield ""
    yield "Quality, measured against the truth of the samples"
    yield from measured_quality(job, truth).lines()
    yield ""
    yield f"Catalog: {settings.store / 'catalog.duckdb'}"
    yield f"Done in {time.monotonic() - began_s:.0f} s. Next:"
    for command in _NEXT:
        yield f"  {command}"


_NEXT = (
    '.venv/bin/firsthand sql "select subject_id, group_name, value, low, high, planned from '
    "leaderboard where metric = 'rta' and rule_set = 'paper' and group_kind = 'subcategory'\"",
    ".venv/bin/firsthand review list --benchmark samples",
    "make up",
)


if __name__ == "__main__":
    sys.exit(ended(main))
