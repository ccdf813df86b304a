"""The gateway for ASGI applications."""

import asyncio
import json
import unittest
from typing import Any
from urllib.parse import unquote

from svc_client import AsgiGateway, RequestFacts
from svc_client.gateway.asgi import _Received
from svc_client.gateway.request_facts import read_headers
from svc_client.signing.content_digest import compute_content_digest

from .fake_service import DENY, GRANT, HELD, FakeService

SIGNED = {"signature": "svc=:AAAA:", "signature-input": 'svc=("@authority" "content-digest")'}


class Visit:
    """One request through a gateway: what the application saw, and what the caller got."""

    def __init__(
        self,
        service: FakeService,
        headers: dict[str, str] | None = None,
        body: tuple[bytes, ...] = (b"",),
        scope: dict[str, Any] | None = None,
        **settings: Any,
    ) -> None:
        pairs = [
            (name.encode(), value.encode())
            for name, value in {"host": "shop.example", **(headers or {})}.items()
        ]
        self.scope = {
            "type": "http",
            "method": "POST",
            "path": "/",
            "query_string": b"",
            "headers": pairs,
            **(scope or {}),
        }
        self.seen: dict[str, Any] | None = None
        self.seen_body = b""
        self.sent: list[dict[str, Any]] = []
        last = len(body) - 1
        self.messages = [
            {"type": "http.request", "body": part, "more_body": nth < last} for nth, part in enumerate(body)
        ]
        self.is_gone = False
        self.settings: dict[str, Any] = {
            "disable_init_checks": True,
            "client": service.async_client(),
            **service.settings,
            **settings,
        }
        asyncio.run(self._run())

    @property
    def status(self) -> int:
        """Of the response."""
        return int(self.sent[0]["status"])

    @property
    def code(self) -> str:
        """Of a refusal."""
        return str(json.loads(self.sent[1]["body"])["code"])

    async def _run(self) -> None:
        await AsgiGateway(self._app, **self.settings)(self.scope, self._receive, self._send)

    async def _app(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        self.seen = scope
        if scope["type"] != "http":
            return
        has_more = True
        while has_more:
            message = await receive()
            self.seen_body += message.get("body", b"")
            has_more = message.get("more_body", False)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"ok"})

    async def _receive(self) -> dict[str, Any]:
        if self.messages:
            return self.messages.pop(0)
        if self.scope.get("leaves"):
            return {"type": "http.disconnect"}
        return await asyncio.Future()

    async def _send(self, message: dict[str, Any]) -> None:
        self.sent.append(message)


class Decisions(unittest.TestCase):
    def test_a_grant_reaches_the_application_with_its_result(self) -> None:
        warning = {"name": "X-Svc-Unverified-Warning", "value": "w"}
        visit = Visit(FakeService({**GRANT, "warningHeader": warning}), body=(b"te", b"a"))
        assert visit.seen is not None
        self.assertEqual(visit.seen["svc.verified"].access_level, "full")
        self.assertIs(visit.seen["state"]["svc"], visit.seen["svc.verified"])
        self.assertEqual((visit.status, visit.seen_body), (200, b"tea"))
        self.assertIn((b"x-svc-unverified-warning", b"w"), visit.sent[0]["headers"])

    def test_everything_else_is_refused(self) -> None:
        visit = Visit(FakeService(DENY))
        self.assertEqual((visit.status, visit.code, visit.seen), (403, "access_denied", None))

    def test_a_held_request_passes_once_its_owner_has_approved(self) -> None:
        service = FakeService(HELD, {"status": "approved"}, GRANT)
        visit = Visit(service, body=(b"te", b"a"), hold_step_up_seconds=30)
        self.assertEqual((visit.status, visit.seen_body), (200, b"tea"))

    def test_an_approval_is_not_used_for_a_caller_that_has_gone(self) -> None:
        service = FakeService(HELD, {"status": "pending"}, GRANT)
        visit = Visit(service, scope={"leaves": True}, hold_step_up_seconds=30)
        self.assertEqual((visit.status, len(service.asked)), (202, 1))

    def test_a_handshake_of_a_websocket_is_verified(self) -> None:
        socket = {"type": "websocket", "scheme": "wss", "path": "/live"}
        service = FakeService()
        visit = Visit(service, SIGNED, scope=socket)
        self.assertIsNotNone(visit.seen)
        caller = service.asked[0]["callerMetadata"]
        self.assertEqual((caller["method"], caller["targetUri"]), ("GET", "https://shop.example/live"))
        refused = Visit(FakeService(DENY), scope=socket)
        self.assertEqual((refused.seen, refused.sent), (None, [{"type": "websocket.close", "code": 1008}]))
        told = Visit(FakeService(DENY), scope={**socket, "extensions": {"websocket.http.response": {}}})
        self.assertEqual([told.sent[0]["type"], told.status], ["websocket.http.response.start", 403])

    def test_the_lifespan_passes(self) -> None:
        service = FakeService()
        self.assertIsNotNone(Visit(service, scope={"type": "lifespan"}).seen)
        self.assertEqual(service.asked, [])


class Held(unittest.TestCase):
    def test_what_arrives_while_a_request_is_held_is_bounded_and_the_time_is_waited_out(self) -> None:
        count = 0

        async def receive() -> dict[str, Any]:
            nonlocal count
            count += 1
            return {"type": "http.request", "body": b"a", "more_body": True}

        async def wait() -> float:
            loop = asyncio.get_running_loop()
            start = loop.time()
            await _Received(receive, 2).wait(0.05)
            return loop.time() - start

        self.assertGreaterEqual(asyncio.run(wait()), 0.05)
        self.assertEqual(count, 3)


