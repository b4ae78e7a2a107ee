"""What the environment says, read once by entry points and handed down as a value."""

import os
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Settings", "quiet_environment"]

_CHECKOUT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Settings:
    """Where this installation keeps things and listens.

    Args:
        checkout: Root of the repository.
        state: Folder of the orchestrator's database, logs and process records.
        store: Default store.
        port: Port of the server that `make up` starts.
        review_port: Port of the pages for reviewers that `make up` starts.
        workers: Worker processes of a local cluster.
        scheduler: Address of a Dask scheduler elsewhere, if one is to be used.
        visible_gpus: The GPUs that commands started here may use, as `CUDA_VISIBLE_DEVICES` names
            them; None if nothing is said.
    """

    checkout: Path
    state: Path
    store: Path
    port: int
    review_port: int
    workers: int
    scheduler: str | None
    visible_gpus: str | None = None

    @classmethod
    def from_environment(cls) -> "Settings":
        """Read `FIRSTHAND_STATE`, `_STORE`, `_PORT`, `_REVIEW_PORT`, `_WORKERS`, `_SCHEDULER`.

        The reviewers' pages are at the port after the server's unless told otherwise.
        """
        read = os.environ.get
        port = int(read("FIRSTHAND_PORT", "4200"))
        return cls(
            checkout=_CHECKOUT,
            state=Path(read("FIRSTHAND_STATE", str(_CHECKOUT / ".firsthand"))).resolve(),
            store=Path(read("FIRSTHAND_STORE", str(_CHECKOUT / "data" / "store"))).resolve(),
            port=port,
            review_port=int(read("FIRSTHAND_REVIEW_PORT", str(port + 1))),
            workers=int(read("FIRSTHAND_WORKERS", "2")),
            scheduler=read("FIRSTHAND_SCHEDULER") or None,
            visible_gpus=read("CUDA_VISIBLE_DEVICES"),
        )


def quiet_environment(settings: Settings, api_url: str) -> dict[str, str]:
    """Return the variables under which Prefect, Dask and the engines run.

    Nothing calls home, nothing is downloaded, the orchestrator keeps to `settings.state`,
    and every worker uses one thread because shards already fill the cores. What the user
    has set stays.
    """
    wanted = {
        "PREFECT_HOME": str(settings.state / "prefect"),
        "PREFECT_API_URL": api_url,
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "PREFECT_SERVER_UI_V2_ENABLED": "false",
        "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT": "false",
        # A known error is one message of ours; an unknown one still ends in its traceback.
        "PREFECT_LOGGING_LEVEL": "CRITICAL",
        "PREFECT_LOGGING_TO_API_ENABLED": "false",
        "PREFECT_CLI_PROMPT": "false",
        "DO_NOT_TRACK": "1",
        "GX_ANALYTICS_ENABLED": "false",
        "HF_HUB_OFFLINE": "1",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "DASK_LOGGING__DISTRIBUTED": "error",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
    return {**wanted, **{name: os.environ[name] for name in wanted if name in os.environ}}
