"""Laws of the streaming protocol and of every run that follows it."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from firsthand.core.identity import digest_json
from firsthand.core.outcomes import RuleSet
from firsthand.core.taxonomy import Modality
from firsthand.endpoints.replies import Reply, ReplyLog
from firsthand.protocols import (
    Ask,
    Censor,
    Event,
    Failed,
    Feed,
    Instruction,
    Overlap,
    PlannedQuestion,
    Replied,
    Skip,
    Stop,
    StreamEnded,
    StreamingPolicy,
    StreamingProtocol,
    UnitEnded,
    question_events,
    question_moments,
)
from firsthand.subjects import (
    SUBJECTS,
    BaselineSettings,
    ResultTables,
    SubjectConfiguration,
    SubjectFacts,
    merge_shards,
    plan_asks,
    run_shard,
)
from firsthand.subjects.subject import Session, SessionInputs, SubjectQuestion, Unit
from tests.unit.subjects.kitchen import Kitchen, Row, question, recording, words

S = 1_000_000

due_seconds = st.lists(st.integers(0, 40), min_size=1, max_size=8)
policies = st.builds(
    StreamingPolicy,
    probe_step_us=st.integers(1, 12).map(lambda half_s: half_s * S // 2),
    probes=st.integers(0, 4),
    unit_us=st.integers(1, 7).map(lambda seconds: seconds * S),
    overlap=st.sampled_from(Overlap),
    probe_all=st.booleans(),
    rule_sets=st.sampled_from([(RuleSet.PAPER,), tuple(RuleSet)]),
)


def answer_to(ask: Ask, seed: int) -> Event:
    """Draw an answer from the ask's own name, so that it never depends on the order."""
    drawn = int(digest_json([seed, ask.question_id, ask.probe_round])[:8], 16)
    if drawn % 11 == 0:
        return Failed(ask.question_id, ask.probe_round)
    correct = [rule_set for n, rule_set in enumerate(RuleSet) if drawn >> (4 + n) & 3]
    return Replied(ask.question_id, ask.probe_round, drawn % (7 * S), frozenset(correct))


def events_of(ends_us: Sequence[int], end_us: int) -> list[Event]:
    units: list[Event] = [UnitEnded(moment_us) for moment_us in ends_us]
    return [*units, StreamEnded(end_us)]


def followed(
    due_s: Sequence[int], policy: StreamingPolicy, end_us: int, seed: int
) -> list[Instruction]:
    """Carry a stream out; return the instructions in the order in which they were done."""
    planned = [PlannedQuestion(f"q{n}", due * S, n) for n, due in enumerate(due_s)]
    protocol = StreamingProtocol(planned, policy)
    ends = [*range(policy.unit_us, end_us, policy.unit_us), end_us]
    done: list[Instruction] = []
    for event in events_of(ends, end_us):
        waiting = protocol.handle(event)
        while waiting:
            done.append(waiting.pop(0))
            if isinstance(done[-1], Ask):
                waiting.extend(protocol.handle(answer_to(done[-1], seed)))
    return done


Stream = tuple[list[int], StreamingPolicy, int, int]
streams = st.tuples(due_seconds, policies, st.integers(1, 45 * S), st.integers(0, 999))


@given(streams)
def test_nothing_later_than_due_is_fed_before_its_ask(stream: Stream) -> None:
    fed_us = 0
    for step in followed(*stream):
        if isinstance(step, Feed):
            fed_us = step.unit_end_us
        elif isinstance(step, Ask):
            assert fed_us <= step.due_us


@given(streams)
def test_everything_that_ends_at_or_before_due_is_fed_before_its_ask(stream: Stream) -> None:
    _, policy, end_us, _ = stream
    fed_us = 0
    for step in followed(*stream):
        if isinstance(step, Feed):
            fed_us = step.unit_end_us
        elif isinstance(step, Ask):
            whole_units_us = step.due_us // policy.unit_us * policy.unit_us
            assert fed_us == (end_us if step.due_us >= end_us else whole_units_us)


