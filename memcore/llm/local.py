"""A model server of one's own that speaks the chat protocol of OpenAI: Ollama, llama.cpp, vLLM.

Their JSON-schema grammars (`response_format`) keep the reply in form, bounds of numbers and lists included.
Spoken over the standard library, so that no package is needed; no proxy is used and no redirect followed: the
text goes where it was sent.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any, NamedTuple, cast
from urllib.parse import urlsplit

from memcore.errors import InputError
from memcore.llm import faults
from memcore.llm.asking import Call, Part, Usage
from memcore.llm.prompts import Prompt
from memcore.llm.shapes import NUMBER, TEXT, event, maybe, members
from memcore.settings import DEFAULT, Settings

SERVICE = "The local model server"
OLLAMA = "http://127.0.0.1:11434/v1"
LONGEST_LINE = 1_000_000  # bytes
LONGEST_ERROR = 20_000
_CHOICE = members(delta=maybe(members(content=TEXT, refusal=TEXT)), finish_reason=TEXT)
_USAGE = members(
    prompt_tokens=NUMBER,
    completion_tokens=NUMBER,
    prompt_tokens_details=maybe(members(cached_tokens=NUMBER)),
)
_EVENT = members(choices=maybe({"type": "array", "items": _CHOICE}), usage=maybe(_USAGE))


class Address(NamedTuple):
    """Where a server is: the parts of its base URL."""

    scheme: str
    host: str
    port: int | None
    path: str


class Local:
    """One model behind chat/completions. A key is sent where one was given, and never shown."""

    def __init__(
        self, model: str, key: str = "", base_url: str = OLLAMA, settings: Settings = DEFAULT
    ) -> None:
        self.name = f"local/{model}"
        self._model = model
        self._address = address_of(base_url)
        self._settings = settings
        self._headers = {"content-type": "application/json", "accept": "text/event-stream"}
        if key:
            self._headers["authorization"] = f"Bearer {key}"

    def stream(self, call: Call) -> Generator[Part, None, None]:
        """See Wire.stream."""
        body = {
            "model": self._model,
            "messages": [
                {"role": "system", "content": call.prompt.instructions},
                {"role": "user", "content": call.prompt.data},
            ],
            "max_tokens": call.most,
            "temperature": 0,
            "stream": True,
            "stream_options": {"include_usage": True},
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": call.task, "strict": True, "schema": call.schema},
            },
        }
        with _translated(), closing(self._connected()) as connection:
            text = json.dumps(body, ensure_ascii=False).encode()
            connection.request("POST", f"{self._address.path}/chat/completions", text, self._headers)
            if connection.sock:
                connection.sock.settimeout(self._settings.model_silence_seconds)
            response = connection.getresponse()
            if response.status != 200:
                raise _refused(response)
            yield Part()
            yield from _parts(response)

    def tokens(self, prompt: Prompt) -> int:
        """An estimate: these servers have no count in common."""
        return prompt.tokens

    def close(self) -> None:
        """Each call has its own connection, which ended with it."""

    def _connected(self) -> HTTPConnection:
        kind = HTTPSConnection if self._address.scheme == "https" else HTTPConnection
        made = kind(self._address.host, self._address.port, timeout=self._settings.model_connect_seconds)
        try:
            made.connect()
        except TimeoutError as error:
            raise faults.unreachable(SERVICE) from error
        return made


def address_of(base_url: str) -> Address:
    """Raises InputError for what is no address of a server."""
    try:
        parts = urlsplit(base_url)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query:
        raise InputError(f"The address of the model server must look like {OLLAMA}.")
    return Address(parts.scheme, parts.hostname, port, parts.path.rstrip("/"))


def may_be_proxied(base_url: str) -> bool:
    """Whether a proxy of the environment is used: it reads what is not encrypted, key and memories."""
    return not base_url.lower().startswith("http://")


def _parts(response: HTTPResponse) -> Iterator[Part]:
    finish = ""
    for told in _events(response):
        if told is None:
            yield Part()
            continue
        if "error" in told:
            raise _of_error(told["error"])
        if told.get("usage"):
            yield Part(usage=_usage(told["usage"]))
        choices: list[dict[str, Any]] = told.get("choices") or []
        for choice in choices[:1]:
            delta: dict[str, Any] = choice.get("delta") or {}
            if delta.get("refusal"):
                raise faults.declined(SERVICE)
            finish = choice.get("finish_reason") or finish
            yield Part(delta.get("content") or "")
    if finish == "length":
        raise faults.cut_off(SERVICE)
    if finish == "content_filter":
        raise faults.declined(SERVICE)


def _events(response: HTTPResponse) -> Iterator[dict[str, Any] | None]:
    """The events of the stream until the one that ends it; None for a line that only says it is alive."""
    lines = events = 0
    while line := response.readline(LONGEST_LINE):
        if len(line) >= LONGEST_LINE:
            raise faults.endless(SERVICE)
        lines += 1
        field, _, value = line.strip().partition(b":")
        if field == b"data" and value.strip() == b"[DONE]":
            return
        events += field == b"data"
        yield event(json.loads(value.decode()), _EVENT, SERVICE) if field == b"data" else None
    raise faults.broken_off(SERVICE) if events or not lines else faults.other_protocol(SERVICE)


def _usage(told: Mapping[str, Any]) -> Usage:
    details: dict[str, int] = told.get("prompt_tokens_details") or {}
    return Usage(
        told.get("prompt_tokens") or 0, told.get("completion_tokens") or 0, details.get("cached_tokens") or 0
    )


def _refused(response: HTTPResponse) -> Exception:
    words = response.read(LONGEST_ERROR).decode("utf-8", "replace")
    after = faults.asked_again_after(response.headers.get)
    return faults.of_status(SERVICE, response.status, words, after)


def _of_error(told: Any) -> Exception:
    """An error inside a stream: the servers write a status in it, or only words."""
    status = cast(dict[str, Any], told).get("code") if isinstance(told, dict) else None
    status = status if isinstance(status, int) and 400 <= status < 600 else 500
    return faults.of_status(SERVICE, status, json.dumps(told))


@contextmanager
def _translated() -> Generator[None, None, None]:
    try:
        yield
    except TimeoutError as error:
        raise faults.timed_out(SERVICE) from error
    except (OSError, HTTPException) as error:
        raise faults.unreachable(SERVICE) from error
    except (ValueError, RecursionError):  # no JSON: what stands there may retell a memory, hence no cause
        raise faults.broken_off(SERVICE) from None
