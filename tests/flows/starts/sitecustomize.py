"""Read by every Python process that finds this folder in PYTHONPATH: plans how workers start.

The file named by WORKER_START_PLAN holds one word: `exit` (the process ends at once, without a
word), `refuse` (a module that the worker needs cannot be imported) or `slow` (it takes longer
than Dask waits for a lost worker). Without the file, workers start as ever.
"""

import os
import sys
import time
from pathlib import Path

_SLOW_S = 17.0


class _Refusal:
    """Finds no spec for a module but an error."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        del path, target
        if name == "flows.interruption":
            raise ImportError(name)


_plan = Path(os.environ["WORKER_START_PLAN"])
if any("spawn_main" in one for one in sys.orig_argv) and _plan.is_file():
    _word = _plan.read_text(encoding="utf-8")
    if _word == "exit":
        os._exit(1)
    if _word == "refuse":
        sys.meta_path.insert(0, _Refusal)
    if _word == "slow":
        time.sleep(_SLOW_S)
