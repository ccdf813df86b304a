"""The client of an agent."""

import asyncio
import json
import math
import re
import time
from collections.abc import Callable, Mapping
from typing import Any

import httpx

from ..http.base_url import origin_of, parse_base_url
from ..http.check_number import check_number
from ..http.sender import Sender
from ..http.steps import Steps, run, run_async
from .agent_key import AgentSigner
from .intent_proof import create_intent_proof
from .pending_counterparties import PendingCounterparties, names_of
from .presenter import Presenter
from .sign_http_request import SignatureAuth, SignatureOptions
from .sign_request import MessageSigner, sign_request

_GUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
#: How long a request may be held between two attempts, whatever the counterparty asks for.
_RESEND_SECONDS_MIN, _RESEND_SECONDS_MAX, _RESEND_SECONDS_DEFAULT = 1, 60, 5


class AgentCalls:
    """What a blocking and an asynchronous agent share.

    `api_base_url` ends in `/api`. `svc_id` is that of a registered agent; `register` sets it. `account` is the owner's key,
    which registers the agent and requests its tokens. `key` signs the requests: a key of the agent, which the service has
    to know (`keys` of `register`). `signature` are further `SignatureOptions`. The other settings are those of `Presenter`.
    `service` is the origin of the service as it knows itself, which the account signs: by default that of `api_base_url`.
    State it if requests reach the service under another address, and `names_service=False` for a service that does not know
    this form yet. Raises ValueError if `api_base_url` cannot be called or does not end in `/api`.
    """

    def __init__(
        self,
        *,
        api_base_url: str,
        svc_id: str | None = None,
        account: MessageSigner | None = None,
        key: AgentSigner | None = None,
        signature: Mapping[str, Any] | None = None,
        service: str | None = None,
        names_service: bool = True,
        **presented: Any,
    ) -> None:
        self._api_base_url = parse_base_url(api_base_url)
        self._sender = Sender(self._api_base_url)
        self._account = account
        self._key = key
        self._signature = dict(signature or {})
        self._service = (service or origin_of(self._api_base_url)) if names_service else None
        self._presented = presented
        self.svc_id = svc_id
        self.pending = PendingCounterparties()

    @property
    def presenter(self) -> Presenter:
        """The presented identity. Raises ValueError if the agent has no `svc_id`."""
        verify_url = f"{self._api_base_url}/agents/verify-access"
        return Presenter(svc_id=self._require_svc_id(), verify_url=verify_url, **self._presented)

    def prepare(
        self,
        request: httpx.Request,
        *,
        intent: Mapping[str, Any] | None = None,
        **per_request: Any,
    ) -> httpx.Request:
        """Adds the agent's credentials to a request whose body has been read, and signs it if the agent has a key.

        `intent` has the facts to commit to, as `create_intent_proof` takes them, with an `audience`; the body of the
        request and the attempt are added. The other arguments replace settings of the presenter.
        """
        svc_id, attempt_id = self._require_svc_id(), per_request.get("attempt_id")
        if intent is not None:
            if self._key is None:
                raise ValueError("an intent proof needs a key: pass one to the agent")
            facts: dict[str, Any] = {"body": request.content or None, "attempt_id": attempt_id, **intent}
            per_request = {**per_request, "proof": create_intent_proof(self._key, agent_id=svc_id, **facts)}
        request.headers.update(self.presenter.headers(**per_request))
        if self._key is not None:
            options = SignatureOptions(agent_id=svc_id, **self._signature)
            request.headers.update(SignatureAuth(self._key, options).sign(request))
        return request

    def register_steps(
        self, agent: Mapping[str, Any], *, idempotency_key: str | None = None
    ) -> Steps[dict[str, Any]]:
        """Registers the agent with the account's signature; afterwards the client presents this agent.

        After TIMEOUT or NETWORK_ERROR it is unknown whether the agent is registered: call again with the same
        `idempotency_key`, a new UUID. Without one, every call registers another agent. Raises SvcApiError.
        """
        body = _write(agent)
        headers = self._sign("/api/agents/register", body)
        if idempotency_key is not None:
            headers["Idempotency-Key"] = idempotency_key
        answer = yield from self._sender.send(
            "POST", "/agents/register", body=body, headers=headers, retry="never", is_answer=_names_agent
        )
        registered: dict[str, Any] = answer["data"]["agent"]
        self.svc_id = registered["svcId"]
        return registered

    def token_steps(self, *, audience: str | None = None, jkt: str | None = None) -> Steps[dict[str, Any]]:
        """Requests a token for the agent, valid for 15 minutes: `agentToken` and `expiresIn`.

        `audience` is the counterparty; `jkt` the `keyid` of the key that signs the requests with the token, without which
        it is a bearer token. Raises SvcApiError, also with INVALID_RESPONSE for an answer without a token.
        """
        stated = {name: value for name, value in (("audience", audience), ("jkt", jkt)) if value is not None}
        body = _write(stated) if stated else None
        path = f"/agents/{self._require_svc_id()}/token"
        headers = self._sign(f"/api{path}", body or "")
        answer = yield from self._sender.send(
            "POST", path, body=body, headers=headers, retry="never", is_answer=_has_token
        )
        return answer  # type: ignore[no-any-return]

    def _sign(self, path: str, body: str) -> dict[str, str]:
        """A proxy that serves the service below a path prefix removes the prefix, so it is not signed."""
        if self._account is None:
            raise ValueError("signing needs an account: pass one to the agent")
        return sign_request(self._account, method="POST", path=path, body=body, service=self._service)

    def _require_svc_id(self) -> str:
        if self.svc_id is None:
            raise ValueError("the agent has no svc_id: pass one, or register the agent first")
        return self.svc_id


