"""Receipts with fetched keys and status lists."""

import asyncio
import threading
import unittest
import zlib
from typing import Any

import httpx

from svc_client import AsyncReceiptVerifier, ReceiptVerifier
from svc_client.encoding import encode_base64url
from svc_client.http.steps import run, run_async
from svc_client.receipts.issuer_keys import IssuerKeys
from svc_client.receipts.status_lists import StatusLists

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
    def test_a_check_that_could_not_refuse_anything_is_refused(self) -> None:
        nan = float("nan")
        wrong: tuple[dict[str, Any], ...] = (
            *({name: nan} for name in ("skew_seconds", "max_age_seconds")),
            *({name: None} for name in ("issuer", "audience")),
        )
        for setting in wrong:
            with self.subTest(setting), self.assertRaises(ValueError):
                ReceiptVerifier(**{"issuer": ISSUER, "audience": ENDPOINT, **setting})
        issuer = Issuer()
        self.assertEqual(verifier_of(issuer).verify(issuer.issue(), now=nan).reason, "not_yet_valid")

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

    def test_a_request_waits_for_a_list_that_another_thread_is_fetching(self) -> None:
        issuer = Issuer()
        issuer.publish_list(bytes(2))
        verifier = verifier_of(issuer, keys=[issuer.jwk])
        reasons: list[str | None] = []

        def verify() -> None:
            reasons.append(verifier.verify(issuer.issue(), now=NOW).reason)

        other = threading.Thread(target=verify)

        def start_other(_: str) -> None:
            other.start()
            # Without the list it does not come to an end.
            other.join(0.1)

        issuer.on_fetch = start_other
        verify()
        other.join()
        self.assertEqual((reasons, issuer.fetched), ([None, None], [LIST_URL]))

    def test_requests_of_an_event_loop_share_a_fetch_and_survive_the_one_that_began_it(self) -> None:
        issuer = Issuer()
        issuer.publish_list(bytes(2))
        tasks: list[asyncio.Future[Any]] = []

        async def respond(request: httpx.Request) -> httpx.Response:
            issuer.fetched.append(str(request.url))
            if len(issuer.fetched) == 1:
                tasks[0].cancel()
            await asyncio.sleep(0)
            return httpx.Response(200, content=issuer.documents[str(request.url)])

        handler: Any = respond
        client = httpx.AsyncClient(transport=httpx.MockTransport(handler))
        verifier = AsyncReceiptVerifier(issuer=ISSUER, audience=ENDPOINT, client=client, keys=[issuer.jwk])

        async def verify() -> list[str | None]:
            tasks.append(asyncio.ensure_future(verifier.verify(issuer.issue(), now=NOW)))
            others = [verifier.verify(issuer.issue(index), now=NOW) for index in range(5)]
            return [verdict.reason for verdict in await asyncio.gather(*others)]

        self.assertEqual(asyncio.run(verify()), [None] * 5)
        self.assertTrue(tasks[0].cancelled())
        self.assertEqual(issuer.fetched, [LIST_URL] * 2)

    def test_a_request_waits_no_longer_for_the_fetch_of_another_than_for_its_own(self) -> None:
        issuer = Issuer()
        lists = StatusLists(ISSUER, IssuerKeys(ISSUER, [issuer.jwk]), timeout_seconds=0.01)
        reference = {"idx": 3, "uri": LIST_URL}
        stuck = lists.read(reference, NOW)
        next(stuck)
        self.assertEqual(run(lists.read(reference, NOW), issuer.client()), "unknown")

        async def read() -> str:
            return await run_async(lists.read(reference, NOW), issuer.async_client())

        self.assertEqual((asyncio.run(read()), issuer.fetched), ("unknown", []))

    def test_an_asynchronous_verifier_does_the_same(self) -> None:
        issuer = Issuer()
        issuer.publish_list(bytes([0b0000_1000]))

        async def verify() -> list[str | None]:
            verifier = AsyncReceiptVerifier(issuer=ISSUER, audience=ENDPOINT, client=issuer.async_client())
            return [(await verifier.verify(issuer.issue(index), now=NOW)).reason for index in (3, 4)]

        self.assertEqual(asyncio.run(verify()), ["withdrawn", None])
