"""The order of the headers that a signature covers."""

import base64
import unittest

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from svc_client import AgentKey, RequestFacts, SignatureOptions, sign_http_request
from svc_client.gateway.verification_fields_of import verification_fields_of

from .fake_service import AGENT

URL = "https://shop.example/orders?x=1"


class CoveredHeaders(unittest.TestCase):
    key = AgentKey.generate()

    def test_covered_headers_are_signed_in_the_order_in_which_they_are_listed(self) -> None:
        public = Ed25519PublicKey.from_public_bytes(base64.urlsafe_b64decode(self.key.public_jwk["x"] + "="))
        given = {"X-A": "1", "X-B": "2", "X-Svc-Purpose": "shopping:buy"}
        lists = set()
        for covers in (("x-a", "x-b"), ("x-b", "x-a")):
            for headers in (given, dict(reversed(given.items()))):
                options = SignatureOptions(agent_id=AGENT, covers=covers)
                signed = sign_http_request(self.key, "GET", URL, headers=headers, options=options)
                params = signed["signature-input"].removeprefix("svc=")
                names = params[1 : params.index(")")].replace('"', "").split(" ")
                self.assertEqual(tuple(names[-2:]), covers)
                lists.add(tuple(names))
                values = {
                    **{"@method": "GET", "@authority": "shop.example", "@path": "/orders", "@query": "?x=1"},
                    **{"x-svc-id": AGENT, "x-svc-purpose": "shopping:buy", "x-a": "1", "x-b": "2"},
                }
                lines = [f'"{name}": {values[name]}' for name in names]
                base = "\n".join([*lines, f'"@signature-params": {params}']).encode()
                signature = base64.b64decode(signed["signature"].removeprefix("svc=:").removesuffix(":"))
                public.verify(signature, base)
                turned = "\n".join([*reversed(lines), f'"@signature-params": {params}']).encode()
                with self.assertRaises(InvalidSignature):
                    public.verify(signature, turned)
        self.assertEqual(len(lists), 2)

    def test_a_gateway_hands_over_the_same_headers_in_whatever_order_they_are_covered(self) -> None:
        for names in ('"@method" "x-a" "x-b"', '"x-b" "x-a" "@method"'):
            covered = {"signature-input": f"svc=({names});created=1", "signature": "svc=:AAAA:"}
            facts = RequestFacts(target="/", headers={"x-b": "2", "x-a": "1", "x-c": "3", **covered})
            caller = verification_fields_of(facts, None)["callerMetadata"]
            self.assertEqual([caller.get(name) for name in ("x-a", "x-b", "x-c")], ["1", "2", None])
            self.assertEqual(caller["signatureInput"], covered["signature-input"])
