"""One contract for all models: the same questions and the same mishaps, through the real packages."""

from __future__ import annotations

import gzip
import json
import logging
import socket
import subprocess
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from llm_server import Act, Server, event

from memcore.errors import (
    Cancelled,
    ContentRefused,
    InputError,
    KeyRefused,
    MemcoreError,
    ModelUnavailable,
    Overloaded,
    RateLimited,
    ReplyInvalid,
    TimedOut,
    TooLong,
    Unreachable,
)
from memcore.llm.asking import Called, Model, Usage
from memcore.llm.choose import Access, check, gemini_embedder, model_named
from memcore.llm.following import followed
from memcore.llm.patience import Patience, Wait
from memcore.llm.prompts import Prompt
from memcore.settings import DEFAULT

KEY = "sk-very-secret-0123456789"
PROVIDERS = ("claude", "gemini", "local")
PROMPT = Prompt("Choose one.", "=== word\nwhat Ada said: 안녕하세요\n=== word")
SCHEMA = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "minLength": 1},
        "number": {"type": "integer", "minimum": 0, "maximum": 3},
    },
    "required": ["text", "number"],
    "additionalProperties": False,
}
VALUE = {"text": "개를 입양했다 🐶 Ada adopted a dog", "number": 2}
GOOD = json.dumps(VALUE, ensure_ascii=False)
QUICK = replace(DEFAULT, model_silence_seconds=0.6, model_connect_seconds=2.0)


@dataclass
class Book:
    """Takes down what is called."""

    calls: list[Called] = field(default_factory=list[Called])

    def before(self, task: str, model: str, most: Usage) -> str:
        assert most.sent > 0 and most.received == QUICK.model_reply_tokens
        return ""

    def after(self, called: Called, call: str = "") -> None:
        self.calls.append(called)


@dataclass
class Bench:
    """A provider at the scripted server, with a clock that nobody waits for."""

    provider: str
    server: Server
    book: Book = field(default_factory=Book)
    waits: list[Wait] = field(default_factory=list[Wait])
    slept: list[float] = field(default_factory=list[float])
    opened: list[Model] = field(default_factory=list[Model])

    def model(self, **patience: Any) -> Model:
        patient = Patience(
            **{"settings": QUICK, "waiting": self.waits.append, "sleep": self.slept.append, **patience}
        )
        self.opened.append(model_named(f"{self.provider}/some-model", self.access, self.book, patient))
        return self.opened[-1]

    @property
    def access(self) -> Access:
        return Access(self.server.url + ("/v1" if self.provider == "local" else ""), KEY)

    def ask(self, *acts: Act, **patience: Any) -> Any:
        self.server.script = list(acts)
        return self.model(**patience).ask("choose", PROMPT, SCHEMA).value

    def outcomes(self) -> list[str]:
        return [call.outcome for call in self.book.calls]


@contextmanager
def bench_of(provider: str) -> Iterator[Bench]:
    with Server(reply=GOOD) as server:
        made = Bench(provider, server)
        yield made
        for model in made.opened:
            model.close()


@pytest.fixture(params=PROVIDERS)
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    with bench_of(request.param) as made:
        yield made


def test_a_question_is_answered_with_a_checked_value_and_its_bill(bench: Bench) -> None:
    reply = bench.model().ask("choose", PROMPT, SCHEMA)
    assert reply.value == VALUE
    assert reply.usage == Usage(sent=100, received=20, cached=80)
    assert reply.model == f"{bench.provider}/some-model"
    assert bench.outcomes() == ["ok"]


def test_what_is_sent_is_instructions_data_and_the_schema_as_the_grammar_takes_it(bench: Bench) -> None:
    bench.ask()
    (asked,) = bench.server.asked
    assert (asked.instructions, asked.data) == PROMPT
    assert asked.schema["required"] == ["text", "number"]
    number = {"type": "integer"}
    bounded = {**number, "minimum": 0, "maximum": 3}
    assert asked.schema["properties"]["number"] == (bounded if bench.provider == "local" else number)
    assert asked.schema["additionalProperties"] is False
    assert KEY in str(asked.headers)
    assert KEY not in asked.path + str(asked.body)


def test_claude_is_told_to_cache_the_instructions_and_not_the_data() -> None:
    with Server(reply=GOOD) as server:
        bench = Bench("claude", server)
        bench.ask()
        bench.opened[0].close()
    body = server.asked[0].body
    assert body["system"][0]["cache_control"] == {"type": "ephemeral"}
    assert "cache_control" not in str(body["messages"])


