"""What an agent and its owner sign: keys, accounts, requests and proofs."""

import os
import tempfile
import unittest
from typing import Any

import httpx

from svc_client import (
    AgentClient,
    AgentKey,
    OwnerAccount,
    SignatureAuth,
    SignatureOptions,
    create_intent_proof,
    sign_http_request,
    sign_request,
)
from svc_client.signing.keccak import keccak256

from .fake_service import AGENT, ENDPOINT
from .vectors import read_vectors

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

    def test_what_is_no_private_key_is_refused(self) -> None:
        for wrong in (None, "", "0x12"):
            with self.assertRaises(ValueError):
                OwnerAccount(wrong)  # type: ignore[arg-type]

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
            {"agent_id": None},
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

    def test_the_method_is_signed_as_http_clients_send_it(self) -> None:
        options = SignatureOptions(agent_id=AGENT, now=lambda: 1, create_nonce=lambda: "n" * 16)
        one, other = (sign_http_request(self.key, name, URL, options=options) for name in ("post", "POST"))
        self.assertEqual(one["signature"], other["signature"])

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
