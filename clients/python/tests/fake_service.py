"""A service that answers as a test says, without a network."""

import json
from collections.abc import Callable
from typing import Any

import httpx

AGENT = "SVC-" + "A" * 22
ENDPOINT = "SVCE-" + "B" * 22

GRANT: dict[str, Any] = {
    "success": True,
    "access": {"allowed": True, "accessLevel": "full", "reason": ""},
    "recommendation": "grant",
    "recommendationReasons": [],
    "agent": {"svcId": AGENT, "name": "Buyer"},
    "identityProof": "signature",
}
HELD: dict[str, Any] = {
    **GRANT,
    "access": {"allowed": False, "accessLevel": "none", "reason": "ask"},
    "recommendation": "step_up_required",
    "stepUpApproval": {
        "approvalId": "a1",
        "attemptId": "b7b7c1de-0000-4000-8000-000000000000",
        "status": "pending",
        "expiresAt": "2026-01-01T00:00:00Z",
        "pollUrl": "/api/step-up-approvals/poll/a1",
        "approvalUrl": "https://svc.example/activity/pending/a1",
        "secret": "stays",
    },
}
DENY: dict[str, Any] = {
    **GRANT,
    "access": {"allowed": False, "accessLevel": "none", "reason": "no", "failures": [{"dimension": "x"}]},
    "recommendation": "deny",
}

Answer = httpx.Response | Exception


class FakeService:
    """Answers each call with the next answer, the last one again and again; `asked` lists the bodies of verify-access."""

    def __init__(self, *answers: Any) -> None:
        self._answers = list(answers) or [GRANT]
        self.asked: list[dict[str, Any]] = []
        self.requests: list[httpx.Request] = []
        self.warnings: list[str] = []
        self.routes: list[dict[str, Any]] = []
        self.on_request: Callable[[httpx.Request], None] = lambda request: None

    @property
    def settings(self) -> dict[str, Any]:
        """Settings of a client of this service."""
        return {
            "api_base_url": "https://svc.example/api",
            "api_key": "key",
            "counterparty_url": "https://shop.example",
            "warn": self.warnings.append,
        }

    def client(self) -> httpx.Client:
        """A blocking client of this service."""
        return httpx.Client(transport=httpx.MockTransport(self.respond))

    def async_client(self) -> httpx.AsyncClient:
        """An asynchronous client of this service."""
        return httpx.AsyncClient(transport=httpx.MockTransport(self.respond))

    def respond(self, request: httpx.Request) -> httpx.Response:
        """Answers a request."""
        self.on_request(request)
        self.requests.append(request)
        if request.method == "HEAD":
            return httpx.Response(200)
        if request.url.path.startswith("/api/endpoints/"):
            return httpx.Response(200, json={"endpoint": {"routes": self.routes}})
        if request.url.path == "/api/agents/verify-access":
            self.asked.append(json.loads(request.content))
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, httpx.Response) else httpx.Response(200, json=answer)


def refusal(status: int, code: str, **headers: str) -> httpx.Response:
    """An error of the service."""
    body = {"success": False, "code": code, "message": "no", "errors": []}
    return httpx.Response(
        status, json=body, headers={name.replace("_", "-"): value for name, value in headers.items()}
    )