def test_the_text_can_be_followed_while_it_comes(bench: Bench) -> None:
    seen: list[str] = []
    bench.model().ask("choose", PROMPT, SCHEMA, seen.append)
    assert len(seen) > 3
    assert seen == sorted(seen, key=len)
    assert seen[-1] == GOOD


def test_a_reply_that_arrives_in_halves_of_characters_is_whole(bench: Bench) -> None:
    assert bench.ask(Act("bytewise", GOOD)) == VALUE


def test_a_rate_limit_with_a_time_is_waited_for_and_shown(bench: Bench) -> None:
    assert bench.ask(Act("status", status=429, headers={"retry-after": "3"})) == VALUE
    assert sum(bench.slept) == pytest.approx(3.0)
    assert [w.seconds for w in bench.waits] == [3.0, 2.5, 2.0, 1.5, 1.0, 0.5]
    assert {(w.attempt, w.attempts) for w in bench.waits} == {(2, 4)}
    assert "limits" in bench.waits[0].why
    assert bench.outcomes() == ["RateLimited", "ok"]


def test_without_a_time_each_wait_is_twice_the_last_and_they_end(bench: Bench) -> None:
    with pytest.raises(RateLimited):
        bench.ask(*[Act("status", status=429)] * 4)
    assert len(bench.server.asked) == 4
    firsts = [bench.waits[0].seconds] + [
        b.seconds for a, b in zip(bench.waits, bench.waits[1:], strict=False) if b.attempt > a.attempt
    ]
    assert firsts == [2.0, 4.0, 8.0]


def test_a_service_that_wants_an_hour_is_given_up_at_once(bench: Bench) -> None:
    with pytest.raises(RateLimited, match="3600 s") as failed:
        bench.ask(Act("status", status=429, headers={"retry-after": "3600"}))
    assert failed.value.seconds == 3600
    assert len(bench.server.asked) == 1


@pytest.mark.parametrize("status", [500, 503, 529])
def test_an_overload_passes(bench: Bench, status: int) -> None:
    assert bench.ask(Act("status", status=status)) == VALUE
    assert bench.outcomes() == ["Overloaded", "ok"]


def test_an_error_inside_a_stream_that_began_well_is_an_overload_too(bench: Bench) -> None:
    assert bench.ask(Act("error_within", GOOD)) == VALUE
    assert bench.outcomes() == ["Overloaded", "ok"]


@pytest.mark.parametrize("status", [401, 403])
def test_a_wrong_key_is_not_tried_again(bench: Bench, status: int) -> None:
    with pytest.raises(KeyRefused, match="does not accept the key"):
        bench.ask(Act("status", status=status, words=f"bad key {KEY}"))
    assert len(bench.server.asked) == 1


def test_gemini_says_in_words_that_the_key_is_wrong() -> None:
    with Server() as server:
        bench = Bench("gemini", server)
        with pytest.raises(KeyRefused):
            bench.ask(Act("status", status=400, words="API key not valid. Please pass a valid API key."))
        bench.opened[0].close()


@pytest.mark.parametrize(
    ("act", "error"),
    [
        (Act("status", status=413), TooLong),
        (Act("status", status=400, words="prompt is too long: 300000 tokens"), TooLong),
        (Act("status", status=400, words="maximum context length is 8192 tokens"), TooLong),
        (Act("status", status=400, words="blocked by the content filter"), ContentRefused),
        (Act("status", status=404, words="no such model"), ModelUnavailable),
        (Act("status", status=402), ModelUnavailable),
        (Act("status", status=400, words="what is this"), ModelUnavailable),
        (Act("refused", "I would rather not"), ContentRefused),
        (Act("cut", GOOD[:20]), TooLong),
    ],
)
def test_what_will_not_pass_is_said_at_once(bench: Bench, act: Act, error: type[MemcoreError]) -> None:
    with pytest.raises(error) as failed:
        bench.ask(act)
    assert type(failed.value) is error
    assert len(bench.server.asked) == 1
    assert act.words not in str(failed.value) or act.words == "no"


@pytest.mark.parametrize("kind", ["silent", "hanging"])
def test_a_service_that_says_nothing_is_left_after_the_time_limit(bench: Bench, kind: Any) -> None:
    with pytest.raises(TimedOut):
        bench.ask(Act(kind, GOOD), settings=replace(QUICK, model_retries=0))


