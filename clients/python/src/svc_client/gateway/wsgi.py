"""The gateway for WSGI applications: Flask, Django, Pyramid, Bottle. Source: PEP 3333."""

import io
import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any
from urllib.parse import quote, unquote_to_bytes

import httpx

from ..http.steps import run
from ..verify_client import VerificationFields
from .gateway_calls import GatewayCalls, Verified
from .pass_through import is_pass_through, pass_through_headers_of
from .refusal import Refusal
from .refuse_unfit import refuse_unfit
from .request_facts import RequestFacts, Unread, is_proving, read_headers
from .url_path import path_of

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
WsgiApp = Callable[[Environ, StartResponse], Iterable[bytes]]

#: Where the application finds the result: `environ["svc.verified"]`, a `Verified`.
VERIFIED_KEY = "svc.verified"
_REASONS = {202: "Accepted", 400: "Bad Request", 403: "Forbidden", 409: "Conflict", 413: "Content Too Large"}
#: Characters that a path may contain as they are. Source: RFC 3986 §3.3.
_PATH_SAFE = "/:@!$&'()*+,;=~"


class WsgiGateway:
    """Verifies every request before the application sees it; blocks while it waits.

    Put it outside all other middleware, so that it sees requests as they were sent. The application finds the result in
    `environ["svc.verified"]`. `describe_request` returns what only the application knows, from the facts of the request,
    whose `json()` is the parsed body; it replaces what the gateway has read. If it raises, the request is refused. The
    other settings are those of `GatewayCalls` and `VerifyClient`.

    Raises ValueError as `GatewayCalls`. Source: Spec: Client library contract.
    """

    def __init__(
        self,
        app: WsgiApp,
        *,
        describe_request: Callable[[RequestFacts], VerificationFields | None] | None = None,
        client: httpx.Client | None = None,
        disable_init_checks: bool = False,
        **settings: Any,
    ) -> None:
        self._app = app
        self._gateway = GatewayCalls(**settings)
        self._describe = describe_request
        self._client = client or httpx.Client()
        self._is_checked = disable_init_checks
        self._lock = threading.Lock()

    def ready(self) -> bool:
        """Whether the service is at `api_base_url` and the key owns `counterparty_id`; warns if not, and never raises."""
        return run(self._gateway.check_at_start(), self._client)

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Answers a request, or passes it on."""
        self._check_once()
        outcome = self._verify(environ)
        for name in [name for name in environ if name.startswith("HTTP_") and is_pass_through(name[5:])]:
            del environ[name]
        if isinstance(outcome, Refusal):
            return _send_refusal(outcome, start_response)
        if self._gateway.set_pass_through_header:
            for name, value in pass_through_headers_of(outcome).items():
                environ[f"HTTP_{name.upper().replace('-', '_')}"] = value
        environ[VERIFIED_KEY] = outcome
        return self._app(environ, _add_headers(start_response, outcome.response_headers))

    def _check_once(self) -> None:
        """Runs in the background, from the first request on: a process must start no thread before it forks."""
        with self._lock:
            is_due, self._is_checked = not self._is_checked, True
        if is_due:
            threading.Thread(target=self.ready, daemon=True).start()

    def _verify(self, environ: Environ) -> Verified | Refusal:
        try:
            facts = read_facts(environ, self._gateway.body_bytes_max, needs_body=self._describe is not None)
            unfit = refuse_unfit(facts, is_described=self._describe is not None)
            if unfit is not None:
                return unfit
            if self._describe is not None:
                facts = replace(facts, fields=self._describe(facts))
        except Exception as error:  # noqa: BLE001 - without facts, nothing passes
            return self._gateway.fail(error)
        return run(self._gateway.verify(facts), self._client)


def _add_headers(start_response: StartResponse, added: dict[str, str]) -> StartResponse:
    if not added:
        return start_response

    def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
        return start_response(status, [*headers, *added.items()], *more)

    return start


def _send_refusal(refusal: Refusal, start_response: StartResponse) -> Iterable[bytes]:
    content = refusal.content
    headers = [*refusal.headers.items(), ("Content-Length", str(len(content)))]
    start_response(f"{refusal.status} {_REASONS.get(refusal.status, 'Service Unavailable')}", headers)
    return [content]


def read_facts(environ: Environ, bytes_max: int, *, needs_body: bool = False) -> RequestFacts:
    """Reads the facts of a request; a body that was read is put back into `wsgi.input`."""
    pairs = [
        (name[5:].replace("_", "-"), str(value))
        for name, value in environ.items()
        if name.startswith("HTTP_")
    ]
    for name in ("CONTENT_TYPE", "CONTENT_LENGTH"):
        if environ.get(name):
            pairs.append((name.replace("_", "-"), str(environ[name])))
    headers = read_headers(pairs)
    body = _read_body(environ, bytes_max) if needs_body or is_proving(headers) else None
    return RequestFacts(
        method=str(environ["REQUEST_METHOD"]),
        target=_read_target(environ),
        headers=headers,
        source_ip=environ.get("REMOTE_ADDR") or None,
        scheme=str(environ["wsgi.url_scheme"]),
        body=body,
    )


def _read_target(environ: Environ) -> str:
    """The target as sent, which a signature covers, if the server provides it.

    It counts only if it is the target of the path that the application will see: a server may have rewritten that. Otherwise
    the path is encoded again, and a signature over another spelling fails. One with a fragment is returned to be refused.
    """
    path = (environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")).encode("latin-1", "replace")
    for name in ("RAW_URI", "REQUEST_URI"):
        sent = environ.get(name)
        if not isinstance(sent, str):
            continue
        if "#" in sent or unquote_to_bytes(path_of(sent).encode("latin-1", "replace")) == path:
            return sent
    query = environ.get("QUERY_STRING")
    return (quote(path, safe=_PATH_SAFE) or "/") + (f"?{query}" if query else "")


def _read_body(environ: Environ, bytes_max: int) -> bytes | Unread:
    stated = str(environ.get("CONTENT_LENGTH") or "")
    stream = environ["wsgi.input"]
    if stated:
        if not (stated.isascii() and stated.isdigit()):
            raise ValueError("Content-Length is not a number")
        if int(stated) > bytes_max:
            return "too_long"
        body = _read_up_to(stream, int(stated))
        if len(body) < int(stated):
            environ["wsgi.input"] = io.BytesIO(body)
            return "consumed"
    elif environ.get("HTTP_TRANSFER_ENCODING"):
        # Without a length, the stream can only be read if the server ends it.
        if not environ.get("wsgi.input_terminated"):
            return "consumed"
        body = _read_up_to(stream, bytes_max + 1)
        if len(body) > bytes_max:
            environ["wsgi.input"] = io.BufferedReader(_Joined(body, stream))
            return "too_long"
    else:
        return b""
    environ["wsgi.input"] = io.BytesIO(body)
    return body


def _read_up_to(stream: Any, size: int) -> bytes:
    body = bytearray()
    while len(body) < size:
        chunk = stream.read(size - len(body))
        if not chunk:
            break
        body += chunk
    return bytes(body)


class _Joined(io.RawIOBase):
    """What was read, followed by the rest of the stream."""

    def __init__(self, start: bytes, rest: Any) -> None:
        self._start = io.BytesIO(start)
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        chunk = self._start.read(len(buffer)) or self._rest.read(len(buffer))
        buffer[: len(chunk)] = chunk
        return len(chunk)
