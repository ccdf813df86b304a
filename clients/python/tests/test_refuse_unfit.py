"""Requests of which the application may see something else than what is decided on."""

import unittest
from typing import Any

from svc_client import RequestFacts
from svc_client.agent.presented_identity import read_presented_identity
from svc_client.gateway.refuse_unfit import refuse_unfit
from svc_client.gateway.verification_fields_of import verification_fields_of


def named(header: str | None, metadata: str | None) -> RequestFacts:
    headers = {} if header is None else {"x-svc-id": header}
    return RequestFacts(
        method="POST",
        target="/mcp",
        headers=headers,
        metadata=None if metadata is None else {"X-Svc-Id": metadata},
    )


class UnfitRequests(unittest.TestCase):
    def test_two_agents_are_refused(self) -> None:
        refusal = refuse_unfit(named("SVC-a", "SVC-b"), is_described=False)
        assert refusal is not None
        self.assertEqual((refusal.status, refusal.body["code"]), (400, "agent_mismatch"))

    def test_one_agent_is_not_refused_wherever_it_is_named(self) -> None:
        both, header_only, metadata_only = ("SVC-a", "SVC-a"), ("SVC-a", None), (None, "SVC-a")
        for header, metadata in (both, header_only, metadata_only, ("", "SVC-a"), (None, None)):
            with self.subTest(header=header, metadata=metadata):
                self.assertIsNone(refuse_unfit(named(header, metadata), is_described=False))

    def test_a_target_with_another_host_or_a_user_is_refused(self) -> None:
        def code_of(target: str, host: str | None) -> str | None:
            headers = {} if host is None else {"host": host}
            refusal = refuse_unfit(RequestFacts(target=target, headers=headers), is_described=False)
            return None if refusal is None else f"{refusal.status} {refusal.body['code']}"

        refused = [
            *("http://evil.io/a", "http://shop.io:8080/", "http://shop.io.evil.io/", "https://shop.io:80/"),
            *("http://a:b@shop.io/", "http://@shop.io/", "http://evil.io@shop.io/", "http://shop.io\\@evil.io/"),
            *("http:///shop.io/", "http:/shop.io/", "http:shop.io", "http://", "http://shop.io:99999/", "urn:a"),
        ]
        for target in refused:
            with self.subTest(target=target):
                self.assertEqual(code_of(target, "shop.io"), "400 invalid_target")
        for host in ("", "shop.io, evil.io", "shop.io/"):
            self.assertEqual(code_of("http://shop.io/", host), "400 invalid_target")
        for target, same in (
            *(("/a?b", "shop.io"), ("//evil.io/a", "shop.io"), ("*", "shop.io"), ("http://evil.io/", None)),
            *(("http://shop.io/a", "shop.io"), ("http://shop.io?a", "shop.io:80")),
            *(("HTTPS://SHOP.io:443", "Shop.IO"), ("http://shop.io:8080/@a", "shop.io:8080")),
        ):
            with self.subTest(target=target):
                self.assertIsNone(code_of(target, same))

    def test_what_proves_the_agent_is_not_dropped_if_it_cannot_be_read(self) -> None:
        members = {
            **{"X-Svc-Proof": "intentProof", "x-svc-token": "agentToken"},
            **{"X-SVC-ID": "agentId", "X-Svc-Attempt-Id": "attemptId"},
        }
        for name, member in members.items():
            unreadable: list[Any] = [{"a": 1}, True, False, [], [[]], [{}], ["a.b.c", "d.e.f"], ["", "a"]]
            for value in unreadable:
                with self.subTest(name, value=value):
                    self.assertEqual(read_presented_identity({name: value}), {member: "\x7f"})
            for value in (None, "", [""]):
                self.assertEqual(read_presented_identity({name: value}), {})
            for value in ("a", ["a"]):
                self.assertEqual(read_presented_identity({name: value}), {member: "a"})
            self.assertEqual(read_presented_identity({name: 5}), {member: "5"})
        self.assertEqual(read_presented_identity({"X-Svc-Purpose": {"a": 1}}), {})
        self.assertEqual(read_presented_identity({"X-Svc-Purpose": ["a:b", "c:d"]}), {"purpose": "a:b"})

    def test_a_malformed_token_of_the_scheme_is_handed_over(self) -> None:
        for sent, token in (("AgentToken", "\x7f"), ("AgentToken a b", "a b"), ("agenttoken  a", "a")):
            self.assertEqual(read_presented_identity({"authorization": sent}), {"agentToken": token})
        for sent, token in (
            ("Bearer x, AgentToken y", "\x7f"),
            (["Bearer x", "AgentToken y"], "\x7f"),
            (["AgentToken a", "AgentToken b"], "a, AgentToken b"),
        ):
            self.assertEqual(read_presented_identity({"authorization": sent})["agentToken"], token)
        for sent in ("Bearer a", "AgentTokens a", 'Digest realm="no AgentToken"'):
            self.assertEqual(read_presented_identity({"authorization": sent}), {})

    def test_half_a_signature_is_handed_over(self) -> None:
        facts = RequestFacts(
            method="GET", target="/", headers={"signature-input": "sig=()", "host": "a"}, scheme="https"
        )
        caller = verification_fields_of(facts, None)["callerMetadata"]
        self.assertEqual((caller["signatureInput"], caller["targetUri"]), ("sig=()", "https://a/"))
        self.assertNotIn("signature", caller)