@pytest.mark.parametrize("kind", ["silent", "hanging", "alive"])
def test_it_can_be_stopped_while_the_service_says_nothing(bench: Bench, kind: Any) -> None:
    looks = iter([False] * 3)
    with pytest.raises(Cancelled):
        bench.ask(Act(kind, ""), settings=DEFAULT, cancelled=lambda: next(looks, True))
    assert bench.outcomes() == ["Cancelled"]


@pytest.mark.parametrize("kind", ["silent", "alive"])
def test_signs_of_life_do_not_put_off_the_time_limit(bench: Bench, kind: Any) -> None:
    time = iter(range(0, 100_000, 50))
    with pytest.raises(TimedOut, match="longer than one call"):
        bench.ask(Act(kind, ""), settings=DEFAULT, clock=lambda: float(next(time)))


def test_one_that_talks_for_ever_is_left_too(bench: Bench) -> None:
    time = iter(range(0, 100_000, 50))
    with pytest.raises(TimedOut, match="longer than one call"):
        bench.ask(clock=lambda: float(next(time)))
    assert len(bench.server.asked) == 1


@pytest.mark.parametrize("kind", ["half_closed", "quiet_end", "garbage"])
def test_a_reply_that_breaks_off_is_never_taken_for_one(bench: Bench, kind: Any) -> None:
    assert bench.ask(Act(kind, GOOD)) == VALUE
    assert bench.outcomes() == ["Unreachable", "ok"]


def claudes(*told: dict[str, Any]) -> Act:
    """These events from Claude, nothing before and after them."""
    return Act("verbatim", body=b"".join(event(one, named=True) for one in told))


START = {"type": "message_start", "message": {"id": "m", "role": "assistant", "content": []}}
TEXT = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": GOOD}}
DELTA = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 7}}
STOP = {"type": "message_stop"}
DEEP = b'{"candidates": ' + b"[" * 100_000
GZIP = {"content-encoding": "gzip"}
PAGE = Act("verbatim", headers={"content-type": "text/html"}, body=b"<html>\n<p>caf\xe9: open</p>\n</html>\n")
WORDS = replace(PAGE, headers={"content-type": "text/plain"}, body=b"It works!")
WHOLE = replace(
    PAGE,
    headers={"content-type": "application/json"},
    body=json.dumps({"choices": [{"message": {"content": GOOD}}], "content": [{"text": GOOD}]}).encode(),
)


@pytest.mark.parametrize(
    "told",
    [
        (START, TEXT, DELTA, STOP),
        ({"type": "message_start", "message": None}, TEXT, DELTA, STOP),
        ({"type": "message_start"}, TEXT, {"type": "message_delta", "delta": DELTA["delta"]}, STOP),
        (START, TEXT, {**DELTA, "delta": None, "usage": None}, STOP),
        (START, {**TEXT, "delta": None}, TEXT, DELTA, STOP),
    ],
)
def test_what_a_server_like_claude_leaves_out_is_no_harm(told: tuple[dict[str, Any], ...]) -> None:
    with bench_of("claude") as bench:
        bench.server.script = [claudes(*told)]
        reply = bench.model().ask("choose", PROMPT, SCHEMA)
    assert (reply.value, bench.outcomes()) == (VALUE, ["ok"])
    assert 10 < reply.usage.sent < 100 and reply.usage.received > 0, "by estimate"


@pytest.mark.parametrize(
    ("provider", "act"),
    [
        ("claude", claudes(START, {**TEXT, "delta": {"type": "text_delta", "text": 5}}, DELTA, STOP)),
        ("claude", claudes({"type": "message_start", "message": {"usage": {"input_tokens": "x"}}}, TEXT)),
        ("claude", claudes(START, {**TEXT, "delta": "boom"}, STOP)),
        ("claude", Act("verbatim", body=b"event: message_start\ndata: [1]\n\n")),
        ("claude", Act("verbatim", body=b"event: message_start\ndata: " + DEEP + b"\n\n")),
        ("claude", Act("verbatim", headers=GZIP, body=b"this is not gzip")),
        ("claude", Act("verbatim", headers=GZIP, body=gzip.compress(event(START, named=True))[:-20])),
        ("gemini", Act("verbatim", body=event({"candidates": []}) + event({"error": "boom"}))),
        ("gemini", Act("verbatim", body=event({"candidates": []}) + b"data: " + DEEP + b"\n\n")),
        ("gemini", Act("verbatim", headers=GZIP, body=b"this is not gzip")),
        ("local", Act("verbatim", body=event({"choices": [{"delta": {"content": 5}}]}))),
        ("local", Act("verbatim", body=event([1]))),
        ("local", Act("verbatim", body=event({"choices": [None]}))),
        ("local", Act("verbatim", body=b"data: " + DEEP + b"\n\n")),
    ],
)
def test_a_stream_in_no_form_is_one_that_broke_off(
    provider: str, act: Act, capfd: pytest.CaptureFixture[str]
) -> None:
    with bench_of(provider) as bench:
        assert bench.ask(act) == VALUE
    assert bench.outcomes() == ["Unreachable", "ok"]
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("act", [PAGE, WHOLE, WORDS], ids=["page", "json", "words"])
def test_a_server_that_speaks_something_else_is_asked_once(provider: str, act: Act) -> None:
    with bench_of(provider) as bench:
        if (provider, act) == ("gemini", WHOLE):  # its package takes this for a stream, which broke off
            assert (bench.ask(act), bench.outcomes()) == (VALUE, ["Unreachable", "ok"])
            return
        with pytest.raises(ModelUnavailable, match="does not speak its protocol") as failed:
            bench.ask(act)
        assert type(failed.value) is ModelUnavailable
        assert len(bench.server.asked) == 1


