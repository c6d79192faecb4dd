"""Claude, through the anthropic SDK: Messages with a JSON schema, streamed.

The instructions of a task never change, so they are marked for the provider's prompt cache. A base URL
leads to any server that speaks the same; what such a server does not enforce is checked afterwards. The
SDK's own retries are off: waiting is done where it can be seen (patience.py). No redirect is followed: key
and text go where they were sent.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import anthropic
import httpx2
from anthropic.types import RawMessageStreamEvent, TextBlockParam

from memcore.llm import faults
from memcore.llm.asking import NOTHING, Call, Part, Usage
from memcore.llm.bounded import bounded
from memcore.llm.local import may_be_proxied
from memcore.llm.prompts import Prompt
from memcore.llm.shapes import NUMBER, TEXT, event, maybe, members
from memcore.llm.strict_json import sendable
from memcore.settings import DEFAULT, Settings

SERVICE = "Claude"
_MID_STREAM = {  # an error inside a stream that began well has no status of its own
    "authentication_error": 401, "permission_error": 403, "not_found_error": 404, "request_too_large": 413,
    "rate_limit_error": 429, "overloaded_error": 529, "timeout_error": 504, "invalid_request_error": 400,
}  # fmt: skip
_USAGE = maybe(
    members(
        input_tokens=NUMBER, output_tokens=NUMBER, cache_creation_input_tokens=NUMBER,
        cache_read_input_tokens=NUMBER,
    )
)  # fmt: skip
_EVENT = members(
    type=TEXT,
    message=maybe(members(usage=_USAGE)),
    delta=maybe(members(type=TEXT, text=TEXT, stop_reason=TEXT)),
    usage=_USAGE,
)


class Claude:
    """One model behind Messages. The key is the SDK's alone, and not kept here."""

    def __init__(self, model: str, key: str, base_url: str = "", settings: Settings = DEFAULT) -> None:
        self.name = f"claude/{model}"
        self._model = model
        self._client = anthropic.Anthropic(
            api_key=key,
            base_url=base_url or None,
            max_retries=0,
            timeout=httpx2.Timeout(settings.model_silence_seconds, connect=settings.model_connect_seconds),
            http_client=anthropic.DefaultHttpxClient(
                follow_redirects=False,
                trust_env=may_be_proxied(base_url),
                event_hooks={"response": [bounded(SERVICE)]},
            ),
        )

    def stream(self, call: Call) -> Generator[Part, None, None]:
        """See Wire.stream."""
        with (
            _translated(),
            self._client.messages.create(
                model=self._model,
                max_tokens=call.most,
                system=[_cached(call.prompt.instructions)],
                messages=[{"role": "user", "content": call.prompt.data}],
                output_config={"format": {"type": "json_schema", "schema": sendable(call.schema)}},
                stream=True,
            ) as events,
        ):
            if "event-stream" not in events.response.headers.get("content-type", ""):
                raise faults.other_protocol(SERVICE)
            yield Part()
            yield from _parts(events)

    def tokens(self, prompt: Prompt) -> int:
        """The provider's own count, without a charge."""
        with _translated():
            counted = self._client.messages.count_tokens(
                model=self._model,
                system=[_cached(prompt.instructions)],
                messages=[{"role": "user", "content": prompt.data}],
            )
            return counted.input_tokens

    def close(self) -> None:
        self._client.close()


def _cached(instructions: str) -> TextBlockParam:
    return {"type": "text", "text": instructions, "cache_control": {"type": "ephemeral"}}


def _parts(events: Iterator[RawMessageStreamEvent]) -> Iterator[Part]:
    usage, stop, ended = NOTHING, None, False
    for sent in events:
        told = event(sent.to_dict(warnings=False), _EVENT, SERVICE)  # the package hands on whatever was sent
        delta: dict[str, Any] = told.get("delta") or {}
        message: dict[str, Any] = told.get("message") or {}
        if told["type"] == "message_start":
            usage = _usage(message.get("usage") or {})
            yield Part(usage=usage)
        elif told["type"] == "content_block_delta" and delta.get("type") == "text_delta":
            yield Part(delta.get("text") or "")
        elif told["type"] == "message_delta":
            stop = delta.get("stop_reason") or stop
            usage = usage._replace(received=_usage(told.get("usage") or {}).received or usage.received)
            yield Part(usage=usage)
        elif told["type"] == "message_stop":
            ended = True
    if not ended:
        raise faults.broken_off(SERVICE)
    if stop == "refusal":
        raise faults.declined(SERVICE)
    if stop in ("max_tokens", "model_context_window_exceeded"):
        raise faults.cut_off(SERVICE)


def _usage(told: Mapping[str, int | None]) -> Usage:
    """Sent are also the tokens that were written to the cache or read from it, which Claude counts apart."""
    cached = told.get("cache_read_input_tokens") or 0
    fresh = (told.get("input_tokens") or 0) + (told.get("cache_creation_input_tokens") or 0)
    return Usage(fresh + cached, told.get("output_tokens") or 0, cached)


@contextmanager
def _translated() -> Generator[None, None, None]:
    try:
        yield
    except anthropic.APIStatusError as error:
        raise _of_status(error) from None  # the SDK's error quotes the request and the server
    except (anthropic.APITimeoutError, httpx2.TimeoutException) as error:
        begun = not isinstance(error.__cause__, httpx2.ConnectTimeout)
        raise (faults.timed_out if begun else faults.unreachable)(SERVICE) from error
    except (anthropic.APIConnectionError, httpx2.TransportError) as error:
        raise faults.unreachable(SERVICE) from error
    except (anthropic.AnthropicError, httpx2.RequestError, *faults.STRANGE):
        raise faults.broken_off(SERVICE) from None


def _of_status(error: anthropic.APIStatusError) -> Exception:
    status, words = error.status_code, str(error)
    if status < 300:
        status = _MID_STREAM.get(error.type or "", 500)
    return faults.of_status(SERVICE, status, words, faults.asked_again_after(error.response.headers.get))
