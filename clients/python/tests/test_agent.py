"""What an agent does with its requests: it waits for the owner, registers, and answers challenges."""

import asyncio
import io
import json
import unittest
from typing import Any

import httpx

from svc_client import (
    AgentClient,
    AgentKey,
    AsyncAgentClient,
    OwnerAccount,
    PendingCounterparties,
    Presenter,
    SvcApiError,
    challenge_asgi,
    challenge_wsgi,
)
from svc_client.agent.pending_counterparties import names_of
from svc_client.signing.compact_jws import parse_compact_jws

from .fake_service import AGENT, ENDPOINT

ATTEMPT = "b7b7c1de-0000-4000-8000-000000000000"
HELD: dict[str, Any] = {"code": "step_up_required", "stepUpApproval": {"attemptId": ATTEMPT}}
URL = "https://shop.example/orders?x=1"


class Shop:
    """A counterparty that holds the first requests for approval."""

    def __init__(self, held: int) -> None:
        self._held = held
        self.requests: list[httpx.Request] = []
        self.challenges: list[bool] = []
        self.pending: PendingCounterparties | None = None

    def respond(self, request: httpx.Request) -> httpx.Response:
        """Answers a request."""
        self.requests.append(request)
        if self.pending is not None:
            body = {"challengeId": "c", "counterpartyId": ENDPOINT, "type": "pending_verification"}
            self.challenges.append(self.pending.challenge(body)[1]["acknowledged"])
        if len(self.requests) <= self._held:
            return httpx.Response(202, json=HELD, headers={"Retry-After": "3"})
        return httpx.Response(201, json={})


class Requests(unittest.TestCase):
    settings: dict[str, Any] = {
        "api_base_url": "https://svc.example/api",
        "svc_id": AGENT,
        "key": AgentKey.generate(),
        "purpose": "shopping:buy",
    }

    def test_a_held_request_is_signed_and_sent_again_until_the_owner_has_decided(self) -> None:
        shop, pauses = Shop(held=2), list[float]()
        client = httpx.Client(transport=httpx.MockTransport(shop.respond))
        agent = AgentClient(**self.settings, client=client, wait=pauses.append)
        shop.pending = agent.pending
        response = agent.request(
            "POST",
            URL,
            json={"total": 20},
            counterparty_id=ENDPOINT,
            intent={"audience": ENDPOINT, "amount": 20, "currency": "EUR"},
            wait_seconds=60,
        )
        self.assertEqual((response.status_code, pauses), (201, [3.0, 3.0]))
        headers = [request.headers for request in shop.requests]
        self.assertEqual([header.get("x-svc-attempt-id") for header in headers], [None, ATTEMPT, ATTEMPT])
        self.assertEqual(len({header["signature-input"] for header in headers}), 3)
        self.assertIn('"x-svc-attempt-id"', headers[1]["signature-input"])
        proofs = [parse_compact_jws(header["x-svc-proof"]) for header in headers]
        claims = [proof.payload for proof in proofs if proof is not None]
        self.assertEqual([claim.get("attemptId") for claim in claims], [None, ATTEMPT, ATTEMPT])
        self.assertEqual(len({claim["jti"] for claim in claims}), 3)
        self.assertEqual(claims[0]["bodyHash"], headers[0]["content-digest"])
        self.assertEqual(shop.challenges, [True, True, True])
        self.assertFalse(
            agent.pending.challenge({"challengeId": "c", "counterpartyId": ENDPOINT})[1].get("acknowledged")
        )

    def test_the_last_response_is_returned_when_the_time_is_up(self) -> None:
        shop = Shop(held=9)
        client = httpx.Client(transport=httpx.MockTransport(shop.respond))
        agent = AgentClient(**self.settings, client=client)
        self.assertEqual(agent.request("GET", URL, wait_seconds=2).status_code, 202)
        self.assertEqual(len(shop.requests), 1)

    def test_a_time_that_would_never_be_up_is_refused(self) -> None:
        shop = Shop(held=9)
        client = httpx.Client(transport=httpx.MockTransport(shop.respond))
        agent = AgentClient(**self.settings, client=client, wait=self.fail)
        with self.assertRaisesRegex(ValueError, "wait_seconds must be a number from 0, got nan"):
            agent.request("GET", URL, wait_seconds=float("nan"))
        self.assertEqual(shop.requests, [])
        self.assertEqual(agent.request("GET", URL, wait_seconds=-1).status_code, 202)

    def test_an_attempt_that_is_none_is_not_repeated(self) -> None:
        bodies: list[Any] = [
            {"code": "step_up_required"},
            {**HELD, "stepUpApproval": {"attemptId": "a\r\nX: y"}},
            {**HELD, "code": "x"},
            [],
        ]
        for body in bodies:
            transport = httpx.MockTransport(lambda _, body=body: httpx.Response(202, json=body))  # type: ignore[misc]
            agent = AgentClient(**self.settings, client=httpx.Client(transport=transport), wait=self.fail)
            self.assertEqual(agent.request("GET", URL, wait_seconds=60).status_code, 202)

    def test_an_asynchronous_agent_does_the_same(self) -> None:
        shop = Shop(held=0)
        client = httpx.AsyncClient(transport=httpx.MockTransport(shop.respond))
        response = asyncio.run(AsyncAgentClient(**self.settings, client=client).request("GET", URL))
        self.assertEqual(response.status_code, 201)
        self.assertIn("signature", shop.requests[0].headers)

    def test_a_registration_is_signed_and_names_the_agent(self) -> None:
        sent: list[httpx.Request] = []

        def respond(request: httpx.Request) -> httpx.Response:
            sent.append(request)
            return httpx.Response(201, json={"data": {"agent": {"svcId": AGENT}}} if len(sent) == 1 else {})

        client = httpx.Client(transport=httpx.MockTransport(respond))
        agent = AgentClient(
            api_base_url="https://svc.example/api/", account=OwnerAccount("11" * 32), client=client
        )
        with self.assertRaises(ValueError):
            agent.request("GET", URL)
        agent.register({"name": "Buyer"}, idempotency_key="k")
        self.assertEqual((agent.svc_id, sent[0].headers["idempotency-key"]), (AGENT, "k"))
        self.assertEqual(
            (str(sent[0].url), sent[0].content),
            ("https://svc.example/api/agents/register", b'{"name":"Buyer"}'),
        )
        with self.assertRaises(SvcApiError):
            agent.register({"name": "Buyer"})

    def test_the_same_names_are_presented_on_all_transports(self) -> None:
        presenter = Presenter(svc_id=AGENT, verify_url="https://svc.example/v", duration_seconds=60)
        expected = {
            "X-Svc-Id": AGENT,
            "X-Svc-Verify": "https://svc.example/v",
            "X-Svc-Duration": "60",
            "X-Svc-Scope": "DE",
        }
        self.assertEqual(presenter.headers(jurisdiction="DE"), expected)
        self.assertEqual(presenter.a2a_metadata(jurisdiction="DE"), {"metadata": expected})
        self.assertEqual(presenter.mcp_meta(jurisdiction="DE"), {"_meta": expected})