def test_a_line_without_an_end_is_cut_off(bench: Bench) -> None:
    with pytest.raises(TooLong, match="would not end"):
        bench.ask(Act("endless"), settings=DEFAULT)
    assert len(bench.server.asked) == 1 and bench.server.flowed < 60_000_000


def test_whatever_trips_the_reader_is_an_error_of_ours(capfd: pytest.CaptureFixture[str]) -> None:
    def parts() -> Iterator[int]:
        yield 1
        raise ZeroDivisionError("of the secret diary")

    followed_parts = followed(parts(), lambda: None)  # type: ignore[arg-type]
    assert next(followed_parts) == 1
    with pytest.raises(Unreachable, match="ZeroDivisionError") as failed:
        next(followed_parts)
    assert "diary" not in "".join(traceback.format_exception(failed.value)) + capfd.readouterr().err


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_another_address_that_a_server_names_gets_neither_key_nor_text(bench: Bench, status: int) -> None:
    with Server(reply=GOOD) as other:
        elsewhere = {"location": f"{other.url}/v1/messages"}
        with pytest.raises(ModelUnavailable, match="leads elsewhere"):
            bench.ask(Act("status", status=status, headers=elsewhere))
    assert (len(bench.server.asked), other.asked) == (1, [])


def test_a_proxy_reads_nothing_that_is_not_encrypted(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    with Server(reply=GOOD) as proxy:
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
            monkeypatch.setenv(name.lower(), proxy.url)
        assert bench.ask() == VALUE
    assert proxy.asked == []


def test_a_server_that_is_not_there_is_said_in_one_sentence(bench: Bench) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        path = "/v1" if bench.provider == "local" else ""
        away = Access(f"http://127.0.0.1:{taken.getsockname()[1]}{path}", KEY)
        patience = Patience(settings=replace(QUICK, model_retries=0))
        with (
            model_named(f"{bench.provider}/some-model", away, patience=patience) as model,
            pytest.raises(Unreachable, match="cannot be reached"),
        ):
            model.ask("choose", PROMPT, SCHEMA)


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "  \n",
        "Here you are: " + GOOD,
        GOOD[:-1],
        "[" * 5_000,
        '{"text": "x", "number": NaN}',
        '{"text": "x", "text": "y", "number": 1}',
        '{"text": "\\ud800", "number": 1}',
        '{"text": "x"}',
        '{"text": "x", "number": 4}',
        '{"text": "x", "number": true}',
        '{"text": " ", "number": 1}',
        '{"text": "x", "number": 1, "delete": "everything"}',
    ],
)
def test_an_unusable_reply_is_refused_and_asked_for_once_more(bench: Bench, bad: str) -> None:
    bench.server.script = [Act("ok", bad)]
    reply = bench.model().ask("choose", PROMPT, SCHEMA)
    assert reply.value == VALUE
    assert reply.usage == Usage(200, 40, 160)
    assert bench.outcomes() == ["ReplyInvalid", "ok"]
    first, second = bench.server.asked
    assert second.data.startswith(first.data)
    assert "could not be used" in second.data
    assert "everything" not in second.data


def test_twice_unusable_is_an_error_that_quotes_nothing(bench: Bench) -> None:
    said = '{"text": "the secret diary", "number": 99}'
    with pytest.raises(ReplyInvalid, match="number that was not given") as failed:
        bench.ask(Act("ok", said), Act("ok", said))
    assert len(bench.server.asked) == 2
    assert "diary" not in "".join(traceback.format_exception(failed.value))


