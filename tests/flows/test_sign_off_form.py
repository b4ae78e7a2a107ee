"""The form of a signature is stored whole before its run is suspended, and only once."""

import pytest
from prefect import flow
from prefect.input.actions import create_flow_run_input, read_flow_run_input
from prefect.input.run_input import keyset_from_base_key, keyset_from_paused_state
from prefect.settings import PREFECT_API_URL, temporary_settings
from prefect.states import Suspended

from flows.sign_off import SignOff

KEYS = keyset_from_base_key("suspended-sign-off-abc")


def test_the_form_is_stored_where_a_suspended_run_looks_for_it() -> None:
    assert keyset_from_paused_state(Suspended(pause_key="sign-off-abc")) == KEYS


@pytest.mark.timeout(300)
def test_a_form_is_whole_after_a_kill_in_the_middle_and_stays_as_it_is(prefect_api: str) -> None:
    @flow
    def asking() -> list[object]:
        # Killed when the fields were stored, and the description was not.
        create_flow_run_input(KEYS["schema"], {"title": "half"})
        form = SignOff.with_initial_data(description="12 of 12 alike")
        form.save(KEYS)
        stored = [read_flow_run_input(KEYS[part]) for part in ("schema", "description")]
        SignOff.with_initial_data(description="another text").save(KEYS)
        again = [read_flow_run_input(KEYS[part]) for part in ("schema", "description")]
        assert stored == again
        return stored

    with temporary_settings(updates={PREFECT_API_URL: prefect_api}):
        schema, description = asking()
    assert isinstance(schema, dict)
    assert set(schema["properties"]) == {"name", "decision", "reason"}
    assert description == "12 of 12 alike"
