import os
import signal
import time

import pytest
from distributed import Client, LocalCluster


@pytest.mark.slow
def test_an_interruption_of_the_terminal_leaves_the_workers_to_their_driver() -> None:
    with (
        LocalCluster(
            n_workers=1,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=None,
            preload="flows.interruption",
        ) as cluster,
        Client(cluster) as client,
    ):
        first = client.submit(os.getpid, pure=False).result()
        os.kill(first, signal.SIGINT)
        time.sleep(1.0)
        assert client.submit(os.getpid, pure=False).result() == first
