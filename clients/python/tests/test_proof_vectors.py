"""Signed requests and intent proofs, against the vectors."""

import unittest
from typing import Any, cast

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from svc_client import (
    AgentKey,
    AgentSigner,
    OwnerAccount,
    SignatureOptions,
    create_intent_proof,
    sign_http_request,
)
from svc_client.agent.agent_key import KeyAlgorithm
from svc_client.agent.sign_http_request import SignatureTag
from svc_client.encoding import decode_base64url
from svc_client.signing.compact_jws import parse_compact_jws

from .vectors import read_vectors


class EthereumSigner:
    """Signs requests with an Ethereum account. Source: ERC-8128."""

    algorithm: KeyAlgorithm | None = None

    def __init__(self, vector: dict[str, Any]) -> None:
        self.account = OwnerAccount(vector["privateKey"])
        self.keyid: str = f"erc8128:{vector['chainId']}:{self.account.address.lower()}"

    def sign(self, text: bytes) -> bytes:
        return bytes.fromhex(self.account.sign_message(text.decode())[2:])


def options_of(vector: dict[str, Any]) -> SignatureOptions:
    """The options with which a vector was signed."""
    parameters: dict[str, str] = dict(
        part.split("=", 1) for part in vector["signatureInput"].split(")", 1)[1].split(";")[1:]
    )
    agent = vector["request"]["headers"].get("signature-agent", "").removeprefix("svc=").strip('"')
    return SignatureOptions(
        agent_id=vector["request"]["headers"]["x-svc-id"],
        tag=cast(SignatureTag, parameters["tag"].strip('"')),
        signature_agent=agent or None,
        now=lambda: int(parameters["created"]),
        create_nonce=lambda: str(parameters["nonce"].strip('"')),
    )


def sign_vector(vector: dict[str, Any]) -> dict[str, str]:
    """Signs the request of a vector as its sender did."""
    request = vector["request"]
    own = ("x-svc-id", "content-digest", "signature-agent")
    sent = {name: value for name, value in request["headers"].items() if name not in own}
    signer: AgentSigner
    if "ethereum" in vector:
        signer = EthereumSigner(vector["ethereum"])
    else:
        signer = AgentKey.from_jwk(vector["key"])
    body = request.get("body", "").encode()
    return sign_http_request(
        signer, request["method"], request["url"], headers=sent, body=body, options=options_of(vector)
    )


def verify_p256(jwk: dict[str, str], text: bytes, signature: bytes) -> None:
    """Raises unless the key made the signature, which is r and s."""
    x, y = (int.from_bytes(decode_base64url(jwk[name]) or b"", "big") for name in ("x", "y"))
    key = ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()
    r, s = (int.from_bytes(half, "big") for half in (signature[:32], signature[32:]))
    key.verify(encode_dss_signature(r, s), text, ec.ECDSA(hashes.SHA256()))


class SignedRequestVectors(unittest.TestCase):
    def test_a_request_is_signed_as_by_the_typescript_client(self) -> None:
        for name in ("ed25519-get", "ed25519-post", "p256-post", "erc8128-post"):
            with self.subTest(name):
                vector = read_vectors(name)
                signed = sign_vector(vector)
                self.assertEqual(signed["signature-input"], vector["signatureInput"])
                expected = {**vector["request"]["headers"]}
                own = {
                    name: signed[name]
                    for name in signed
                    if not name.startswith("signature") or name == "signature-agent"
                }
                self.assertEqual({**expected, **own}, expected)
                if name.startswith("ed25519"):
                    self.assertEqual(signed["signature"], vector["signature"])

    def test_a_p256_signature_is_r_and_s_over_the_same_text(self) -> None:
        vector = read_vectors("p256-post")
        key = AgentKey.from_jwk(vector["key"])
        text = vector["signatureBase"].encode()
        verify_p256(vector["key"], text, key.sign(text))
        self.assertEqual(key.keyid, vector["key"]["kid"])


class IntentVectors(unittest.TestCase):
    def test_an_intent_proof_is_the_same_as_by_the_typescript_client(self) -> None:
        for name in ("intent-ed25519", "intent-p256"):
            with self.subTest(name):
                vector = read_vectors(name)
                claims = vector["payload"]
                proof = create_intent_proof(
                    AgentKey.from_jwk(vector["key"]),
                    agent_id=claims["iss"],
                    audience=claims["aud"],
                    **{fact: claims[fact] for fact in ("purpose", "amount", "currency", "resource")},
                    body=vector["body"].encode(),
                    now=lambda claims=claims: claims["iat"],  # type: ignore[misc]
                    new_nonce=lambda claims=claims: claims["jti"],  # type: ignore[misc]
                )
                parsed = parse_compact_jws(proof)
                assert parsed is not None
                self.assertEqual((parsed.header, parsed.payload), (vector["header"], claims))
                if name == "intent-ed25519":
                    self.assertEqual(proof.split(".")[2], vector["proof"].split(".")[2])
                else:
                    verify_p256(vector["key"], parsed.signing_input, parsed.signature)