@given(streams)
def test_asks_follow_the_clock_and_initial_ones_come_first_in_a_second(stream: Stream) -> None:
    asks = [step for step in followed(*stream) if isinstance(step, Ask)]
    order = [(ask.due_us, ask.probe_round > 0, int(ask.question_id[1:])) for ask in asks]
    assert order == sorted(order)


@given(streams)
def test_each_question_is_asked_once_a_round_or_has_its_reason(stream: Stream) -> None:
    due_s, policy, end_us, _ = stream
    done = followed(*stream)
    assert isinstance(done[-1], Stop)
    rounds = Counter((s.question_id, s.probe_round) for s in done if isinstance(s, Ask))
    assert not rounds or max(rounds.values()) == 1
    initial = {name for name, probe_round in rounds if probe_round == 0}
    skipped = [step.question_id for step in done if isinstance(step, Skip)]
    assert sorted([*initial, *skipped]) == sorted(f"q{n}" for n in range(len(due_s)))
    for name, probe_round in rounds:
        assert probe_round <= policy.probes
        assert probe_round == 0 or (name, probe_round - 1) in rounds
    for step in done:
        if isinstance(step, Censor):
            assert step.due_us > end_us


@given(due_seconds, policies, st.integers(1, 45 * S), st.integers(0, 999))
def test_questions_of_one_stream_do_not_influence_each_other(
    due_s: list[int], policy: StreamingPolicy, end_us: int, seed: int
) -> None:
    # Timed alone, a question is asked and probed the same whether others are there or not.
    alone_policy = StreamingPolicy(
        probe_step_us=policy.probe_step_us,
        probes=policy.probes,
        unit_us=policy.unit_us,
        probe_all=policy.probe_all,
        rule_sets=policy.rule_sets,
    )
    together = followed(due_s, alone_policy, end_us, seed)
    for number, due in enumerate(due_s):
        planned = PlannedQuestion(f"q{number}", due * S, number)
        protocol = StreamingProtocol([planned], alone_policy)
        ends = [*range(policy.unit_us, end_us, policy.unit_us), end_us]
        alone: list[Instruction] = []
        for event in events_of(ends, end_us):
            waiting = protocol.handle(event)
            while waiting:
                alone.append(waiting.pop(0))
                if isinstance(alone[-1], Ask):
                    waiting.extend(protocol.handle(answer_to(alone[-1], seed)))
        mine = [s for s in together if getattr(s, "question_id", None) == f"q{number}"]
        assert mine == [step for step in alone if not isinstance(step, Feed | Stop)]


@given(due_seconds, policies, st.integers(1, 45 * S), st.integers(0, 999))
def test_the_few_events_that_a_question_needs_bring_the_asks_of_the_whole_stream(
    due_s: list[int], policy: StreamingPolicy, end_us: int, seed: int
) -> None:
    policy = StreamingPolicy.from_json({**policy.to_json(), "overlap": "independent"})
    together = followed(due_s, policy, end_us, seed)
    for number, due in enumerate(due_s):
        planned = PlannedQuestion(f"q{number}", due * S, number)
        protocol = StreamingProtocol([planned], policy)
        alone: list[Instruction] = []
        for event in question_events(planned, policy, end_us):
            waiting = protocol.handle(event)
            while waiting:
                alone.append(waiting.pop(0))
                if isinstance(alone[-1], Ask):
                    waiting.extend(protocol.handle(answer_to(alone[-1], seed)))
        mine = [s for s in together if getattr(s, "question_id", None) == f"q{number}"]
        assert mine == [step for step in alone if not isinstance(step, Feed | Stop)]
        asked_us = {step.due_us for step in mine if isinstance(step, Ask)}
        assert asked_us <= set(question_moments(planned, policy, end_us))


@given(due_seconds, policies, st.integers(1, 45 * S), st.integers(0, 999))
def test_serial_asks_are_among_those_that_are_timed_alone(
    due_s: list[int], policy: StreamingPolicy, end_us: int, seed: int
) -> None:
    # Waiting only adds time, so it never makes an answer count that did not count before.
    fields = {**policy.to_json(), "overlap": "independent"}
    alone = followed(due_s, StreamingPolicy.from_json(fields), end_us, seed)
    queued = followed(
        due_s, StreamingPolicy.from_json({**fields, "overlap": "serial"}), end_us, seed
    )
    asks = [{s for s in done if isinstance(s, Ask)} for done in (alone, queued)]
    assert asks[1] <= asks[0]


