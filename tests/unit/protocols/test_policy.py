"""The streaming policy: its published numbers, its spelling, what it refuses."""

import json

import pytest

from firsthand.core.errors import ConfigurationError, UnknownKeyError
from firsthand.core.outcomes import RuleSet
from firsthand.protocols import Overlap, StreamingPolicy


def test_the_default_policy_has_the_published_numbers() -> None:
    # arXiv 2510.23981: T = 5 s; probes at t* + 60 s x r, r = 1..10.
    policy = StreamingPolicy()
    assert (policy.window_us, policy.probe_step_us, policy.probes) == (5_000_000, 60_000_000, 10)


def test_a_policy_survives_its_way_through_json() -> None:
    policy = StreamingPolicy(
        probe_step_us=5_000_000, overlap=Overlap.SERIAL, rule_sets=(RuleSet.PAPER,), probe_all=True
    )
    again = StreamingPolicy.from_json(json.loads(json.dumps(policy.to_json())))
    assert again == policy
    assert again.digest == policy.digest != StreamingPolicy().digest


def test_an_unknown_key_is_refused_by_name() -> None:
    with pytest.raises(UnknownKeyError, match="probe_steps_us"):
        StreamingPolicy.from_json({"probe_steps_us": 5_000_000})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("window_us", -1),
        ("window_us", "5 s"),
        ("window_us", True),
        ("probe_step_us", 0),
        ("unit_us", 0),
        ("unit_us", 1.5),
        ("probes", -1),
        ("overlap", "parallel"),
        ("frame_at", "next"),
        ("probe_all", 1),
        ("rule_sets", []),
        ("rule_sets", "paper"),
        ("rule_sets", ["paper", "paper"]),
        ("rule_sets", ["house"]),
    ],
)
def test_a_value_out_of_range_is_refused_with_its_field(name: str, value: object) -> None:
    with pytest.raises(ConfigurationError, match=name):
        StreamingPolicy.from_json({name: value})
