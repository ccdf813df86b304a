"""Handlers for an agent's challenge URL, for any ASGI or WSGI server."""

import json
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any

from .pending_counterparties import PendingCounterparties

#: Far longer than any challenge from the service.
CHALLENGE_BYTES_MAX = 16 * 1024

StartResponse = Callable[[str, list[tuple[str, str]]], object]


def challenge_wsgi(
    pending: PendingCounterparties,
) -> Callable[[dict[str, Any], StartResponse], Iterable[bytes]]:
    """Creates a WSGI application that answers runtime challenges. Source: Spec: Agent-hosted challenge endpoint."""

    def app(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        length = environ.get("CONTENT_LENGTH") or "0"
        wanted = int(length) if length.isascii() and length.isdigit() else 0
        body = environ["wsgi.input"].read(wanted) if 0 < wanted <= CHALLENGE_BYTES_MAX else b""
        status, content = _answer(pending, body)
        reason = "OK" if status == 200 else "Bad Request"
        start_response(f"{status} {reason}", [*_headers(content)])
        return [content]

    return app


def challenge_asgi(pending: PendingCounterparties) -> Callable[..., Coroutine[Any, Any, None]]:
    """Creates an ASGI application that answers runtime challenges. Source: Spec: Agent-hosted challenge endpoint."""

    async def app(
        scope: dict[str, Any], receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]
    ) -> None:
        if scope["type"] != "http":
            raise RuntimeError(f"a challenge is an HTTP request, not {scope['type']}")
        body, has_more = bytearray(), True
        while has_more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            has_more = message.get("more_body", False)
            if len(body) <= CHALLENGE_BYTES_MAX:
                body += message.get("body", b"")
        status, content = _answer(pending, bytes(body) if len(body) <= CHALLENGE_BYTES_MAX else b"")
        headers = [(name.lower().encode(), value.encode()) for name, value in _headers(content)]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": content})

    return app


def _answer(pending: PendingCounterparties, body: bytes) -> tuple[int, bytes]:
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        message = None
    status, answer = pending.challenge(message)
    return status, json.dumps(answer).encode()


def _headers(content: bytes) -> list[tuple[str, str]]:
    return [("Content-Type", "application/json; charset=utf-8"), ("Content-Length", str(len(content)))]
