"""What an agent makes of the answers of the service."""

import asyncio
import json
import unittest
from collections.abc import Callable
from typing import Any

import httpx

from svc_client import AgentClient, AsyncAgentClient, OwnerAccount, SvcApiError

from .fake_service import AGENT


class Answers(unittest.TestCase):
    settings: dict[str, Any] = {
        "api_base_url": "https://svc.example/api",
        "svc_id": AGENT,
        "account": OwnerAccount("11" * 32),
    }

    def test_a_registration_without_an_agent_in_the_answer_is_an_invalid_response(self) -> None:
        data: list[Any] = [None, {}, {"agent": None}, {"agent": {"svcId": 1}}]
        wrong: list[Any] = [None, [], "x", {}, *({"data": one} for one in data)]
        for body in wrong:
            for raised, agent in self._ask_all(body, lambda agent: agent.register({"name": "Buyer"})):
                with self.subTest(body):
                    self.assertEqual((raised.code, raised.status), ("INVALID_RESPONSE", 201))
                    self.assertEqual(agent.svc_id, AGENT)

    def test_a_token_is_returned_with_its_lifetime(self) -> None:
        issued = {"success": True, "agentToken": "a.b.c", "expiresIn": 900}
        transport = httpx.MockTransport(lambda _: httpx.Response(201, json=issued))
        agent = AgentClient(**self.settings, client=httpx.Client(transport=transport))
        self.assertEqual(agent.token(), issued)

    def test_an_answer_without_a_token_is_an_invalid_response(self) -> None:
        good: dict[str, Any] = {"agentToken": "a.b.c", "expiresIn": 900}
        wrong: list[Any] = [
            *(None, [], "x", {}),
            *({"agentToken": "a.b.c"}, {"expiresIn": 900}),
            *({**good, "agentToken": token} for token in (None, 1, "", ["a.b.c"], {})),
            *({**good, "expiresIn": seconds} for seconds in (None, "900", True)),
        ]
        for body in wrong:
            for raised, _ in self._ask_all(body, lambda agent: agent.token()):
                with self.subTest(body):
                    self.assertEqual((raised.code, raised.status), ("INVALID_RESPONSE", 201))

    def _ask_all(self, body: Any, ask: Callable[[Any], Any]) -> list[tuple[SvcApiError, Any]]:
        """Asks with a blocking and an asynchronous agent of a service that answers with a JSON value."""
        transport = httpx.MockTransport(lambda _: httpx.Response(201, content=json.dumps(body)))
        blocking = AgentClient(**self.settings, client=httpx.Client(transport=transport))
        with self.assertRaises(SvcApiError) as raised:
            ask(blocking)
        other = AsyncAgentClient(**self.settings, client=httpx.AsyncClient(transport=transport))
        with self.assertRaises(SvcApiError) as raised_later:
            asyncio.run(ask(other))
        return [(raised.exception, blocking), (raised_later.exception, other)]