def test_what_only_the_task_can_check_is_refused_the_same_way(bench: Bench) -> None:
    def unopened(value: Any) -> None:
        if value["number"] == 1:
            raise ReplyInvalid("The model's reply cites what it did not open.")

    bench.server.script = [Act("ok", '{"text": "x", "number": 1}')]
    assert bench.model().ask("choose", PROMPT, SCHEMA, check=unopened).value == VALUE
    assert "did not open" in bench.server.asked[1].data


def test_it_can_be_stopped_between_two_pieces(bench: Bench) -> None:
    seen: list[str] = []
    model = bench.model(cancelled=lambda: len(seen) >= 2)
    with pytest.raises(Cancelled):
        model.ask("choose", PROMPT, SCHEMA, seen.append)
    assert len(seen) == 2
    assert bench.outcomes() == ["Cancelled"]
    assert bench.book.calls[0].usage.sent > 0


def test_it_can_be_stopped_while_it_waits(bench: Bench) -> None:
    with pytest.raises(Cancelled):
        bench.ask(Act("status", status=503), cancelled=lambda: len(bench.slept) == 1)
    assert len(bench.server.asked) == 1


def test_the_next_question_after_a_failure_is_answered(bench: Bench) -> None:
    model = bench.model(settings=replace(QUICK, model_retries=0))
    bench.server.script = [Act("hanging", GOOD)]
    with pytest.raises(TimedOut):
        model.ask("choose", PROMPT, SCHEMA)
    assert model.ask("choose", PROMPT, SCHEMA).value == VALUE


def test_tokens_are_counted(bench: Bench) -> None:
    counted = bench.model().tokens(PROMPT)
    assert counted == 42 if bench.provider != "local" else counted > 5


