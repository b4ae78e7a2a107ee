"""A Prefect API server that ends with the process that started it.

Run as `python -m deployments.private_server PORT PARENT_PID`. A flow started from the
command line needs an API; were it killed, a plain child server would live on.
"""

import os
import sys
import threading
import time

import uvicorn

_PERIOD_S = 1.0


def main(port: int, parent_id: int) -> None:
    """Serve on loopback until the parent is gone or the process is told to end."""
    threading.Thread(target=_end_with, args=(parent_id,), daemon=True).start()
    uvicorn.run(
        "prefect.server.api.server:create_app",
        factory=True,
        host="127.0.0.1",
        port=port,
        log_level="error",
    )


def _end_with(parent_id: int) -> None:
    while os.getppid() == parent_id:
        time.sleep(_PERIOD_S)
    os._exit(0)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
