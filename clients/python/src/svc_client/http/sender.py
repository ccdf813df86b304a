"""Calls of the service, with one time limit for a call and all its retries."""

import json
import math
import random
import time
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime
from typing import Any, Literal

import httpx

from .check_number import check_number
from .errors import SvcApiError
from .steps import Pause, Reply, Send, Steps

TIMEOUT_SECONDS_MAX = 2_147_483
RETRIES_MAX = 2
PAUSE_SECONDS_DEFAULT = 0.5
JITTER_SECONDS_MAX = 0.1

#: When a call may be sent again: `always` if repeating it changes nothing, `when_refused` if only after the service has
#: said that it did nothing, `never` if the call can be used only once.
Retry = Literal["always", "when_refused", "never"]


class Sender:
    """Calls the service.

    Only 429 and 503 are retried, at most twice, after the pause that the service asks for. If that pause does not fit into
    the time limit, the call fails and the caller may wait (`retry_after_seconds`). Redirects are not followed, because they
    would carry the API key to another host.

    Raises ValueError at once for an invalid time limit.
    """

    def __init__(
        self,
        base_url: str,
        *,
        headers: Mapping[str, str] | None = None,
        timeout_seconds: float = 10,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        check_number("timeout_seconds", timeout_seconds, 0.001, TIMEOUT_SECONDS_MAX)
        self._base_url = base_url
        self._headers = dict(headers or {})
        self._timeout_seconds = timeout_seconds
        self._now = now

    def send(
        self,
        method: str,
        path: str,
        *,
        body: str | None = None,
        headers: Mapping[str, str] | None = None,
        retry: Retry,
        is_answer: Callable[[Any], bool] = lambda answer: True,
    ) -> Steps[Any]:
        """Makes a call and returns the parsed body of the response, if `is_answer` accepts it. Raises SvcApiError."""
        deadline = self._now() + self._timeout_seconds
        retries = 0
        while True:
            request = self._build(method, path, body, headers or {})
            reply: Reply = yield Send(request, max(0.001, deadline - self._now()))
            if 200 <= reply.status < 300:
                answer = _read_json(reply)
                if is_answer(answer):
                    return answer
                raise SvcApiError(
                    "INVALID_RESPONSE",
                    reply.status,
                    f"The JSON from {reply.url} is not the answer of the service; is api_base_url right?",
                    request_id=reply.headers.get("x-request-id"),
                )
            error = read_error(reply)
            pause = _pause_after(error, retries)
            fits = self._now() + pause < deadline
            if retries == RETRIES_MAX or not fits or not _may_retry(error, retry):
                raise error
            yield Pause(pause)
            retries += 1

    def _build(self, method: str, path: str, body: str | None, headers: Mapping[str, str]) -> httpx.Request:
        content = {} if body is None else {"Content-Type": "application/json"}
        all_headers = {"Accept": "application/json", **content, **self._headers, **headers}
        return httpx.Request(method, self._base_url + path, headers=all_headers, content=body)


def read_error(reply: Reply) -> SvcApiError:
    """Reads an unsuccessful response as an error.

    If the body is not the service's envelope (a proxy's error page, say), the error still has the status, request id and
    Retry-After of the response. Source: docs/errors.md; RFC 9110 §10.2.3.
    """
    envelope = _read_envelope(reply)
    code, message, errors = (envelope.get(name) for name in ("code", "message", "errors"))
    default = f"{reply.url} responded with {reply.status} but without an error of the service; is api_base_url right?"
    return SvcApiError(
        code if isinstance(code, str) else "INVALID_RESPONSE",
        reply.status,
        message if isinstance(message, str) else default,
        request_id=reply.headers.get("x-request-id"),
        retry_after_seconds=_parse_retry_after(reply.headers.get("retry-after")),
        errors=[error for error in errors if _is_field_error(error)] if isinstance(errors, list) else (),
    )


def _read_json(reply: Reply) -> Any:
    """A body that is too long or not JSON did not come from the service."""
    try:
        return json.loads(reply.body or b"")
    except (ValueError, RecursionError) as cause:
        kind = reply.headers.get("content-type", "no content type")
        raise SvcApiError(
            "INVALID_RESPONSE",
            reply.status,
            f"Expected JSON from {reply.url}, got {kind}; is api_base_url right?",
            request_id=reply.headers.get("x-request-id"),
        ) from cause


def _read_envelope(reply: Reply) -> dict[str, Any]:
    try:
        body = json.loads(reply.body or b"")
    except (ValueError, RecursionError):
        return {}
    return body if isinstance(body, dict) else {}


def _is_field_error(error: object) -> bool:
    return isinstance(error, dict) and all(
        isinstance(error.get(name), str) for name in ("pointer", "message")
    )


def _may_retry(error: SvcApiError, retry: Retry) -> bool:
    """A rate limit and the service's own 503 refuse a call before anything is done; a proxy's 503 may come afterwards."""
    if retry == "never":
        return False
    if error.status == 429:
        return True
    return error.status == 503 and (retry == "always" or error.code == "SERVICE_UNAVAILABLE")


def _pause_after(error: SvcApiError, retries: int) -> float:
    asked = error.retry_after_seconds
    pause = PAUSE_SECONDS_DEFAULT * (1 << retries) if asked is None else asked
    return pause + random.random() * JITTER_SECONDS_MAX


def _parse_retry_after(header: str | None) -> int | None:
    """Retry-After in seconds; the header is either a number of seconds or a date."""
    if header is None:
        return None
    if header.isascii() and header.isdigit() and len(header) < 10:
        return int(header)
    try:
        return max(0, math.ceil(parsedate_to_datetime(header).timestamp() - time.time()))
    except (ValueError, OverflowError):
        return None
