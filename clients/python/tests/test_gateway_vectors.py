"""What a gateway hands over, refuses and requires, against the vectors."""

import unittest
from typing import Any

from svc_client import RequestFacts, compile_route_gate
from svc_client.gateway.check_body import check_body
from svc_client.gateway.session_tokens import find_session_tokens
from svc_client.gateway.verification_fields_of import verification_fields_of

from .vectors import read_vectors


def facts_of(vector: dict[str, Any]) -> RequestFacts:
    """The facts of a vector by their names in Python."""
    names = {"sourceIp": "source_ip"}
    members = {names.get(name, name): value for name, value in vector.items()}
    body = members.get("body")
    if body is not None:
        members["body"] = body["unread"] if isinstance(body, dict) else body.encode()
    return RequestFacts(**members)


class GatewayVectors(unittest.TestCase):
    def test_the_same_is_handed_over_or_refused_as_by_the_typescript_gateway(self) -> None:
        for case in read_vectors("gateway")["cases"]:
            with self.subTest(case["name"]):
                facts = facts_of(case["facts"])
                checked = check_body(facts)
                if "refusal" in case:
                    assert checked.refusal is not None
                    self.assertEqual(checked.refusal.status, case["refusal"]["status"])
                    self.assertEqual(checked.refusal.body, case["refusal"]["body"])
                    continue
                self.assertIsNone(checked.refusal)
                self.assertEqual(verification_fields_of(facts, checked.content_digest), case["fields"])
                self.assertEqual(find_session_tokens(facts), case["sessionTokens"])

    def test_a_payment_that_is_longer_than_the_service_takes_is_not_handed_over(self) -> None:
        facts = RequestFacts(method="GET", target="/", headers={"x-payment": "x" * 8_193, "host": "a"})
        self.assertEqual(verification_fields_of(facts, None)["callerMetadata"], {"host": "a"})


class RouteVectors(unittest.TestCase):
    def test_routes_require_the_same_of_a_request(self) -> None:
        vectors = read_vectors("routes")
        gates: list[Any] = [(vectors["routes"], vectors["requests"]), ([], vectors["withoutRoutes"])]
        for routes, requests in gates:
            find_fault = compile_route_gate(routes)
            for request in requests:
                with self.subTest(request["path"], method=request["method"]):
                    faults = [
                        find_fault(request["method"], request["path"], *shown) for shown in vectors["shown"]
                    ]
                    lacks = ["-" if fault is None else fault.min_identity_proof or "l" for fault in faults]
                    self.assertEqual(" ".join(lacks), request["lacks"])

    def test_a_route_that_would_stay_open_is_refused(self) -> None:
        for route in read_vectors("routes")["refusedRoutes"]:
            with self.subTest(route["pattern"]), self.assertRaises(ValueError):
                compile_route_gate([route])
