"""Clients of the flows' workers, without a flow."""

from collections.abc import Iterator
from contextlib import contextmanager

from distributed import Client

from flows.workers import Workers, chosen_cluster, close_cluster, workers_in_use

__all__ = ["client_of", "close_used"]

_USED: set[Workers] = set()


@contextmanager
def client_of(workers: Workers) -> Iterator[Client]:
    """Connect, as the flows' task runner does, to the cluster that these workers stand for."""
    _USED.add(workers)
    with (
        workers_in_use(workers),
        chosen_cluster() as cluster,
        Client(cluster) as client,
    ):
        client.wait_for_workers(workers.processes + workers.gpus)
        yield client


def close_used() -> None:
    """Close the local clusters that clients were given: else they live as long as the process."""
    while _USED:
        with workers_in_use(_USED.pop()):
            close_cluster()