class Challenges(unittest.TestCase):
    def test_a_challenge_is_confirmed_only_for_a_counterparty_in_progress(self) -> None:
        pending = PendingCounterparties()
        body = json.dumps(
            {"challengeId": "c", "counterpartyId": ENDPOINT, "type": "pending_verification"}
        ).encode()
        with pending.during([ENDPOINT]):
            with pending.during([ENDPOINT]):
                pass
            for status, answer in (self._ask_wsgi(pending, body), self._ask_asgi(pending, body)):
                self.assertEqual((status, answer["acknowledged"]), (200, True))
                self.assertEqual((answer["challengeId"], answer["pendingCounterparties"]), ("c", [ENDPOINT]))
        status, answer = self._ask_wsgi(pending, body)
        self.assertEqual((status, answer["acknowledged"], answer["pendingCounterparties"]), (200, False, []))

    def test_a_counterparty_goes_by_every_url_above_that_of_the_request(self) -> None:
        names = names_of("https://Shop.example/a/b?x")
        self.assertEqual(
            [name for name in names if name.startswith("https")],
            ["https://shop.example", "https://shop.example/a", "https://shop.example/a/b"],
        )
        self.assertIn("http://shop.example/a", names)

    def test_anything_else_gets_400(self) -> None:
        pending = PendingCounterparties()
        for body in (b"", b"[]", b"{}", b"\xff", b'{"challengeId":"c","counterpartyId":1}', b"x" * 20_000):
            self.assertEqual([self._ask_wsgi(pending, body)[0], self._ask_asgi(pending, body)[0]], [400, 400])

    def _ask_wsgi(self, pending: PendingCounterparties, body: bytes) -> tuple[int, Any]:
        started: list[str] = []
        environ = {"wsgi.input": io.BytesIO(body), "CONTENT_LENGTH": str(len(body))}
        content = challenge_wsgi(pending)(environ, lambda status, headers: started.append(status))
        return int(started[0][:3]), json.loads(b"".join(content))

    def _ask_asgi(self, pending: PendingCounterparties, body: bytes) -> tuple[int, Any]:
        sent: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        asyncio.run(challenge_asgi(pending)({"type": "http"}, receive, send))
        return sent[0]["status"], json.loads(sent[1]["body"])
