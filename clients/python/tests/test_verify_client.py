"""The client of a counterparty: retries, time limits, errors."""

import asyncio
import unittest
from typing import Any

import httpx

from svc_client import AsyncVerifyClient, SvcApiError, VerifyClient
from svc_client.http.sender import Sender
from svc_client.http.steps import Pause, Reply, Send

from .fake_service import AGENT, ENDPOINT, GRANT, FakeService, refusal


def play(
    sender: Sender, replies: list[Reply | SvcApiError], retry: Any = "when_refused"
) -> tuple[Any, list[float]]:
    """Runs a call against these replies; returns its result and its pauses."""
    steps = sender.send("POST", "/x", body="{}", retry=retry)
    pauses: list[float] = []
    try:
        step = next(steps)
        while True:
            if isinstance(step, Pause):
                pauses.append(step.seconds)
                step = steps.send(None)
                continue
            assert isinstance(step, Send)
            reply = replies.pop(0)
            step = steps.throw(reply) if isinstance(reply, SvcApiError) else steps.send(reply)
    except StopIteration as end:
        return end.value, pauses
    except SvcApiError as error:
        return error, pauses


def reply(status: int, body: str = "", **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, httpx.Headers(named), body.encode(), "https://svc.example/api/x")


BUSY = '{"code":"SERVICE_UNAVAILABLE","message":"later"}'


class Retries(unittest.TestCase):
    sender = Sender("https://svc.example/api", timeout_seconds=5)

    def test_a_rate_limit_is_retried_after_the_pause_that_the_service_asks_for(self) -> None:
        result, pauses = play(self.sender, [reply(429, retry_after="2"), reply(200, "1")])
        self.assertEqual(result, 1)
        self.assertTrue(2 <= pauses[0] <= 2.1)

    def test_a_call_is_retried_at_most_twice(self) -> None:
        result, pauses = play(self.sender, [reply(503, BUSY)] * 4)
        self.assertEqual((result.code, len(pauses)), ("SERVICE_UNAVAILABLE", 2))
        self.assertTrue(0.5 <= pauses[0] < pauses[1] <= 1.1)

    def test_a_pause_that_does_not_fit_into_the_time_fails_the_call(self) -> None:
        result, pauses = play(self.sender, [reply(429, retry_after="60")])
        self.assertEqual((result.retry_after_seconds, pauses), (60, []))

    def test_what_may_have_had_an_effect_is_not_sent_again(self) -> None:
        failures: tuple[Reply | SvcApiError, ...] = (
            reply(503, "<html>"),
            reply(500),
            reply(502),
            SvcApiError("TIMEOUT", 0, ""),
        )
        for bad in failures:
            result, pauses = play(self.sender, [bad])
            self.assertIsInstance(result, SvcApiError)
            self.assertEqual(pauses, [])
        self.assertEqual(play(self.sender, [reply(503, "<html>"), reply(200, "1")], "always")[0], 1)
        self.assertEqual(play(self.sender, [reply(429)], "never")[1], [])

    def test_an_error_has_what_the_service_said(self) -> None:
        body = '{"code":"VALIDATION_ERROR","message":"bad","errors":[{"pointer":"/x","message":"m"},{"pointer":1}]}'
        result, _ = play(self.sender, [reply(400, body, x_request_id="r1")])
        self.assertEqual((result.code, result.status, result.request_id), ("VALIDATION_ERROR", 400, "r1"))
        self.assertEqual(result.errors, ({"pointer": "/x", "message": "m"},))

    def test_anything_but_json_is_no_answer_of_the_service(self) -> None:
        for body in ("<html>", "", "[" * 100_000):
            self.assertEqual(play(self.sender, [reply(200, body)])[0].code, "INVALID_RESPONSE")


class Settings(unittest.TestCase):
    def test_settings_that_can_never_work_are_refused_at_once(self) -> None:
        good = FakeService().settings
        wrong: list[dict[str, Any]] = [
            {"api_base_url": "https://svc.example"},
            {"api_base_url": "ftp://svc.example/api"},
            {"api_base_url": "https://svc.example/api?x"},
            {"api_base_url": "/api"},
            {"api_key": ""},
            {"api_key": None},
            {"api_key": "two words"},
            {"api_key": "two\nlines"},
            {"timeout_seconds": 0},
            {"timeout_seconds": float("inf")},
            {"timeout_seconds": float("nan")},
        ]
        for setting in wrong:
            with self.subTest(setting), self.assertRaises(ValueError):
                VerifyClient(**{**good, **setting})

    def test_a_password_in_the_url_is_not_repeated(self) -> None:
        settings: dict[str, Any] = {
            **FakeService().settings,
            "api_base_url": "https://me:secret@svc.example/api",
        }
        with self.assertRaises(ValueError) as caught:
            VerifyClient(**settings)
        self.assertNotIn("secret", str(caught.exception))


