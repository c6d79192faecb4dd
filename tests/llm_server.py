"""A model server on loopback that speaks three wire formats and misbehaves as it is told to.

Anthropic Messages, Gemini generateContent and OpenAI chat completions, each streamed as the real services
do, and their counting and embedding. A script says what happens to the next requests, in order; after it
every request gets `reply`.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, NamedTuple

from memcore.llm.asking import Book, Model
from memcore.llm.choose import Access, model_named
from memcore.llm.patience import Patience
from memcore.settings import DEFAULT

Kind = Literal[
    "ok",
    "bytewise",  # every byte is sent by itself: characters arrive in halves
    "status",
    "silent",  # no answer at all
    "hanging",  # it begins, and then says nothing any more
    "alive",  # it begins, and then says for ever that it is still there
    "half_closed",  # the connection breaks off
    "quiet_end",  # it ends as a connection should, but not as a reply should
    "refused",
    "cut",
    "error_within",
    "garbage",
    "verbatim",  # these bytes and these headers, whoever is asked
    "endless",  # a line that never ends
]
USAGE = {"sent": 100, "received": 20, "cached": 80}


@dataclass(frozen=True)
class Act:
    """What happens to one request."""

    kind: Kind = "ok"
    text: str = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict[str, str])
    words: str = "no"
    says_usage: bool = True
    sent: int = 100  # what the local server says it was sent
    body: bytes = b""


class Asked(NamedTuple):
    """A request that came in; names of headers in lower case."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def instructions(self) -> str:
        if "contents" in self.body:
            return self.body["systemInstruction"]["parts"][0]["text"]
        if "system" in self.body:
            return self.body["system"][0]["text"]
        return self.body["messages"][0]["content"]

    @property
    def data(self) -> str:
        if "contents" in self.body:
            return self.body["contents"][0]["parts"][0]["text"]
        return self.body["messages"][-1]["content"]

    @property
    def schema(self) -> dict[str, Any]:
        if "contents" in self.body:
            return self.body["generationConfig"]["responseJsonSchema"]
        if "output_config" in self.body:
            return self.body["output_config"]["format"]["schema"]
        return self.body["response_format"]["json_schema"]["schema"]


@dataclass
class Server:
    """Use it in a `with`. `reply` is the text of an answer, or makes one of the request.

    While `gate` is not set, a reply stops in its middle.
    """

    reply: str | Callable[[Asked], str] = "{}"
    script: list[Act] = field(default_factory=list[Act])
    asked: list[Asked] = field(default_factory=list[Asked])
    vector: list[float] = field(default_factory=lambda: [3.0, 4.0])
    leaving: threading.Event = field(default_factory=threading.Event)
    gate: threading.Event = field(default_factory=threading.Event)
    flowed: int = 0  # bytes of endless lines

    def __post_init__(self) -> None:
        self.gate.set()

    def __enter__(self) -> Server:
        handler = type("Handler", (_Handler,), {"told": self})
        self._server = _Quiet(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.leaving.set()
        self.gate.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def text(self, asked: Asked) -> str:
        return self.reply if isinstance(self.reply, str) else self.reply(asked)


class _Quiet(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is what half of the tests are about."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 0
    disable_nagle_algorithm = True
    told: Server

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is written to the screen."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        asked = Asked(self.path, {k.lower(): v for k, v in self.headers.items()}, body)
        self.told.asked.append(asked)
        vendor = _vendor(self.path)
        if vendor in _PLAIN:
            act = self.told.script.pop(0) if self.told.script else Act()
            told = _PLAIN[vendor](self.told, body) if act.status == 200 else _error(act)
            self._json(act.status, told, act.headers)
            return
        act = self.told.script.pop(0) if self.told.script else Act(text=self.told.text(asked))
        _ACTS.get(act.kind, _Handler._stream)(self, vendor, act)

    def _status(self, vendor: str, act: Act) -> None:
        self._json(act.status, _error(act), act.headers)

    def _silent(self, vendor: str, act: Act) -> None:
        self.told.leaving.wait(5)
        self.close_connection = True

    def _stream(self, vendor: str, act: Act) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        events = list(_EVENTS[vendor](act))
        whole = act.kind in ("ok", "bytewise", "refused", "cut", "error_within")
        for number, event in enumerate(events if whole else events[: -_END[vendor]]):
            if number == len(events) // 2:
                self.told.gate.wait(30)
            step = 1 if act.kind == "bytewise" else len(event)
            for i in range(0, len(event), step):
                self._chunk(event[i : i + step])
        if act.kind == "garbage":
            self._chunk(b"event: content_block_delta\ndata: {not json\n\n")
        if act.kind == "hanging":
            self.told.leaving.wait(5)
        while act.kind == "alive" and not self.told.leaving.wait(0.01):
            self._chunk(_ALIVE[vendor])
        if act.kind in ("hanging", "alive", "half_closed"):
            self.close_connection = True
            return
        self._chunk(b"")

    def _verbatim(self, vendor: str, act: Act) -> None:
        self.send_response(act.status)
        for name, value in {"content-type": "text/event-stream", **act.headers}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(act.body)))
        self.end_headers()
        self.wfile.write(act.body)

    def _endless(self, vendor: str, act: Act) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        self._chunk(b"data: ")
        while not self.told.leaving.is_set():
            self._chunk(b"a" * 500_000)
            self.told.flowed += 500_000

    def _chunk(self, text: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(text), text))

    def _json(self, status: int, told: Any, headers: dict[str, str] | None = None) -> None:
        text = json.dumps(told).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)


