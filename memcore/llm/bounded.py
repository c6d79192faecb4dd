"""An event that never ends is cut off: the packages of the services gather one whole before they hand it on.

What comes is counted from one empty line to the next, which is where events end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import httpx2

from memcore.llm import faults

LONGEST_EVENT = 16_000_000  # bytes; a hundred vectors of 3,072 numbers, each on its line, are half of it


def bounded(service: str) -> Callable[[httpx2.Response], None]:
    """A hook on the responses of a client: reading one raises TooLong where an event would not end."""

    def watch(response: httpx2.Response) -> None:
        if isinstance(response.stream, httpx2.SyncByteStream):
            response.stream = _Bounded(response.stream, service)

    return watch


class _Bounded(httpx2.SyncByteStream):
    def __init__(self, stream: httpx2.SyncByteStream, service: str) -> None:
        self._stream, self._service = stream, service

    def __iter__(self) -> Iterator[bytes]:
        size, seam = 0, b""
        for chunk in self._stream:
            seam += chunk
            ends = max(seam.rfind(b"\n\n"), seam.rfind(b"\n\r\n"))
            size = len(seam) - ends if ends >= 0 else size + len(chunk)
            if size > LONGEST_EVENT:
                raise faults.endless(self._service)
            yield chunk
            seam = seam[-2:]

    def close(self) -> None:
        self._stream.close()