class _Witness:
    """A session that answers with the latest moment of anything it was given."""

    def __init__(self) -> None:
        self.latest_us = 0

    def feed(self, unit: Unit) -> None:
        ends = [unit.end_us, *(word.end_us for word in unit.words)]
        self.latest_us = max(self.latest_us, *ends, *(span.end_us for span in unit.pictures))

    def fork(self) -> Session:
        fork = _Witness()
        fork.latest_us = self.latest_us
        return fork

    def ask(self, _question: SubjectQuestion) -> Reply:
        return Reply(str(self.latest_us), "stop", 0, "declared")


class _WitnessSubject:
    def __init__(self, settings: BaselineSettings, *, side_by_side: bool) -> None:
        self.settings = settings
        self.side_by_side = side_by_side

    @property
    def facts(self) -> SubjectFacts:
        receives = frozenset({Modality.SPEECH, Modality.NARRATION})
        return SubjectFacts(
            self.settings.subject_id,
            "1",
            "witness",
            receives=receives,
            stateful=True,
            asks_side_by_side=self.side_by_side,
        )

    def open(self, _inputs: SessionInputs) -> Session:
        return _Witness()


SUBJECTS.register("witness")(lambda given: _WitnessSubject(given, side_by_side=False))
SUBJECTS.register("witnesses")(lambda given: _WitnessSubject(given, side_by_side=True))


def witnessed(name: str, release: Kitchen, policy: StreamingPolicy, size: int) -> ResultTables:
    """Ask the witness everything and return what the run brought but for its name."""
    witness = SubjectConfiguration(name, BaselineSettings("witness"))
    shards = plan_asks(release, [witness], policy, asks_per_shard=size)
    with TemporaryDirectory() as folder:
        return merge_shards(
            run_shard(shard, release, ReplyLog(Path(folder), "w")) for shard in shards
        )


@settings(max_examples=40)
@given(
    st.lists(st.integers(1, 29), min_size=1, max_size=6, unique=True),
    st.lists(st.integers(0, 280), max_size=12),
    policies,
)
def test_no_subject_reaches_anything_later_than_its_due_time(
    due_s: list[int], begins_ds: list[int], policy: StreamingPolicy
) -> None:
    place, clip = recording("ra", "a", 0, 29)
    spoken: list[Row] = []
    for number, begin_ds in enumerate(begins_ds):
        (word,) = words("ra", begin_ds / 10, begin_ds / 10 + 0.7, "word")
        spoken.append({**word, "word_index": number})
    release = Kitchen(
        {
            "timeline": [place],
            "clips": [clip],
            "words": spoken,
            "questions": [
                question(
                    f"qa{n}", due, "open_ended", f"What at {n}?", ["x"], "Causal Understanding"
                )
                for n, due in enumerate(due_s)
            ],
        }
    )
    result = witnessed("witness", release, policy, len(due_s))
    # Asked side by side, in shards of any size, the subject is given exactly the same.
    assert witnessed("witnesses", release, policy, 2) == result
    texts = {row["reply_key"]: row["text"] for row in result.replies.to_pylist()}
    asks = [row for row in result.asks.to_pylist() if row["outcome"] == "answered"]
    assert asks
    for row in asks:
        assert int(texts[row["reply_key"]]) <= row["due_us"]
        # A probe may fall inside a unit; only whole units before it have been fed.
        fed_until_us = row["due_us"] // S * S
        heard = [
            int(str(word["end_us"])) for word in spoken if int(str(word["end_us"])) <= fed_until_us
        ]
        recorded_us = row["last_word_us"]
        assert recorded_us is None or recorded_us <= row["due_us"]
        if policy.unit_us == S:
            assert recorded_us == (max(heard) if heard else None)
