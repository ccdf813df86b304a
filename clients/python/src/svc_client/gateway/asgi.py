"""The gateway for ASGI applications: FastAPI, Starlette, Quart, Django. Source: ASGI 3.0."""

import asyncio
import inspect
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any
from urllib.parse import quote, unquote_to_bytes

import httpx

from ..http.steps import run_async
from ..verify_client import VerificationFields
from .gateway_calls import GatewayCalls, Verified
from .pass_through import is_pass_through, pass_through_headers_of
from .refusal import Refusal
from .refuse_unfit import refuse_unfit
from .request_facts import RequestFacts, Unread, is_proving, read_headers

Scope = dict[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]
Described = VerificationFields | None

#: Where the application finds the result, a `Verified`: `scope["svc.verified"]`, and `request.state.svc` in Starlette.
VERIFIED_KEY = "svc.verified"
_PATH_SAFE = "/:@!$&'()*+,;=~"


class AsgiGateway:
    """Verifies every request, and every handshake of a websocket, before the application sees it.

    Put it outside all other middleware, so that it sees requests as they were sent. The application finds the result in
    `scope["svc.verified"]`, and in Starlette and FastAPI as `request.state.svc`. `describe_request`, which may be
    asynchronous, returns what only the application knows, from the facts of the request, whose `json()` is the parsed body;
    it replaces what the gateway has read. If it raises, the request is refused. The other settings are those of
    `GatewayCalls` and `VerifyClient`.

    Raises ValueError as `GatewayCalls`. Source: Spec: Client library contract.
    """

    def __init__(
        self,
        app: AsgiApp,
        *,
        describe_request: Callable[[RequestFacts], Described | Awaitable[Described]] | None = None,
        client: httpx.AsyncClient | None = None,
        disable_init_checks: bool = False,
        **settings: Any,
    ) -> None:
        self._app = app
        self._gateway = GatewayCalls(**settings)
        self._describe = describe_request
        self._client = client or httpx.AsyncClient()
        self._is_checked = disable_init_checks
        self._check: asyncio.Task[bool] | None = None

    async def ready(self) -> bool:
        """Whether the service is at `api_base_url` and the key owns `counterparty_id`; warns if not, and never raises."""
        return await run_async(self._gateway.check_at_start(), self._client)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request, or passes it on. Anything but requests and websockets, such as the lifespan, passes."""
        if not self._is_checked:
            self._is_checked = True
            self._check = asyncio.ensure_future(self.ready())
        if scope["type"] not in ("http", "websocket"):
            return await self._app(scope, receive, send)
        received = _Received(receive, self._gateway.body_bytes_max)
        outcome = await self._verify(scope, received)
        headers = [
            (name, value) for name, value in scope["headers"] if not is_pass_through(name.decode("latin-1"))
        ]
        if isinstance(outcome, Refusal):
            return await _send_refusal(scope, outcome, received, send)
        if self._gateway.set_pass_through_header:
            headers += [
                (name.encode(), value.encode()) for name, value in pass_through_headers_of(outcome).items()
            ]
        state = {**scope.get("state", {}), "svc": outcome}
        passed = {**scope, "headers": headers, "state": state, VERIFIED_KEY: outcome}
        return await self._app(passed, received, _add_headers(send, outcome.response_headers))

    async def _verify(self, scope: Scope, received: "_Received") -> Verified | Refusal:
        try:
            facts = await _read_facts(scope, received, needs_body=self._describe is not None)
            unfit = refuse_unfit(facts, is_described=self._describe is not None)
            if unfit is not None:
                return unfit
            if self._describe is not None:
                described = self._describe(facts)
                fields = await described if inspect.isawaitable(described) else described
                facts = replace(facts, fields=fields)
        except Exception as error:  # noqa: BLE001 - without facts, nothing passes
            return self._gateway.fail(error)
        return await run_async(self._gateway.verify(facts), self._client, received.wait)


class _Received:
    """The messages of a request: those that the gateway has read are passed on before the others."""

    def __init__(self, receive: Receive, bytes_max: int) -> None:
        self._receive = receive
        self._bytes_max = bytes_max
        self._size = 0
        self._read: deque[Message] = deque()
        self._next: asyncio.Future[Message] | None = None
        self._has_more = True
        self.is_disconnected = False

    async def __call__(self) -> Message:
        """For the application."""
        if self._read:
            return self._read.popleft()
        if self._next is None:
            return await self._receive()
        following, self._next = self._next, None
        return await following

    async def read_body(self, stated_length: str) -> bytes | Unread:
        """Reads the whole body, unless it is longer than allowed."""
        if stated_length.isascii() and stated_length.isdigit() and int(stated_length) > self._bytes_max:
            return "too_long"
        while self._has_more and self._size <= self._bytes_max and not self.is_disconnected:
            self._add(await self._receive())
        if self.is_disconnected:
            return "consumed"
        if self._size > self._bytes_max:
            return "too_long"
        return b"".join(message.get("body", b"") for message in self._read)

    async def wait(self, seconds: float) -> None:
        """Waits, but not for a caller that has disconnected.

        What arrives in the meantime stays in memory, so once it is longer than a body may be, nothing more is received, and
        a caller that disconnects is not noticed.
        """
        end = asyncio.get_running_loop().time() + seconds
        while (left := end - asyncio.get_running_loop().time()) > 0 and not self.is_disconnected:
            if self._size > self._bytes_max:
                await asyncio.sleep(left)
                continue
            self._next = self._next or asyncio.ensure_future(self._receive())
            done, _ = await asyncio.wait({self._next}, timeout=left)
            if done:
                self._add(self._next.result())
                self._next = None

    async def drop(self) -> None:
        """Cancels the wait for a message that nobody will read."""
        if self._next is not None:
            self._next.cancel()
            self._next = None

    def _add(self, message: Message) -> None:
        self._read.append(message)
        if message["type"] in ("http.disconnect", "websocket.disconnect"):
            self.is_disconnected = True
        if message["type"] == "http.request":
            self._size += len(message.get("body", b""))
            self._has_more = message.get("more_body", False)


async def _read_facts(scope: Scope, received: _Received, *, needs_body: bool) -> RequestFacts:
    headers = read_headers(
        (name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]
    )
    is_websocket = scope["type"] == "websocket"
    body: bytes | Unread | None = None
    if is_websocket:
        body = b""
    elif needs_body or is_proving(headers):
        body = await received.read_body(headers.get("content-length", ""))
    client = scope.get("client")
    scheme = str(scope.get("scheme", "http"))
    return RequestFacts(
        method="GET" if is_websocket else str(scope["method"]),
        target=_read_target(scope),
        headers=headers,
        source_ip=client[0] if client else None,
        scheme={"ws": "http", "wss": "https"}.get(scheme, scheme),
        body=body,
        is_disconnected=lambda: received.is_disconnected,
    )


def _read_target(scope: Scope) -> str:
    """The target as sent, which a signature covers, if the server provides it.

    It counts only if it is the target of the path that the application will see: something before the gateway may have
    rewritten that. Otherwise the path is encoded again, and a signature over another spelling fails. One with a fragment is
    returned to be refused.
    """
    root, path = str(scope.get("root_path", "")), str(scope["path"])
    query = scope.get("query_string", b"").decode("latin-1")
    sent = (scope.get("raw_path") or b"").decode("latin-1")
    served = (path.encode("utf-8", "replace"), (root + path).encode("utf-8", "replace"))
    # `path_of` drops white space around a target, but here it belongs to the path.
    is_same = sent == sent.strip() and unquote_to_bytes(sent.encode("latin-1")) in served
    target = sent if is_same or "#" in sent else quote(path, safe=_PATH_SAFE)
    return (target or "/") + (f"?{query}" if query else "")


async def _send_refusal(scope: Scope, refusal: Refusal, received: _Received, send: Send) -> None:
    await received.drop()
    content = refusal.content
    named = {**refusal.headers, "Content-Length": str(len(content))}
    headers = [(name.lower().encode(), value.encode()) for name, value in named.items()]
    kind = "http"
    if scope["type"] == "websocket":
        if "websocket.http.response" not in scope.get("extensions", {}):
            # Before the handshake is accepted, servers answer this with 403.
            return await send({"type": "websocket.close", "code": 1008})
        kind = "websocket.http"
    await send({"type": f"{kind}.response.start", "status": refusal.status, "headers": headers})
    return await send({"type": f"{kind}.response.body", "body": content})


def _add_headers(send: Send, headers: dict[str, str]) -> Send:
    if not headers:
        return send
    added = [(name.lower().encode(), value.encode()) for name, value in headers.items()]

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", []), *added]}
        await send(message)

    return send_with_headers
