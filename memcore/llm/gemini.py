"""Gemini, through the google-genai SDK: content with a response schema, streamed, and embeddings.

The SDK's own retries are set to none: waiting is done where it can be seen (patience.py). No redirect is
followed: key and text go where they were sent. A client lives as long as its object here and is closed by
it. Embeddings are another choice of embedder: a store that was written with them is not opened with another.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import httpx2
import numpy as np
import numpy.typing as npt
from google import genai
from google.genai import errors, types

from memcore.errors import ReplyInvalid
from memcore.llm import faults
from memcore.llm.asking import Call, Part, Usage
from memcore.llm.bounded import bounded
from memcore.llm.local import may_be_proxied
from memcore.llm.patience import Patience
from memcore.llm.prompts import Prompt
from memcore.llm.strict_json import sendable
from memcore.settings import DEFAULT, Settings

SERVICE = "Gemini"
BATCH = 100  # texts that one request may embed
READ_CHARS = 8_000  # about what the embedding models read of a text
_DECLINED = {
    "SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "ESCALATION",
    "PUP_LIMITED_DISABLED",
}  # fmt: skip


class Gemini:
    """One model behind generateContent. The key is the SDK's alone, and not kept here."""

    def __init__(self, model: str, key: str, base_url: str = "", settings: Settings = DEFAULT) -> None:
        self.name = f"gemini/{model}"
        self._model = model
        self._client = _client(key, base_url, settings)

    def stream(self, call: Call) -> Generator[Part, None, None]:
        """See Wire.stream."""
        config = types.GenerateContentConfig(
            system_instruction=call.prompt.instructions,
            response_mime_type="application/json",
            response_json_schema=sendable(call.schema),
            max_output_tokens=call.most,
        )
        with _translated():
            pieces = self._client.models.generate_content_stream(
                model=self._model, contents=call.prompt.data, config=config
            )
            yield from _parts(_pieces(pieces))

    def tokens(self, prompt: Prompt) -> int:
        """The provider's own count; instructions and data are counted as one text."""
        with _translated():
            counted = self._client.models.count_tokens(
                model=self._model, contents=f"{prompt.instructions}\n{prompt.data}"
            )
            return counted.total_tokens or 0

    def close(self) -> None:
        self._client.close()


class GeminiEmbedder:
    """Unit vectors by an embedding model of Gemini.

    The service does not say which weights it runs: the fingerprint is the model's name and the dimension,
    and vectors of two batches may differ in the last digits. Blank texts are rows of zeros and not sent.
    """

    def __init__(
        self,
        key: str,
        model: str = "gemini-embedding-2",
        dimension: int = 768,
        base_url: str = "",
        patience: Patience | None = None,
    ) -> None:
        self.name = f"gemini:{model}"
        self.fingerprint = f"{model}:{dimension}"
        self.dimension = dimension
        self._model = model
        self._patience = patience or Patience()
        self._client = _client(key, base_url, self._patience.settings)

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """(len(texts), dimension) float32 rows of length 1, zeros for blank texts. Raises ModelError."""
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        told = [i for i, text in enumerate(texts) if text[:READ_CHARS].strip()]
        for start in range(0, len(told), BATCH):
            some = told[start : start + BATCH]
            batch = [texts[i][:READ_CHARS].encode("utf-8", "replace").decode() for i in some]
            rows[some] = self._patience.insist(lambda batch=batch: self._embedded(batch))
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.divide(rows, lengths, out=rows, where=lengths > 0)

    def covers(self, text: str) -> bool:
        """Always: the models were trained on more than a hundred languages."""
        return True

    def close(self) -> None:
        self._client.close()

    def _embedded(self, batch: list[str]) -> npt.NDArray[np.float32]:
        config = types.EmbedContentConfig(output_dimensionality=self.dimension)
        # Each text as a content of its own: the newer models take a list of texts for one document.
        contents: Any = [types.Content(role="user", parts=[types.Part(text=text)]) for text in batch]
        with _translated():
            reply = self._client.models.embed_content(model=self._model, contents=contents, config=config)
        rows = [e.values or [] for e in reply.embeddings or []]
        if len(rows) != len(batch) or any(len(row) != self.dimension for row in rows):
            raise ReplyInvalid(f"{SERVICE} replied with other vectors than were asked for.")
        made = np.asarray(rows, dtype=np.float64)
        largest = np.abs(made).max(axis=1, keepdims=True)
        if not np.isfinite(made).all() or not largest.all():
            raise ReplyInvalid(f"{SERVICE} replied with vectors that have no direction.")
        return (made / largest).astype(np.float32)


def _client(key: str, base_url: str, settings: Settings) -> genai.Client:
    return genai.Client(
        enterprise=False,
        api_key=key,
        http_options=types.HttpOptions(
            base_url=base_url or None,
            timeout=round(settings.model_silence_seconds * 1000),
            retry_options=types.HttpRetryOptions(attempts=1),
            client_args={
                "follow_redirects": False,
                "trust_env": may_be_proxied(base_url),
                "event_hooks": {"response": [bounded(SERVICE)]},
            },
        ),
    )


def _pieces(
    pieces: Iterator[types.GenerateContentResponse],
) -> Iterator[types.GenerateContentResponse]:
    """The same; where not even the first can be read, somebody else answers."""
    try:
        first = next(pieces, None)
    except faults.STRANGE:
        raise faults.other_protocol(SERVICE) from None
    if first is not None:
        yield first
        yield from pieces


def _parts(pieces: Iterator[types.GenerateContentResponse]) -> Iterator[Part]:
    finish = ""
    for piece in pieces:
        if piece.usage_metadata:
            yield Part(usage=_usage(piece.usage_metadata))
        if piece.prompt_feedback and piece.prompt_feedback.block_reason:
            raise faults.declined(SERVICE)
        for candidate in (piece.candidates or [])[:1]:
            finish = candidate.finish_reason.value if candidate.finish_reason else finish
            spoken = (candidate.content and candidate.content.parts) or []
            yield Part("".join(part.text or "" for part in spoken if not part.thought))
    if not finish:
        raise faults.broken_off(SERVICE)
    if finish in _DECLINED:
        raise faults.declined(SERVICE)
    if finish == "MAX_TOKENS":
        raise faults.cut_off(SERVICE)
    if finish != "STOP":
        raise ReplyInvalid(f"{SERVICE} ended its reply for a reason that it does not explain.")


def _usage(told: types.GenerateContentResponseUsageMetadata) -> Usage:
    received = (told.candidates_token_count or 0) + (told.thoughts_token_count or 0)
    return Usage(told.prompt_token_count or 0, received, told.cached_content_token_count or 0)


@contextmanager
def _translated() -> Generator[None, None, None]:
    try:
        yield
    except errors.APIError as error:
        raise _of_status(error) from None  # the SDK's error quotes the request and the server
    except httpx2.ConnectTimeout as error:
        raise faults.unreachable(SERVICE) from error
    except httpx2.TimeoutException as error:
        raise faults.timed_out(SERVICE) from error
    except httpx2.TransportError as error:
        raise faults.unreachable(SERVICE) from error
    except (httpx2.RequestError, *faults.STRANGE):
        raise faults.broken_off(SERVICE) from None


def _of_status(error: errors.APIError) -> Exception:
    told: Any = error
    words, answer = str(told.details), told.response  # an error inside a stream has no answer of its own
    header = answer.headers.get if hasattr(answer, "headers") else _no_header
    return faults.of_status(SERVICE, error.code, words, faults.asked_again_after(header, words))


def _no_header(name: str) -> None:
    return None
