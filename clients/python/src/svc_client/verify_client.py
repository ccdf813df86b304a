"""The client of a counterparty."""

import json
import re
import sys
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

import httpx

from .http.base_url import parse_base_url
from .http.errors import SvcApiError
from .http.sender import Sender
from .http.steps import Reply, Send, Steps, run, run_async

#: Fields of verify-access by their names in the API, such as `agentId`, `purpose` and `transactionValue`.
#: Source: Spec: POST /api/agents/verify-access; docs/routes.md.
VerificationFields = Mapping[str, Any]
#: The answer of verify-access, as the service sent it.
VerificationAnswer = dict[str, Any]

#: Shorter than the sender's default, because a request waits for the decision.
TIMEOUT_SECONDS_DEFAULT = 5.0
VERIFY_PATH = "/agents/verify-access"

_WARNINGS_MAX = 20


def warn_on_stderr(message: str) -> None:
    """Writes a warning to standard error."""
    print(f"svc_client: {message}", file=sys.stderr)


class VerifyCalls:
    """The operations of the service that a counterparty calls, as steps for a blocking or an asynchronous client.

    Raises ValueError at once for settings that can never work: an `api_base_url` that does not end in `/api`, an `api_key`
    that cannot be sent as a header, an invalid `timeout_seconds`. Source: Spec: Client library contract.
    """

    def __init__(
        self,
        *,
        api_base_url: str,
        api_key: str,
        counterparty_id: str | None = None,
        counterparty_url: str | None = None,
        timeout_seconds: float = TIMEOUT_SECONDS_DEFAULT,
        warn: Callable[[str], None] = warn_on_stderr,
    ) -> None:
        self.base_url = parse_base_url(api_base_url)
        self.timeout_seconds = timeout_seconds
        self.counterparty_id = counterparty_id
        self.counterparty_url = counterparty_url
        self.warn = warn
        self._warnings: set[str] = set()
        headers = {"Authorization": f"Bearer {_check_api_key(api_key)}"}
        self._sender = Sender(self.base_url, headers=headers, timeout_seconds=timeout_seconds)

    def verify_access(self, fields: VerificationFields) -> Steps[VerificationAnswer]:
        """Asks for a decision; the settings name the counterparty unless the fields do."""
        named = {"counterpartyId": self.counterparty_id, "counterpartyUrl": self.counterparty_url}
        body = defined_of({**named, **defined_of(fields)})
        answer = yield from self._sender.send("POST", VERIFY_PATH, body=_write(body), retry="when_refused")
        if is_verification_answer(answer):
            self._warn_once(answer.get("warnings"))
            return answer  # type: ignore[no-any-return]
        message = "The response is not an answer of verify-access; is api_base_url right?"
        raise SvcApiError("INVALID_RESPONSE", 200, message)

    def _warn_once(self, warnings: object) -> None:
        """Passes on what the service warns of, such as a misspelt field; every request repeats it."""
        for warning in warnings if isinstance(warnings, list) else ():
            is_new = isinstance(warning, str) and warning not in self._warnings
            if is_new and len(self._warnings) < _WARNINGS_MAX:
                self._warnings.add(warning)
                self.warn(f"verify-access: {warning}")

    def record_decision(self, session_id: str, decision: Mapping[str, Any]) -> Steps[dict[str, Any]]:
        """Records the counterparty's decision about a verified session; sending it again changes nothing."""
        path = f"{VERIFY_PATH}/{quote(session_id, safe='')}/decision"
        answer = yield from self._sender.send("POST", path, body=_write(decision), retry="always")
        return answer  # type: ignore[no-any-return]

    def poll_approval(self, approval_id: str) -> Steps[dict[str, Any]]:
        """Asks once for the state of a step-up approval; wait `pollAfterSeconds` before asking again."""
        path = f"/step-up-approvals/poll/{quote(approval_id, safe='')}"
        answer = yield from self._sender.send("GET", path, retry="always")
        return answer  # type: ignore[no-any-return]

    def read_routes(self, counterparty_id: str) -> Steps[list[dict[str, Any]]]:
        """Reads the routes that the service stores for an endpoint; fails with NOT_FOUND if the key does not own it."""
        path = f"/endpoints/{quote(counterparty_id, safe='')}"
        answer = yield from self._sender.send("GET", path, retry="always")
        try:
            return answer["endpoint"]["routes"]  # type: ignore[no-any-return]
        except (KeyError, TypeError) as cause:
            raise SvcApiError("INVALID_RESPONSE", 200, "The response is not an endpoint.") from cause

    def probe(self) -> Steps[bool]:
        """Checks whether verify-access is at `api_base_url`, and warns if a web page is; never raises."""
        request = httpx.Request("HEAD", self.base_url + VERIFY_PATH)
        try:
            reply: Reply = yield Send(request, self.timeout_seconds)
        except SvcApiError:
            return False
        is_page = reply.headers.get("content-type", "").lower().startswith("text/html")
        if is_page:
            self.warn(f"{self.base_url} responds with a web page: api_base_url is probably wrong")
        return 200 <= reply.status < 300 and not is_page


