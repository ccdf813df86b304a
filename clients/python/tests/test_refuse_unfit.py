"""Requests of which the application may see something else than what is decided on."""

import unittest

from svc_client import RequestFacts
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

    def test_half_a_signature_is_handed_over(self) -> None:
        facts = RequestFacts(
            method="GET", target="/", headers={"signature-input": "sig=()", "host": "a"}, scheme="https"
        )
        caller = verification_fields_of(facts, None)["callerMetadata"]
        self.assertEqual((caller["signatureInput"], caller["targetUri"]), ("sig=()", "https://a/"))
        self.assertNotIn("signature", caller)
