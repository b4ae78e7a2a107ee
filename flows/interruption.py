"""What a Ctrl-C means to a worker: nothing, since whoever started it will end it.

Dask imports this module in each worker process and calls `dask_setup` there.
"""

import signal

from distributed import Worker

__all__ = ["dask_setup"]


def dask_setup(worker: Worker) -> None:
    """Leave interruptions to the process that started the worker.

    A terminal sends them to all processes at once. A worker that answered would print a
    traceback of its own, and its nanny would start another in its place.
    """
    del worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)