_ACTS = {
    "status": _Handler._status,
    "silent": _Handler._silent,
    "verbatim": _Handler._verbatim,
    "endless": _Handler._endless,
}


def _vendor(path: str) -> str:
    if path.startswith("/v1/messages/count_tokens"):
        return "claude_count"
    if path.startswith("/v1/messages"):
        return "claude"
    if path.endswith("/chat/completions"):
        return "local"
    method = re.match(r"/v1\w*/models/[^:]+:(\w+)", path)
    return {"countTokens": "gemini_count", "batchEmbedContents": "gemini_embed"}.get(
        method[1] if method else "", "gemini"
    )


def _error(act: Act) -> dict[str, Any]:
    """All three keep words and kind in one object, with names of their own."""
    kind = {429: "rate_limit_error", 529: "overloaded_error"}.get(act.status, "invalid_request_error")
    told = {"type": kind, "message": act.words, "code": act.status, "status": kind.upper()}
    return {"type": "error", "error": told}


def _claude(act: Act) -> Iterator[bytes]:
    usage = {"input_tokens": 20, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 80}
    message = {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [],
        "stop_reason": None, "stop_sequence": None, "usage": {**usage, "output_tokens": 1},
    }  # fmt: skip
    stop = {"refused": "refusal", "cut": "max_tokens"}.get(act.kind, "end_turn")
    yield event({"type": "message_start", "message": message}, named=True)
    yield event({"type": "ping"}, named=True)
    block = {"type": "text", "text": ""}
    yield event({"type": "content_block_start", "index": 0, "content_block": block}, named=True)
    for piece in _pieces(act.text):
        delta = {"type": "text_delta", "text": piece}
        yield event({"type": "content_block_delta", "index": 0, "delta": delta}, named=True)
    if act.kind == "error_within":
        error = {"type": "overloaded_error", "message": act.words}
        yield event({"type": "error", "error": error}, named=True)
        return
    yield event({"type": "content_block_stop", "index": 0}, named=True)
    delta = {"stop_reason": stop, "stop_sequence": None}
    yield event({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 20}}, named=True)
    yield event({"type": "message_stop"}, named=True)


def _gemini(act: Act) -> Iterator[bytes]:
    usage = {
        "promptTokenCount": 100, "candidatesTokenCount": 15, "thoughtsTokenCount": 5,
        "cachedContentTokenCount": 80, "totalTokenCount": 120,
    }  # fmt: skip
    for piece in _pieces(act.text):
        parts = [{"text": "let me see", "thought": True}, {"text": piece}]
        yield event({"candidates": [{"index": 0, "content": {"role": "model", "parts": parts}}]})
    if act.kind == "error_within":
        yield event({"error": {"code": 503, "message": act.words, "status": "UNAVAILABLE"}})
        return
    finish = {"refused": "SAFETY", "cut": "MAX_TOKENS"}.get(act.kind, "STOP")
    yield event({"candidates": [{"index": 0, "finishReason": finish}], "usageMetadata": usage})


def _local(act: Act) -> Iterator[bytes]:
    finish = {"refused": "content_filter", "cut": "length"}.get(act.kind, "stop")
    yield b": still here\n\n"
    yield event({"choices": [{"index": 0, "delta": {"role": "assistant"}, "finish_reason": None}]})
    for piece in _pieces(act.text):
        yield event({"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]})
    if act.kind == "error_within":
        yield event({"error": {"code": 503, "message": act.words}})
        return
    yield event({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    details = {"cached_tokens": 80}
    usage = {"prompt_tokens": act.sent, "completion_tokens": 20, "prompt_tokens_details": details}
    yield event({"choices": [], "usage": usage if act.says_usage else None})
    yield b"data: [DONE]\n\n"


def event(told: Any, named: bool = False) -> bytes:
    """One event of a stream as it is sent; Claude's are named by their type."""
    name = f"event: {told['type']}\n" if named else ""
    return f"{name}data: {json.dumps(told, ensure_ascii=False)}\n\n".encode()


def _pieces(text: str) -> list[str]:
    return [text[i : i + 7] for i in range(0, len(text), 7)]


_EVENTS: dict[str, Callable[[Act], Iterator[bytes]]] = {
    "claude": _claude,
    "gemini": _gemini,
    "local": _local,
}
_ALIVE = {"claude": event({"type": "ping"}, named=True), "gemini": b"\n", "local": b": still here\n\n"}
_END = {"claude": 3, "gemini": 1, "local": 3}  # the last events, without which a reply has no end
_PLAIN: dict[str, Callable[[Server, dict[str, Any]], dict[str, Any]]] = {
    "claude_count": lambda server, body: {"input_tokens": 42},
    "gemini_count": lambda server, body: {"totalTokens": 42},
    "gemini_embed": lambda server, body: {
        "embeddings": [{"values": server.vector} for _ in body["requests"]]
    },
}


def model_at(server: Server, book: Book | None = None, **settings: Any) -> Model:
    """A model of this server that waits for nothing."""
    patience = Patience(settings=replace(DEFAULT, **settings), sleep=lambda seconds: None)
    return model_named("local/some-model", Access(f"{server.url}/v1"), book, patience)
