"""The gateway for WSGI applications."""

import io
import json
import unittest
from typing import Any
from wsgiref.util import setup_testing_defaults

import httpx

from svc_client import RequestFacts, WsgiGateway
from svc_client.signing.content_digest import compute_content_digest

from .fake_service import AGENT, DENY, ENDPOINT, GRANT, HELD, FakeService, refusal

SIGNED = {"HTTP_SIGNATURE": "svc=:AAAA:", "HTTP_SIGNATURE_INPUT": 'svc=("@authority" "content-digest")'}


class Visit:
    """One request through a gateway: what the application saw, and what the caller got."""

    def __init__(self, service: FakeService, environ: dict[str, Any] | None = None, **settings: Any) -> None:
        self.seen: dict[str, Any] | None = None
        self.status = ""
        self.headers: dict[str, str] = {}
        own: dict[str, Any] = {
            "disable_init_checks": True,
            "client": service.client(),
            **service.settings,
            **settings,
        }
        gateway = WsgiGateway(self._app, **own)
        given = dict(environ or {})
        setup_testing_defaults(given)
        self.body = b"".join(gateway(given, self._start))

    @property
    def json(self) -> Any:
        """The response."""
        return json.loads(self.body)

    def _app(self, environ: dict[str, Any], start_response: Any) -> list[bytes]:
        self.seen = environ
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))]

    def _start(self, status: str, headers: list[tuple[str, str]], *_: Any) -> None:
        self.status, self.headers = status, dict(headers)


class Decisions(unittest.TestCase):
    def test_a_grant_reaches_the_application_with_its_result(self) -> None:
        visit = Visit(
            FakeService({**GRANT, "warningHeader": {"name": "X-Svc-Unverified-Warning", "value": "w"}})
        )
        assert visit.seen is not None
        verified = visit.seen["svc.verified"]
        self.assertEqual(
            (verified.verified, verified.access_level, verified.identity_proof), (True, "full", "signature")
        )
        self.assertEqual(verified.agent["svcId"], AGENT)
        self.assertEqual(visit.headers["X-Svc-Unverified-Warning"], "w")

    def test_everything_but_a_grant_or_an_audit_is_refused(self) -> None:
        unknown = {**GRANT, "recommendation": "perhaps"}
        contradictory = {**GRANT, "access": {**GRANT["access"], "allowed": False}}
        for answer in (DENY, unknown, contradictory):
            visit = Visit(FakeService(answer))
            self.assertEqual((visit.status, visit.seen), ("403 Forbidden", None))
            self.assertEqual(visit.json["code"], "access_denied")
        self.assertEqual(Visit(FakeService(DENY)).json["failures"], [{"dimension": "x"}])
        self.assertIsNotNone(Visit(FakeService({**GRANT, "recommendation": "audit"})).seen)

    def test_a_step_up_gets_202_with_what_the_agent_needs_and_nothing_else(self) -> None:
        visit = Visit(FakeService(HELD))
        self.assertEqual((visit.status, visit.headers["Retry-After"]), ("202 Accepted", "5"))
        names = ["approvalId", "approvalUrl", "attemptId", "expiresAt", "pollUrl", "status"]
        self.assertEqual(sorted(visit.json["stepUpApproval"]), names)
        self.assertIsNone(visit.seen)

    def test_a_held_request_passes_once_its_owner_has_approved(self) -> None:
        service = FakeService(HELD, {"status": "approved"}, GRANT)
        self.assertIsNotNone(Visit(service, hold_step_up_seconds=30).seen)
        self.assertEqual(service.asked[1]["attemptId"], HELD["stepUpApproval"]["attemptId"])

    def test_a_request_stays_held_when_the_time_is_up_or_the_service_fails_after_the_decision(self) -> None:
        service = FakeService(HELD, {"status": "pending"})
        self.assertEqual(Visit(service, hold_step_up_seconds=0.01).status, "202 Accepted")
        service = FakeService(HELD, {"status": "approved"}, httpx.ConnectError("x"))
        self.assertEqual(Visit(service, hold_step_up_seconds=30).status, "202 Accepted")

    def test_routes_require_a_level_and_a_proof(self) -> None:
        def status(route: dict[str, str], **changed: Any) -> str:
            return str(Visit(FakeService({**GRANT, **changed}), routes=[route]).json["code"])

        self.assertEqual(status({"pattern": "/**", "minAccessLevel": "internal"}), "access_level_too_low")
        signature = {"pattern": "/**", "minAccessLevel": "none", "minIdentityProof": "signature"}
        self.assertEqual(status(signature, identityProof="token"), "identity_proof_too_weak")

    def test_the_routes_of_the_service_apply_if_it_names_the_endpoint(self) -> None:
        service = FakeService()
        service.routes = [{"pattern": "/**", "minAccessLevel": "internal", "method": None}]
        self.assertEqual(Visit(service, counterparty_id=ENDPOINT).json["code"], "access_level_too_low")