class Facts(unittest.TestCase):
    def test_forged_headers_are_removed_in_every_spelling(self) -> None:
        forged = {"X-Svc-Access-Level": "internal", "x_svc_receipt": "forged", "x-other": "1"}
        seen = Visit(FakeService(), forged).seen
        assert seen is not None
        self.assertEqual([name for name, _ in seen["headers"]], [b"host", b"x-other"])
        seen = Visit(FakeService(), forged, set_pass_through_header=True).seen
        assert seen is not None
        self.assertIn((b"x-svc-access-level", b"full"), seen["headers"])

    def test_the_target_is_what_was_sent_if_it_is_that_of_the_application(self) -> None:
        def target(**scope: Any) -> Any:
            service = FakeService()
            Visit(service, SIGNED, scope={"path": "/a b/é", "query_string": b"x=%41", **scope})
            return service.asked[0]["callerMetadata"]["targetUri"]

        self.assertEqual(target(), "http://shop.example/a%20b/%C3%A9?x=%41")
        self.assertEqual(target(raw_path=b"/a%20b/%c3%a9"), "http://shop.example/a%20b/%c3%a9?x=%41")
        self.assertEqual(target(raw_path=b"/other"), "http://shop.example/a%20b/%C3%A9?x=%41")

    def test_a_repeated_header_is_handed_over_with_all_its_values(self) -> None:
        names = ("host", "user-agent", "content-type", "referer", "x-own", "cookie")
        covered = " ".join(f'"{name}"' for name in names)
        signed = [(b"signature", b"svc=:AAAA:"), (b"signature-input", f"svc=({covered})".encode())]
        sent = [(name.encode(), value) for value in (b"first", b"second") for name in names]
        service = FakeService()
        Visit(service, scope={"headers": [*signed, *sent]})
        caller = service.asked[0]["callerMetadata"]
        for name in ("userAgent", "content-type", "referer", "x-own"):
            self.assertEqual(caller[name], "first, second")
        self.assertEqual((caller["host"], caller["targetUri"]), ("first, second", "http://first, second/"))
        self.assertEqual(read_headers([("Cookie", "a=1"), ("cookie", "b=2")]), {"cookie": "a=1; b=2"})

    def test_a_target_with_a_fragment_or_another_host_is_refused(self) -> None:
        sent = "/files/public.txt#/../secret.txt"
        targets: list[dict[str, Any]] = [
            {"path": sent, "raw_path": sent.encode()},
            {"path": "/files/public.txt", "raw_path": sent.encode()},
            {"path": "/files", "query_string": b"x#y"},
            {"path": "http://evil.example/files", "raw_path": b"http://evil.example/files"},
        ]
        for scope in targets:
            service = FakeService()
            visit = Visit(service, scope=scope)
            self.assertEqual((visit.status, visit.code), (400, "invalid_target"))
            self.assertEqual((visit.seen, service.asked), (None, []))

    def test_the_path_decided_on_is_the_whole_path_that_is_served(self) -> None:
        for path, raw in (("/a#b", b"/a%23b"), ("/a\u00a0", b"/a%C2%A0"), ("/a ", b"/a ")):
            service = FakeService()
            Visit(service, scope={"path": path, "raw_path": raw})
            self.assertEqual(unquote(service.asked[0]["resource"]), path)

    def test_a_signed_body_is_compared_with_its_digest_and_left_for_the_application(self) -> None:
        def visit(*body: bytes, **more: Any) -> Visit:
            headers = {**SIGNED, "content-digest": compute_content_digest(b"tea")}
            return Visit(FakeService(), headers, body, **more)

        self.assertEqual(visit(b"te", b"a").seen_body, b"tea")
        self.assertEqual(visit(b"te", b"b").code, "content_digest_mismatch")
        self.assertEqual(visit(b"te", b"a", body_bytes_max=2).status, 413)

    def test_a_body_that_could_not_be_read_is_refused_before_it_is_described(self) -> None:
        described: list[RequestFacts] = []

        def describe(facts: RequestFacts) -> dict[str, Any]:
            described.append(facts)
            return {"transactionValue": (facts.json() or {}).get("total")}

        def visit(headers: dict[str, str], *body: bytes, **scope: Any) -> tuple[int, str]:
            service = FakeService()
            visit = Visit(service, headers, body, scope, describe_request=describe, body_bytes_max=12)
            self.assertEqual((visit.seen, service.asked, described), (None, [], []))
            return visit.status, visit.code

        self.assertEqual(visit({"content-length": "13"}, b'{"total": 20}'), (413, "body_too_long"))
        self.assertEqual(visit({}, b'{"total"', b": 20}"), (413, "body_too_long"))
        self.assertEqual(visit({}, leaves=True), (400, "body_unreadable"))

    def test_a_description_may_be_asynchronous_and_its_failure_refuses_the_request(self) -> None:
        async def describe(facts: RequestFacts) -> dict[str, Any]:
            await asyncio.sleep(0)
            return {"transactionValue": facts.json()["total"]}

        service = FakeService()
        visit = Visit(service, body=(b'{"total": 20}',), describe_request=describe)
        self.assertEqual((service.asked[0]["transactionValue"], visit.seen_body), (20, b'{"total": 20}'))
        self.assertEqual(Visit(FakeService(), describe_request=describe).code, "verification_unavailable")