class VerifyClient:
    """Asks whether an agent's request may pass, and records the counterparty's decision; blocks while it waits.

    Every failed call raises a `SvcApiError`. The API key authenticates the counterparty; an agent's identifier
    authenticates no one. A client may be used by several threads.

    `client` replaces the HTTP client. `timeout_seconds` is the time limit of one call including its retries.
    Raises ValueError as `VerifyCalls`. Source: Spec: Client library contract; Spec: Authentication 1.
    """

    def __init__(self, *, client: httpx.Client | None = None, **settings: Any) -> None:
        self.calls = VerifyCalls(**settings)
        self._client = client or httpx.Client()

    def verify_access(self, fields: VerificationFields) -> VerificationAnswer:
        """Asks for a decision; see `VerifyCalls.verify_access`."""
        return run(self.calls.verify_access(fields), self._client)

    def record_decision(self, session_id: str, decision: Mapping[str, Any]) -> dict[str, Any]:
        """Records the counterparty's decision: `{"decision": "granted", …}`."""
        return run(self.calls.record_decision(session_id, decision), self._client)

    def poll_approval(self, approval_id: str) -> dict[str, Any]:
        """Asks once for the state of a step-up approval."""
        return run(self.calls.poll_approval(approval_id), self._client)

    def probe(self) -> bool:
        """Checks whether the service is at `api_base_url`; never raises."""
        return run(self.calls.probe(), self._client)

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()


class AsyncVerifyClient:
    """`VerifyClient` for asyncio."""

    def __init__(self, *, client: httpx.AsyncClient | None = None, **settings: Any) -> None:
        self.calls = VerifyCalls(**settings)
        self._client = client or httpx.AsyncClient()

    async def verify_access(self, fields: VerificationFields) -> VerificationAnswer:
        """Asks for a decision; see `VerifyCalls.verify_access`."""
        return await run_async(self.calls.verify_access(fields), self._client)

    async def record_decision(self, session_id: str, decision: Mapping[str, Any]) -> dict[str, Any]:
        """Records the counterparty's decision: `{"decision": "granted", …}`."""
        return await run_async(self.calls.record_decision(session_id, decision), self._client)

    async def poll_approval(self, approval_id: str) -> dict[str, Any]:
        """Asks once for the state of a step-up approval."""
        return await run_async(self.calls.poll_approval(approval_id), self._client)

    async def probe(self) -> bool:
        """Checks whether the service is at `api_base_url`; never raises."""
        return await run_async(self.calls.probe(), self._client)

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._client.aclose()


def defined_of(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Leaves out the fields that are None."""
    return {name: value for name, value in fields.items() if value is not None}


def _write(body: Mapping[str, Any]) -> str:
    return json.dumps(body, separators=(",", ":"), allow_nan=False)


def _check_api_key(api_key: object) -> str:
    """A key of two lines, for example, could not be sent; at each request that would look like an unreachable service."""
    if api_key is None or api_key == "":
        raise ValueError("api_key is missing: pass the API key of the counterparty")
    if not isinstance(api_key, str) or not re.fullmatch(r"[\x21-\x7e]+\s*", api_key):
        raise ValueError("api_key must be one word of printable ASCII characters")
    return api_key.rstrip()


#: A level is passed on in a header.
_LEVEL = re.compile(r"[a-z][a-z-]{0,31}")
#: Only a custom header: one with a standard meaning would change the host's response.
_WARNING_NAME = re.compile(r"[xX]-[A-Za-z0-9-]{1,60}")
_WARNING_VALUE = re.compile(r"[\x20-\x7e]{0,500}")


def is_verification_answer(answer: object) -> bool:
    """Whether a value is an answer of verify-access: the members that decide, or that are sent as headers, are valid.

    Unknown recommendations and levels, of a later version of the service, are valid; the code that uses them decides what
    they allow. Source: Spec: Verification response.
    """
    if not isinstance(answer, dict) or answer.get("success") is not True:
        return False
    access, warning = answer.get("access"), answer.get("warningHeader")
    if not isinstance(answer.get("recommendation"), str) or not isinstance(access, dict):
        return False
    if not isinstance(access.get("allowed"), bool) or not _is_text(access.get("accessLevel"), _LEVEL):
        return False
    if warning is None:
        return True
    is_named = isinstance(warning, dict) and _is_text(warning.get("name"), _WARNING_NAME)
    return is_named and _is_text(warning.get("value"), _WARNING_VALUE)


def _is_text(value: object, shape: re.Pattern[str]) -> bool:
    return isinstance(value, str) and shape.fullmatch(value) is not None