class Outages(unittest.TestCase):
    def test_without_a_decision_nothing_passes(self) -> None:
        for answer in (httpx.ConnectError("x"), refusal(500, "INTERNAL"), refusal(401, "UNAUTHENTICATED")):
            service = FakeService(answer)
            visit = Visit(service)
            self.assertEqual((visit.json["code"], visit.seen), ("verification_unavailable", None))
            self.assertEqual(len(service.warnings), 1)

    def test_pass_opens_the_gate_for_an_outage_but_not_for_a_used_up_rate_limit(self) -> None:
        open_visit = Visit(FakeService(httpx.ConnectError("x")), when_unavailable="pass")
        assert open_visit.seen is not None
        self.assertFalse(open_visit.seen["svc.verified"].verified)
        for answer in (refusal(429, "RATE_LIMITED", Retry_After="60"), refusal(403, "FORBIDDEN")):
            self.assertIsNone(Visit(FakeService(answer), when_unavailable="pass").seen)

    def test_a_mistake_of_the_host_is_no_outage(self) -> None:
        service = FakeService()
        client = service.client()
        client.close()
        visit = Visit(service, client=client, when_unavailable="pass")
        self.assertEqual((visit.json["code"], visit.seen), ("verification_unavailable", None))

    def test_the_caller_learns_what_was_wrong_with_its_headers_only(self) -> None:
        bad = {"success": False, "code": "VALIDATION_ERROR", "message": "bad"}
        for pointer, status in (("/purpose", "400"), ("/counterpartyId", "503"), ("", "503")):
            errors = [{"pointer": pointer, "message": "m"}]
            service = FakeService(httpx.Response(400, json={**bad, "errors": errors}))
            self.assertTrue(Visit(service).status.startswith(status))
        self.assertEqual(Visit(FakeService(refusal(409, "ATTEMPT_MISMATCH"))).status, "409 Conflict")

    def test_a_description_that_fails_refuses_the_request(self) -> None:
        visit = Visit(
            FakeService(), describe_request=lambda facts: facts.json()["total"], when_unavailable="pass"
        )
        self.assertEqual((visit.json["code"], visit.seen), ("verification_unavailable", None))

    def test_settings_that_can_never_work_are_refused_at_once(self) -> None:
        wrong: list[dict[str, Any]] = [
            {"counterparty_url": None},
            {"routes": [{"pattern": "[", "minAccessLevel": "none"}]},
            {"counterparty_url": "shop"},
            {"api_base_url": None},
            {"routes": [{"pattern": "/x"}]},
            {"when_unavailable": "open"},
            *({"hold_step_up_seconds": value} for value in (float("nan"), "5", -1)),
            *({"body_bytes_max": value} for value in (float("nan"), "1mb", -1)),
            {"timeout_seconds": "5"},
            {"when_unavailable": "pass", "timeout_seconds": 3.9},
        ]
        for setting in wrong:
            with self.assertRaises(ValueError):
                Visit(FakeService(), **setting)