class Calls(unittest.TestCase):
    def test_the_settings_name_the_counterparty_unless_the_fields_do(self) -> None:
        service = FakeService()
        client = VerifyClient(**service.settings, client=service.client())
        self.assertEqual(client.verify_access({"agentId": AGENT, "purpose": None}), GRANT)
        client.verify_access({"counterpartyUrl": "https://other.example"})
        self.assertEqual(service.asked[0], {"agentId": AGENT, "counterpartyUrl": "https://shop.example"})
        self.assertEqual(service.asked[1], {"counterpartyUrl": "https://other.example"})
        self.assertEqual(service.requests[0].headers["authorization"], "Bearer key")

    def test_an_asynchronous_client_does_the_same(self) -> None:
        service = FakeService(refusal(429, "RATE_LIMITED", Retry_After="0"), GRANT)
        client = AsyncVerifyClient(**service.settings, client=service.async_client())
        self.assertEqual(asyncio.run(client.verify_access({"counterpartyId": ENDPOINT})), GRANT)
        self.assertEqual(len(service.asked), 2)

    def test_an_answer_that_would_not_decide_is_refused(self) -> None:
        access = GRANT["access"]
        for wrong in (
            {**GRANT, "success": "true"},
            {**GRANT, "recommendation": 1},
            {**GRANT, "access": None},
            {**GRANT, "access": {**access, "allowed": 1}},
            {**GRANT, "access": {**access, "accessLevel": "full\r\nX: y"}},
            {**GRANT, "warningHeader": {"name": "Set-Cookie", "value": "x"}},
            {**GRANT, "warningHeader": {"name": "X-Warning", "value": "a\nb"}},
            [GRANT],
        ):
            service = FakeService(httpx.Response(200, json=wrong))
            client = VerifyClient(**service.settings, client=service.client())
            with self.subTest(wrong), self.assertRaises(SvcApiError) as caught:
                client.verify_access({})
            self.assertEqual(caught.exception.code, "INVALID_RESPONSE")

    def test_failures_of_the_network_have_codes_of_their_own(self) -> None:
        for failure, code in (
            (httpx.ConnectError("x"), "NETWORK_ERROR"),
            (httpx.ReadTimeout("x"), "TIMEOUT"),
        ):
            service = FakeService(failure)
            with self.assertRaises(SvcApiError) as caught:
                VerifyClient(**service.settings, client=service.client()).verify_access({})
            self.assertEqual((caught.exception.code, caught.exception.status), (code, 0))

            async def ask(service: FakeService = service) -> None:
                await AsyncVerifyClient(**service.settings, client=service.async_client()).verify_access({})

            with self.assertRaises(SvcApiError) as caught:
                asyncio.run(ask())
            self.assertEqual(caught.exception.code, code)

    def test_redirects_are_not_followed_and_long_bodies_not_read(self) -> None:
        for answer in (
            httpx.Response(302, headers={"Location": "https://evil.example/"}),
            httpx.Response(200, content=b" " * 1_048_577),
            httpx.Response(200, json=GRANT, headers={"Content-Encoding": "br, identity"}),
        ):
            service = FakeService(answer)
            with self.assertRaises(SvcApiError) as caught:
                VerifyClient(**service.settings, client=service.client()).verify_access({})
            self.assertEqual((caught.exception.code, len(service.requests)), ("INVALID_RESPONSE", 1))

    def test_a_warning_of_the_service_is_passed_on_once(self) -> None:
        hinted = {**GRANT, "warnings": ["The member agentID was ignored.", 7]}
        service = FakeService(hinted, hinted)
        client = VerifyClient(**service.settings, client=service.client())
        client.verify_access({})
        client.verify_access({})
        self.assertEqual(service.warnings, ["verify-access: The member agentID was ignored."])

    def test_a_probe_warns_about_a_web_page(self) -> None:
        service = FakeService()
        client = VerifyClient(**service.settings, client=service.client())
        self.assertTrue(client.probe())
        page = httpx.MockTransport(lambda _: httpx.Response(200, html="<p>"))
        self.assertFalse(VerifyClient(**service.settings, client=httpx.Client(transport=page)).probe())
        self.assertEqual(len(service.warnings), 1)
