"""The short forms for Flask and FastAPI; skipped where these are not installed."""

import importlib.util
import unittest
from typing import Any

from svc_client import Verified

from .fake_service import AGENT, DENY, FakeService


def is_installed(*names: str) -> bool:
    """Whether all these packages can be imported."""
    return all(importlib.util.find_spec(name) is not None for name in names)


class Imports(unittest.TestCase):
    def test_no_framework_is_imported_with_the_package(self) -> None:
        import svc_client.fastapi
        import svc_client.flask

        for module in (svc_client.fastapi, svc_client.flask):
            self.assertFalse({"starlette", "flask", "fastapi"} & vars(module).keys())


@unittest.skipUnless(is_installed("flask"), "Flask is not installed")
class Flask(unittest.TestCase):
    def test_a_handler_gets_the_result_and_a_refused_request_does_not_reach_it(self) -> None:
        import flask

        from svc_client.flask import guard, verified

        def visit(service: FakeService) -> Any:
            app = flask.Flask("shop")
            app.add_url_rule("/orders", view_func=lambda: verified().agent["svcId"], endpoint="orders")  # type: ignore[index]
            guard(app, client=service.client(), disable_init_checks=True, **service.settings)
            return app.test_client().get("/orders")

        self.assertEqual((visit(FakeService()).status_code, visit(FakeService()).text), (200, AGENT))
        self.assertEqual(visit(FakeService(DENY)).status_code, 403)


@unittest.skipUnless(is_installed("fastapi"), "FastAPI is not installed")
class FastApi(unittest.TestCase):
    def test_a_handler_gets_the_result_and_a_refused_request_does_not_reach_it(self) -> None:
        import asyncio

        import fastapi
        import httpx

        from svc_client.fastapi import guard, verified

        def visit(service: FakeService) -> httpx.Response:
            app: Any = fastapi.FastAPI()

            def orders(caller: Verified = fastapi.Depends(verified())) -> Any:
                return caller.agent

            app.add_api_route("/orders", orders)
            guard(app, client=service.async_client(), disable_init_checks=True, **service.settings)

            transport = httpx.ASGITransport(app=app)

            async def send() -> httpx.Response:
                async with httpx.AsyncClient(transport=transport, base_url="http://shop.example") as client:
                    return await client.get("/orders")

            return asyncio.run(send())

        self.assertEqual(visit(FakeService()).json()["svcId"], AGENT)
        self.assertEqual(visit(FakeService(DENY)).status_code, 403)