class Facts(unittest.TestCase):
    def test_the_target_is_what_was_sent_if_it_is_that_of_the_application(self) -> None:
        def target(**environ: str) -> Any:
            service = FakeService()
            Visit(service, {"PATH_INFO": "/a b/\u00c3\u00a9", "QUERY_STRING": "x=%41", **SIGNED, **environ})
            return service.asked[0]["callerMetadata"]["targetUri"]

        self.assertEqual(target(), "http://127.0.0.1/a%20b/%C3%A9?x=%41")
        self.assertEqual(target(RAW_URI="/a%20b/%c3%a9?x=%41"), "http://127.0.0.1/a%20b/%c3%a9?x=%41")
        self.assertEqual(target(REQUEST_URI="/other?x"), "http://127.0.0.1/a%20b/%C3%A9?x=%41")

    def test_forged_headers_are_removed_and_the_decision_is_passed_on(self) -> None:
        forged = {"HTTP_X_SVC_ACCESS_LEVEL": "internal", "HTTP_X_SVC_RECEIPT": "forged", "HTTP_X_OTHER": "1"}
        seen = Visit(FakeService(), forged).seen
        assert seen is not None
        self.assertEqual([name for name in seen if name.startswith("HTTP_X")], ["HTTP_X_OTHER"])
        seen = Visit(FakeService({**GRANT, "receipt": "a.b.c"}), forged, set_pass_through_header=True).seen
        assert seen is not None
        names = ("ACCESS_LEVEL", "RECOMMENDATION", "IDENTITY_PROOF", "RECEIPT")
        self.assertEqual(
            [seen[f"HTTP_X_SVC_{name}"] for name in names], ["full", "grant", "signature", "a.b.c"]
        )

    def test_what_the_application_knows_is_handed_over_and_the_body_left_for_it(self) -> None:
        def describe(facts: RequestFacts) -> dict[str, Any]:
            return {"transactionValue": facts.json()["total"], "currency": "EUR", "resource": None}

        body = b'{"total": 20}'
        environ = {"wsgi.input": io.BytesIO(body), "CONTENT_LENGTH": str(len(body)), "REQUEST_METHOD": "POST"}
        service = FakeService()
        visit = Visit(service, {**environ, "HTTP_X_SVC_ID": AGENT}, describe_request=describe)
        self.assertEqual(visit.body, body)
        self.assertEqual(service.asked[0]["transactionValue"], 20)
        self.assertEqual((service.asked[0]["resource"], service.asked[0]["agentId"]), ("/", AGENT))

    def test_a_body_that_could_not_be_read_is_refused_before_it_is_described(self) -> None:
        described: list[RequestFacts] = []

        def describe(facts: RequestFacts) -> dict[str, Any]:
            described.append(facts)
            return {"transactionValue": (facts.json() or {}).get("total")}

        def visit(**environ: Any) -> tuple[str, Any]:
            service = FakeService()
            body = {"wsgi.input": io.BytesIO(b'{"total": 20}'), "REQUEST_METHOD": "POST"}
            visit = Visit(service, {**body, **environ}, describe_request=describe, body_bytes_max=12)
            self.assertEqual((visit.seen, service.asked, described), (None, [], []))
            return visit.status, visit.json["code"]

        too_long = ("413 Content Too Large", "body_too_long")
        unreadable = ("400 Bad Request", "body_unreadable")
        chunked = {"HTTP_TRANSFER_ENCODING": "chunked"}
        self.assertEqual(visit(CONTENT_LENGTH="13"), too_long)
        self.assertEqual(visit(**chunked, **{"wsgi.input_terminated": True}), too_long)
        self.assertEqual(visit(**chunked), unreadable)
        self.assertEqual(visit(CONTENT_LENGTH="12", **{"wsgi.input": io.BytesIO(b"{}")}), unreadable)

    def test_a_target_with_a_fragment_or_another_host_is_refused(self) -> None:
        sent = "/files/public.txt#/../secret.txt"
        targets: list[dict[str, str]] = [
            {"PATH_INFO": sent, "RAW_URI": sent},
            {"PATH_INFO": "/files/public.txt", "REQUEST_URI": sent},
            {"PATH_INFO": "/files", "QUERY_STRING": "x#y"},
            {"PATH_INFO": "/files", "RAW_URI": "http://evil.example/files", "HTTP_HOST": "shop.example"},
            {"PATH_INFO": "/files", "RAW_URI": "http://a@shop.example/files", "HTTP_HOST": "shop.example"},
        ]
        for environ in targets:
            service = FakeService()
            visit = Visit(service, environ)
            self.assertEqual((visit.status, visit.json["code"]), ("400 Bad Request", "invalid_target"))
            self.assertEqual((visit.seen, service.asked), (None, []))

    def test_an_encoded_hash_is_a_part_of_the_path(self) -> None:
        service = FakeService()
        Visit(service, {"PATH_INFO": "/a#b"})
        self.assertEqual(service.asked[0]["resource"], "/a%23b")

    def test_a_signed_body_is_compared_with_its_digest(self) -> None:
        def visit(body: bytes, signed: bytes, **more: Any) -> tuple[Visit, FakeService]:
            environ = {
                "wsgi.input": io.BytesIO(body),
                "CONTENT_LENGTH": str(len(body)),
                "REQUEST_METHOD": "POST",
            }
            service = FakeService()
            digest = compute_content_digest(signed)
            return Visit(service, {**environ, **SIGNED, "HTTP_CONTENT_DIGEST": digest}, **more), service

        right, service = visit(b"tea", b"tea")
        self.assertEqual(right.body, b"tea")
        self.assertEqual(service.asked[0]["callerMetadata"]["contentDigest"], compute_content_digest(b"tea"))
        self.assertEqual(visit(b"teb", b"tea")[0].json["code"], "content_digest_mismatch")
        self.assertEqual(visit(b"tea", b"tea", body_bytes_max=2)[0].status, "413 Content Too Large")

    def test_a_body_without_a_length_is_read_only_if_the_server_ends_it(self) -> None:
        environ = {"HTTP_TRANSFER_ENCODING": "chunked", "REQUEST_METHOD": "POST", **SIGNED}
        environ["HTTP_SIGNATURE_INPUT"] = 'svc=("@authority")'
        for terminated, handed in ((True, compute_content_digest(b"tea")), (False, "unknown")):
            service = FakeService()
            body = io.BytesIO(b"tea")
            Visit(service, {**environ, "wsgi.input": body, "wsgi.input_terminated": terminated})
            self.assertEqual(service.asked[0]["callerMetadata"]["contentDigest"], handed)

    def test_a_long_body_without_a_length_reaches_the_application_whole(self) -> None:
        seen = Visit(
            FakeService(),
            {
                **SIGNED,
                "HTTP_TRANSFER_ENCODING": "chunked",
                "HTTP_SIGNATURE_INPUT": 'svc=("@authority")',
                "wsgi.input": io.BytesIO(b"abcdef"),
                "wsgi.input_terminated": True,
            },
            body_bytes_max=2,
        ).seen
        assert seen is not None
        self.assertEqual(seen["wsgi.input"].read(), b"abcdef")


class Start(unittest.TestCase):
    def test_ready_says_whether_the_service_is_there_and_the_key_owns_the_endpoint(self) -> None:
        def ready(service: FakeService, **more: Any) -> bool:
            settings: dict[str, Any] = {
                "disable_init_checks": True,
                "client": service.client(),
                **service.settings,
                **more,
            }
            return WsgiGateway(lambda environ, start: [], **settings).ready()

        self.assertTrue(ready(FakeService(), counterparty_id=ENDPOINT))
        service = FakeService()
        service.on_request = _refuse
        self.assertFalse(ready(service, counterparty_id=ENDPOINT))
        self.assertIn("NETWORK_ERROR", service.warnings[0])


def _refuse(_: httpx.Request) -> None:
    raise httpx.ConnectError("x")