@pytest.mark.parametrize(
    "act",
    [
        Act("status", status=401, words=f"bad key {KEY}"),
        Act("status", status=400, words=f"request with {KEY} is wrong"),
        Act("half_closed", GOOD),
        Act("silent"),
        Act("ok", KEY),
    ],
    ids=lambda act: act.kind + str(act.status),
)
def test_the_key_is_in_no_text_of_ours(bench: Bench, act: Act, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    model = bench.model(settings=replace(QUICK, model_retries=0, model_asked_again=0))
    bench.server.script = [act]
    with pytest.raises(MemcoreError) as failed:
        model.ask("choose", PROMPT, SCHEMA)
    shown = [repr(model), repr(model.wire), str(failed.value), repr(failed.value), caplog.text]
    shown += traceback.format_exception(failed.value)
    assert KEY not in "".join(shown)
    assert KEY not in repr(bench.access)


def test_the_check_of_a_model_is_one_call_that_is_not_tried_again(bench: Bench) -> None:
    bench.server.reply = '{"ready": true}'
    assert check(bench.model()).usage.sent == 100
    bench.server.script = [Act("status", status=503)]
    with pytest.raises(Overloaded):
        check(bench.model())
    assert len(bench.server.asked) == 2
    assert bench.outcomes() == ["ok", "Overloaded"]


@pytest.mark.parametrize(
    ("provider", "variable"), [("claude", "ANTHROPIC_API_KEY"), ("gemini", "GEMINI_API_KEY")]
)
def test_without_a_key_nothing_is_asked(
    provider: str, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(KeyRefused, match=variable):
        model_named(f"{provider}/some-model")
    monkeypatch.setenv(variable, KEY)
    model_named(f"{provider}/some-model").close()


def test_a_key_of_the_environment_is_not_sent_to_an_address_that_was_passed(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "GEMINI_API_KEY", "MEMCORE_LOCAL_KEY"):
        monkeypatch.setenv(name, KEY)
    with model_named(f"{bench.provider}/some-model", bench.access._replace(key="")) as model:
        assert model.ask("choose", PROMPT, SCHEMA).value == VALUE
    assert KEY not in str(bench.server.asked)


@pytest.mark.parametrize("key", ["sk-one\nsk-two", "sk one", "sk-\u00e9", "\ud0a4"])
@pytest.mark.parametrize("provider", PROVIDERS)
def test_what_cannot_be_a_key_is_neither_sent_nor_quoted(provider: str, key: str) -> None:
    with pytest.raises(KeyRefused, match="copy it again") as failed:
        model_named(f"{provider}/some-model", Access(key=key))
    assert key not in "".join(traceback.format_exception(failed.value))


@pytest.mark.parametrize(
    "name", ["", "claude", "claude/", "gpt/x", "/x", "claude/a b", "gemini/?x", "local/\n"]
)
def test_an_unknown_provider_is_named_with_the_known_ones(name: str) -> None:
    with pytest.raises(InputError, match="claude/"):
        model_named(name)


@pytest.mark.parametrize(
    "url", ["ftp://host", "host:80", "http://", "http://u:p@host/v1", "http://host:x/v1"]
)
@pytest.mark.parametrize("provider", PROVIDERS)
def test_an_address_that_is_none_is_refused(provider: str, url: str) -> None:
    with pytest.raises(InputError, match="must look like"):
        model_named(f"{provider}/some-model", Access(url))


def test_choosing_loads_no_package_that_was_not_chosen() -> None:
    code = (
        "import sys, memcore.llm.choose as c; c.model_named('local/x'); "
        "print([m for m in ('anthropic', 'google.genai', 'lancedb', 'streamlit') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_server_that_does_not_say_what_it_took_is_on_the_bill_by_estimate() -> None:
    with Server(script=[Act("ok", GOOD, says_usage=False)]) as server:
        bench = Bench("local", server)
        usage = bench.model().ask("choose", PROMPT, SCHEMA).usage
    assert 10 < usage.sent < 100 and 10 < usage.received < 100


@pytest.mark.parametrize(("provider", "package"), [("claude", "anthropic"), ("gemini", "google.genai")])
def test_a_missing_package_is_said_with_the_command(
    provider: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ModelUnavailable, match="pip install"):
        model_named(f"{provider}/some-model", Access(key=KEY))


def test_embeddings_by_gemini_are_unit_vectors_with_a_name_of_their_own() -> None:
    with Server() as server:
        embedder = gemini_embedder(2, access=Access(server.url, KEY))
        rows = embedder.embed(["one", " ", "two"] * 60)
        assert rows.shape == (180, 2)
        assert rows.dtype == np.float32
        assert rows[0] == pytest.approx([0.6, 0.8])
        assert not rows[1].any()
        sizes = [len(a.body["requests"]) for a in server.asked]
        assert sizes == [100, 20]
        assert (embedder.name, embedder.fingerprint) == ("gemini:gemini-embedding-2", "gemini-embedding-2:2")
        assert embedder.embed([]).shape == (0, 2)
        assert server.asked[0].body["requests"][0]["outputDimensionality"] == 2


@pytest.mark.parametrize("vector", [[1.0], [1.0, 2.0, 3.0], []])
def test_vectors_of_another_length_are_refused(vector: list[float]) -> None:
    with Server(vector=vector) as server:
        embedder = gemini_embedder(2, access=Access(server.url, KEY))
        with pytest.raises(ReplyInvalid, match="other vectors"):
            embedder.embed(["one"])


@pytest.mark.parametrize("vector", [[float("nan"), 1.0], [float("inf"), 1.0], [0.0, 0.0]])
def test_vectors_without_a_direction_are_refused(vector: list[float]) -> None:
    with Server(vector=vector) as server, pytest.raises(ReplyInvalid, match="no direction"):
        gemini_embedder(2, access=Access(server.url, KEY)).embed(["one"])


@pytest.mark.parametrize("scale", [1e300, 1e38, 1.0, 1e-46])
def test_a_vector_of_any_length_has_length_one_afterwards(scale: float) -> None:
    with Server(vector=[3 * scale, 4 * scale]) as server:
        rows = gemini_embedder(2, access=Access(server.url, KEY)).embed(["one"])
    assert rows[0] == pytest.approx([0.6, 0.8])


def test_texts_to_embed_are_not_sent_to_where_a_server_leads() -> None:
    with Server() as other:
        elsewhere = {"location": f"{other.url}/v1beta/models/x:batchEmbedContents"}
        act = Act("status", status=307, headers=elsewhere)
        with Server(script=[act]) as server, pytest.raises(ModelUnavailable, match="leads elsewhere"):
            gemini_embedder(2, access=Access(server.url, KEY)).embed(["one"])
    assert other.asked == []


def test_embedding_waits_for_an_overload_too() -> None:
    slept: list[float] = []
    with Server(script=[Act(status=503)]) as server:
        patience = Patience(sleep=slept.append)
        embedder = gemini_embedder(2, access=Access(server.url, KEY), patience=patience)
        assert embedder.embed(["one"]).shape == (1, 2)
    assert sum(slept) == 2.0
