"""Clients of the flows' workers, without a flow."""

from collections.abc import Iterator
from contextlib import contextmanager

from distributed import Client

from flows.workers import Workers, chosen_cluster, workers_in_use

__all__ = ["client_of"]


@contextmanager
def client_of(workers: Workers) -> Iterator[Client]:
    """Connect, as the flows' task runner does, to the cluster that these workers stand for."""
    with (
        workers_in_use(workers),
        chosen_cluster() as cluster,
        Client(cluster) as client,
    ):
        client.wait_for_workers(workers.processes + workers.gpus)
        yield client
