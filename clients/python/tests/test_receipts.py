"""Receipts with fetched keys and status lists."""

import asyncio
import unittest
import zlib
from typing import Any

from svc_client import AsyncReceiptVerifier, ReceiptVerifier
from svc_client.encoding import encode_base64url

from .issuer import ENDPOINT, ISSUED, ISSUER, LIST_URL, Issuer

NOW = ISSUED + 10


def verifier_of(issuer: Issuer, **changed: Any) -> ReceiptVerifier:
    """A verifier with the settings of most tests."""
    return ReceiptVerifier(client=issuer.client(), **{"issuer": ISSUER, "audience": ENDPOINT, **changed})


class FetchedKeys(unittest.TestCase):
    def test_keys_are_fetched_once_and_unknown_ones_cause_few_fetches(self) -> None:
        issuer, other = Issuer(), Issuer()
        verifier = verifier_of(issuer, check_status=False)
        for _ in range(3):
            self.assertTrue(verifier.verify(issuer.issue(), now=NOW))
            self.assertEqual(verifier.verify(other.issue(), now=NOW).reason, "unknown_key")
        self.assertEqual(len(issuer.fetched), 1)

    def test_a_receipt_of_another_issuer_causes_no_fetch(self) -> None:
        issuer = Issuer()
        verdict = verifier_of(issuer).verify(issuer.issue(iss="https://other.example"), now=NOW)
        self.assertEqual((verdict.reason, issuer.fetched), ("other_issuer", []))

    def test_without_keys_nothing_is_accepted(self) -> None:
        issuer = Issuer()
        receipt, documents = issuer.issue(), dict(issuer.documents)
        issuer.documents.clear()
        verifier = verifier_of(issuer, check_status=False)
        self.assertEqual(verifier.verify(receipt, now=NOW).reason, "keys_unavailable")
        issuer.documents.update(documents)
        self.assertTrue(verifier_of(issuer, check_status=False).verify(receipt, now=NOW))

    def test_keys_of_other_algorithms_sign_no_receipts(self) -> None:
        for change in ({"alg": "ES256"}, {"crv": "Ed448"}, {"x": "AAAA"}, {"alg": ""}):
            issuer = Issuer()
            issuer.publish([{**issuer.jwk, **change}])
            self.assertEqual(verifier_of(issuer).verify(issuer.issue(), now=NOW).reason, "unknown_key")


class Claims(unittest.TestCase):
    def test_a_time_that_is_no_whole_number_of_seconds_is_malformed(self) -> None:
        issuer = Issuer()
        times: tuple[Any, ...] = (10**400, -(10**400), 2**53, -1, 0.5, 1e300, True, "1", None)
        for time in times:
            for name in ("iat", "exp"):
                with self.subTest(name, time=time):
                    receipt = issuer.issue(**{name: time})
                    verdict = verifier_of(issuer).verify(receipt, now=NOW)
                    self.assertEqual(verdict.reason, "malformed")


class Withdrawals(unittest.TestCase):
    def test_a_withdrawn_grant_is_refused_and_another_of_the_same_list_is_not(self) -> None:
        issuer = Issuer()
        issuer.publish_list(bytes([0b0000_1000, 0]))
        verifier = verifier_of(issuer)
        self.assertEqual(verifier.verify(issuer.issue(3), now=NOW).reason, "withdrawn")
        self.assertTrue(verifier.verify(issuer.issue(4), now=NOW))
        self.assertEqual(verifier.verify(issuer.issue(16), now=NOW).reason, "status_unavailable")
        self.assertEqual(issuer.fetched.count(LIST_URL), 1)

    def test_a_list_is_fetched_again_when_it_is_old_and_counts_no_longer_than_allowed(self) -> None:
        issuer = Issuer()
        issuer.publish_list(bytes(2))
        verifier = verifier_of(issuer)
        self.assertTrue(verifier.verify(issuer.issue(), now=NOW))
        issuer.publish_list(bytes([0xFF, 0]), iat=ISSUED + 130)
        self.assertEqual(verifier.verify(issuer.issue(), now=ISSUED + 131).reason, "withdrawn")
        del issuer.documents[LIST_URL]
        self.assertEqual(verifier.verify(issuer.issue(4), now=ISSUED + 300).reason, "status_unavailable")

    def test_a_list_that_does_not_hold_is_not_used(self) -> None:
        too_long = {"bits": 1, "lst": encode_base64url(zlib.compress(bytes(2_000_000)))}
        wrong: list[dict[str, Any]] = [
            {"sub": f"{ISSUER}/.well-known/status/1"},
            {"iat": NOW + 61},
            {"exp": NOW},
            {"iat": None},
            {"iat": 10**400},
            {"status_list": {"bits": 3, "lst": ""}},
            {"status_list": {"bits": 1, "lst": "AAAA"}},
            {"status_list": too_long},
        ]
        for claims in wrong:
            issuer = Issuer()
            issuer.publish_list(bytes(2), **claims)
            with self.subTest(claims):
                self.assertEqual(
                    verifier_of(issuer).verify(issuer.issue(), now=NOW).reason, "status_unavailable"
                )

    def test_a_list_signed_by_another_key_is_not_used(self) -> None:
        issuer, other = Issuer(), Issuer()
        other.publish_list(bytes(2))
        issuer.documents[LIST_URL] = other.documents[LIST_URL]
        self.assertEqual(verifier_of(issuer).verify(issuer.issue(), now=NOW).reason, "status_unavailable")

    def test_only_lists_of_the_issuer_are_fetched(self) -> None:
        issuer = Issuer()
        for uri in ("https://evil.example/.well-known/status/0", f"{LIST_URL}/../x", f"{ISSUER}/other"):
            receipt = issuer.issue(status={"status_list": {"idx": 0, "uri": uri}})
            self.assertEqual(verifier_of(issuer).verify(receipt, now=NOW).reason, "status_unavailable")
        self.assertEqual({url.rsplit("/", 1)[1] for url in issuer.fetched}, {"jwks.json"})

    def test_an_asynchronous_verifier_does_the_same(self) -> None:
        issuer = Issuer()
        issuer.publish_list(bytes([0b0000_1000]))

        async def verify() -> list[str | None]:
            verifier = AsyncReceiptVerifier(issuer=ISSUER, audience=ENDPOINT, client=issuer.async_client())
            return [(await verifier.verify(issuer.issue(index), now=NOW)).reason for index in (3, 4)]

        self.assertEqual(asyncio.run(verify()), ["withdrawn", None])
