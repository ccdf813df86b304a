"""What an agent does: keys, signatures, requests that wait for the owner, challenges."""

import asyncio
import io
import json
import os
import tempfile
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
    SignatureAuth,
    SignatureOptions,
    SvcApiError,
    challenge_asgi,
    challenge_wsgi,
    create_intent_proof,
    sign_http_request,
    sign_request,
)
from svc_client.agent.pending_counterparties import names_of
from svc_client.signing.compact_jws import parse_compact_jws
from svc_client.signing.keccak import keccak256

from .fake_service import AGENT, ENDPOINT
from .vectors import read_vectors

ATTEMPT = "b7b7c1de-0000-4000-8000-000000000000"
HELD: dict[str, Any] = {"code": "step_up_required", "stepUpApproval": {"attemptId": ATTEMPT}}
URL = "https://shop.example/orders?x=1"


class Keys(unittest.TestCase):
    def test_a_key_is_stored_in_a_file_that_only_its_owner_may_read(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for algorithm in ("ed25519", "ecdsa-p256-sha256"):
                path = os.path.join(folder, algorithm)
                key = AgentKey.open(path, algorithm)  # type: ignore[arg-type]
                self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
                self.assertEqual(AgentKey.open(path).keyid, key.keyid)
                self.assertEqual(
                    (key.algorithm, len(os.listdir(folder))), (algorithm, len(os.listdir(folder)))
                )
                os.chmod(path, 0o640)
                with self.assertRaises(PermissionError):
                    AgentKey.open(path)
            self.assertEqual(sorted(os.listdir(folder)), ["ecdsa-p256-sha256", "ed25519"])

    def test_a_file_without_a_key_is_not_replaced(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "key")
            for text in ("", "[]", "{}", '{"kty":"OKP","crv":"Ed25519","d":1}'):
                with open(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w") as file:
                    file.write(text)
                with self.assertRaises(ValueError):
                    AgentKey.open(path)

    def test_a_key_whose_halves_do_not_belong_together_is_refused(self) -> None:
        jwk = {**AgentKey.generate().public_jwk, "d": "A" * 43}
        with self.assertRaises(ValueError):
            AgentKey.from_jwk(jwk)


class Account(unittest.TestCase):
    #: The example of docs/agents.md.
    account = OwnerAccount("0x" + "11" * 32)

    def test_the_address_and_the_hash_are_those_of_ethereum(self) -> None:
        self.assertEqual(self.account.address, "0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A")
        empty = "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"
        self.assertEqual(keccak256(b"").hex(), empty)
        self.assertEqual(len({keccak256(b"x" * length) for length in range(130, 280)}), 150)

    def test_a_signature_has_a_low_s_and_a_recovery_bit(self) -> None:
        half = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0
        seen = set()
        for nth in range(12):
            signature = self.account.sign_message(f"message {nth}")
            self.assertLessEqual(int(signature[66:130], 16), half)
            seen.add(signature[130:])
        self.assertLessEqual(seen, {"1b", "1c"})

    def test_a_signed_request_names_what_was_signed(self) -> None:
        headers = sign_request(
            self.account, method="post", path="/api/x", body="{}", nonce="n" * 16, timestamp=1
        )
        self.assertEqual(headers["X-Svc-Address"], self.account.address)
        self.assertEqual((headers["X-Svc-Timestamp"], headers["X-Svc-Nonce"]), ("1", "n" * 16))
        with self.assertRaises(ValueError):
            sign_request(self.account, method="POST", path="/a\nb")
        with self.assertRaises(ValueError):
            sign_request(self.account, method="POST", path="/", service="https://a\nb")

    def test_what_an_owner_signs_is_that_of_the_vectors(self) -> None:
        for case in read_vectors("signed-requests")["cases"]:
            with self.subTest(case["name"]):
                signed: list[str] = []

                class Recorder:
                    address = case["headers"]["X-Svc-Address"]

                    def sign_message(self, message: str) -> str:
                        signed.append(message)
                        return str(case["headers"]["X-Svc-Signature"])

                names = ("method", "path", "body", "nonce", "timestamp", "service")
                headers = sign_request(Recorder(), **{name: case[name] for name in names})
                self.assertEqual((signed, headers), ([case["message"]], case["headers"]))

    def test_the_client_signs_for_the_origin_of_its_service_unless_told_otherwise(self) -> None:
        url = "https://Registry.Example:443/path/api"
        for settings, named in [
            ({}, "https://registry.example"),
            ({"service": "https://other.example"}, "https://other.example"),
            ({"names_service": False}, None),
        ]:
            client = AgentClient(api_base_url=url, account=self.account, **settings)
            self.assertEqual(client._sign("/api/agents/register", "{}").get("X-Svc-Service"), named)


class Signatures(unittest.TestCase):
    key = AgentKey.generate()
    options = SignatureOptions(agent_id=AGENT)

    def test_what_cannot_be_signed_is_refused(self) -> None:
        def sign(url: str = URL, headers: dict[str, str] | None = None, **changed: Any) -> None:
            given: dict[str, Any] = {"agent_id": AGENT, **changed}
            options = SignatureOptions(**given)
            sign_http_request(self.key, "GET", url, headers=headers, options=options)

        sign()
        for url in ("/orders", "ftp://shop.example/", "https://me:pw@shop.example/", "https://"):
            with self.subTest(url), self.assertRaises(ValueError):
                sign(url)
        wrong: list[dict[str, Any]] = [
            {"headers": {"X-Svc-Id": "SVC-other"}},
            {"headers": {"Signature-Input": "svc=()"}},
            {"headers": {"X-Svc-Purpose": "a\nb"}},
            {"covers": ["x-note"]},
            {"lifetime_seconds": 301},
            {"lifetime_seconds": 0},
            {"signature_agent": "https://agent.example/path"},
            {"label": "Bad"},
            {"create_nonce": lambda: "short"},
        ]
        for case in wrong:
            with self.subTest(case), self.assertRaises(ValueError):
                sign(**case)

    def test_each_request_of_a_client_is_signed_as_it_is_sent(self) -> None:
        sent: list[httpx.Request] = []

        def respond(request: httpx.Request) -> httpx.Response:
            sent.append(request)
            return httpx.Response(200)

        auth = SignatureAuth(self.key, self.options)
        client = httpx.Client(transport=httpx.MockTransport(respond), auth=auth)
        client.post(
            "https://Shop.example:443/a b?x=%41", json={"x": 1}, headers={"X-Svc-Purpose": "shopping:buy"}
        )
        client.get("https://shop.example")
        listed = sent[0].headers["signature-input"].removeprefix("svc=(").partition(")")[0]
        names = ["@authority", "@method", "@path", "@query", "content-digest", "x-svc-id", "x-svc-purpose"]
        self.assertEqual(sorted(listed.split(" ")), [f'"{name}"' for name in names])
        self.assertNotEqual(sent[0].headers["signature-input"], sent[1].headers["signature-input"])

    def test_an_invalid_fact_is_not_committed_to(self) -> None:
        wrong: list[dict[str, Any]] = [
            {"agent_id": "SVC-1"},
            {"audience": "shop.example"},
            {"audience": "https://shop.example/"},
            {"audience": "https://shop.example:443"},
            {"purpose": "a:b:c"},
            {"amount": -1},
            {"amount": "1e3"},
            {"amount": float("nan")},
            {"amount": True},
            {"currency": "€"},
            {"session_duration": 0},
            {"attempt_id": "x"},
            {"lifetime_seconds": 61},
        ]
        good: dict[str, Any] = {"agent_id": AGENT, "audience": ENDPOINT}
        for fact in wrong:
            with self.subTest(fact), self.assertRaises(ValueError):
                create_intent_proof(self.key, **{**good, **fact})


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
