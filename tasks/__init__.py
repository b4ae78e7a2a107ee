"""Stages of the build and of evaluation: which step, which engine, which outputs."""