class AgentClient(AgentCalls):
    """Registers an agent, sends its requests with proof, waits for its owner, and answers runtime challenges.

    Source: Spec: Client library contract; Spec: Agent-side request headers; Spec: Runtime challenge.
    """

    def __init__(
        self,
        *,
        client: httpx.Client | None = None,
        wait: Callable[[float], None] = time.sleep,
        **settings: Any,
    ) -> None:
        super().__init__(**settings)
        self._client = client or httpx.Client()
        self._wait = wait

    def register(self, agent: Mapping[str, Any], *, idempotency_key: str | None = None) -> dict[str, Any]:
        """Registers the agent; see `AgentCalls.register_steps`."""
        return run(self.register_steps(agent, idempotency_key=idempotency_key), self._client)

    def token(self, *, audience: str | None = None, jkt: str | None = None) -> dict[str, Any]:
        """Requests a token; see `AgentCalls.token_steps`."""
        return run(self.token_steps(audience=audience, jkt=jkt), self._client)

    def request(
        self,
        method: str,
        url: str,
        *,
        counterparty_id: str | None = None,
        wait_seconds: float = 0,
        intent: Mapping[str, Any] | None = None,
        present: Mapping[str, Any] | None = None,
        **content: Any,
    ) -> httpx.Response:
        """Sends a request with the agent's credentials, signed if the agent has a key; `content` is httpx's.

        While it runs, the counterparty, which goes by its URL and `counterparty_id`, is pending for runtime challenges. If
        the owner has to approve the request, it is sent again, with a new signature and a new intent proof, until the owner
        has decided or `wait_seconds` have passed; the last response is returned. Redirects are not followed. Raises
        ValueError for a `wait_seconds` that is no number.
        """
        names = names_of(url) + ([] if counterparty_id is None else [counterparty_id])
        check_number("wait_seconds", max(wait_seconds, 0), 0, math.inf)
        deadline = time.monotonic() + wait_seconds
        presented = dict(present or {})
        with self.pending.during(names):
            while True:
                request = self._client.build_request(method, url, **content)
                request.read()
                self.prepare(request, intent=intent, **presented)
                response = self._client.send(request, follow_redirects=False)
                attempt_id, pause = read_hold(response)
                if attempt_id is None or time.monotonic() + pause > deadline:
                    return response
                self._wait(pause)
                presented["attempt_id"] = attempt_id


class AsyncAgentClient(AgentCalls):
    """`AgentClient` for asyncio."""

    def __init__(self, *, client: httpx.AsyncClient | None = None, **settings: Any) -> None:
        super().__init__(**settings)
        self._client = client or httpx.AsyncClient()

    async def register(
        self, agent: Mapping[str, Any], *, idempotency_key: str | None = None
    ) -> dict[str, Any]:
        """Registers the agent; see `AgentCalls.register_steps`."""
        return await run_async(self.register_steps(agent, idempotency_key=idempotency_key), self._client)

    async def token(self, *, audience: str | None = None, jkt: str | None = None) -> dict[str, Any]:
        """Requests a token; see `AgentCalls.token_steps`."""
        return await run_async(self.token_steps(audience=audience, jkt=jkt), self._client)

    async def request(
        self,
        method: str,
        url: str,
        *,
        counterparty_id: str | None = None,
        wait_seconds: float = 0,
        intent: Mapping[str, Any] | None = None,
        present: Mapping[str, Any] | None = None,
        **content: Any,
    ) -> httpx.Response:
        """Sends a request with the agent's credentials; see `AgentClient.request`."""
        names = names_of(url) + ([] if counterparty_id is None else [counterparty_id])
        check_number("wait_seconds", max(wait_seconds, 0), 0, math.inf)
        deadline = time.monotonic() + wait_seconds
        presented = dict(present or {})
        with self.pending.during(names):
            while True:
                request = self._client.build_request(method, url, **content)
                await request.aread()
                self.prepare(request, intent=intent, **presented)
                response = await self._client.send(request, follow_redirects=False)
                attempt_id, pause = read_hold(response)
                if attempt_id is None or time.monotonic() + pause > deadline:
                    return response
                await asyncio.sleep(pause)
                presented["attempt_id"] = attempt_id


def read_hold(response: httpx.Response) -> tuple[str | None, float]:
    """The attempt that a counterparty holds for approval, if it does, and the seconds until the request may be repeated."""
    asked = response.headers.get("retry-after", "")
    seconds = (
        int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 7 else _RESEND_SECONDS_DEFAULT
    )
    pause = float(min(max(seconds, _RESEND_SECONDS_MIN), _RESEND_SECONDS_MAX))
    if response.status_code != 202:
        return None, pause
    try:
        body = response.json()
        is_held = body["code"] == "step_up_required"
        attempt_id = body["stepUpApproval"]["attemptId"]
    except (ValueError, KeyError, TypeError):
        return None, pause
    is_usable = is_held and isinstance(attempt_id, str) and _GUID.fullmatch(attempt_id)
    return (attempt_id if is_usable else None), pause


def _names_agent(answer: Any) -> bool:
    try:
        return isinstance(answer["data"]["agent"]["svcId"], str)
    except (KeyError, TypeError):
        return False


def _has_token(answer: Any) -> bool:
    try:
        token, seconds = answer["agentToken"], answer["expiresIn"]
    except (KeyError, TypeError):
        return False
    return isinstance(token, str) and token != "" and type(seconds) in (int, float)


def _write(body: Mapping[str, Any]) -> str:
    return json.dumps(body, separators=(",", ":"), allow_nan=False)
