"""Keys of an agent."""

import hashlib
import json
import os
import stat
import sys
from collections.abc import Mapping
from typing import Any, Literal, Protocol
from uuid import uuid4

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from ..encoding import decode_base64url, encode_base64url

KeyAlgorithm = Literal["ed25519", "ecdsa-p256-sha256"]
#: `kty`, `crv`, `x` and, for P-256, `y`.
PublicJwk = dict[str, str]

#: Permissions of users other than the owner.
_FOREIGN = 0o077


class AgentSigner(Protocol):
    """Signs for an agent. Any object with these members will do, such as one that asks a key management service."""

    @property
    def keyid(self) -> str:
        """The thumbprint of the key (RFC 7638), or `erc8128:<chainId>:<address>`."""

    @property
    def algorithm(self) -> KeyAlgorithm | None:
        """None for an Ethereum account."""

    def sign(self, text: bytes) -> bytes:
        """Signs bytes; P-256 keys return r and s, 32 bytes each."""


class AgentKey:
    """An Ed25519 or P-256 key. Source: RFC 7517; RFC 8037."""

    def __init__(self, key: Ed25519PrivateKey | ec.EllipticCurvePrivateKey) -> None:
        self._key = key
        self._public_jwk = _public_jwk_of(key)
        self._keyid = compute_thumbprint(self._public_jwk)

    @classmethod
    def generate(cls, algorithm: KeyAlgorithm = "ed25519") -> "AgentKey":
        """Generates a key, which is lost with the process unless it is stored; `open` stores one in a file."""
        if algorithm == "ed25519":
            return cls(Ed25519PrivateKey.generate())
        return cls(ec.generate_private_key(ec.SECP256R1()))

    @classmethod
    def from_jwk(cls, jwk: Mapping[str, Any]) -> "AgentKey":
        """Imports a private JWK.

        Raises ValueError for any other key, and for one whose halves do not belong together, with which every signature
        would fail.
        """
        key = cls(_import_private(jwk))
        if any(jwk.get(name) != value for name, value in key._public_jwk.items()):
            raise ValueError("the private key does not belong to the public key")
        return key

    @classmethod
    def open(cls, path: str | os.PathLike[str], algorithm: KeyAlgorithm = "ed25519") -> "AgentKey":
        """Opens the agent's key in a file, a private JWK, or generates a key and writes it there.

        Only the owner of the file may read it (mode 0600). Of several processes that start at once, one writes the key and
        all use it. Raises PermissionError if other users may read the file, except on Windows, and ValueError if it
        contains no key.
        """
        try:
            return cls._read(path)
        except FileNotFoundError:
            cls.generate(algorithm)._write(path)
            return cls._read(path)

    @property
    def keyid(self) -> str:
        """The JWK thumbprint of the key."""
        return self._keyid

    @property
    def algorithm(self) -> KeyAlgorithm:
        """The only algorithm of keys on this curve."""
        return "ed25519" if isinstance(self._key, Ed25519PrivateKey) else "ecdsa-p256-sha256"

    @property
    def public_jwk(self) -> PublicJwk:
        """The public half, for `keys` of the registration."""
        return dict(self._public_jwk)

    def sign(self, text: bytes) -> bytes:
        """Signs bytes."""
        if isinstance(self._key, Ed25519PrivateKey):
            return self._key.sign(text)
        r, s = decode_dss_signature(self._key.sign(text, ec.ECDSA(hashes.SHA256())))
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")

    @classmethod
    def _read(cls, path: str | os.PathLike[str]) -> "AgentKey":
        with open(path, encoding="utf-8") as file:
            mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
            if mode & _FOREIGN and sys.platform != "win32":
                raise PermissionError(
                    f"other users may read {path}, which contains a private key: chmod 600 {path}"
                )
            text = file.read()
        try:
            return cls.from_jwk(json.loads(text))
        except (ValueError, AttributeError) as cause:
            raise ValueError(
                f"{path} does not contain a private JWK with the curve Ed25519 or P-256"
            ) from cause

    def _write(self, path: str | os.PathLike[str]) -> None:
        """Writes to a temporary file first: no process ever reads half a key, and none replaces the key of another."""
        temporary = f"{os.fspath(path)}.{uuid4()}"
        try:
            with open(
                os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8"
            ) as file:
                file.write(json.dumps({**self._public_jwk, "d": _private_part_of(self._key)}) + "\n")
            os.link(temporary, path)
        except FileExistsError:
            pass
        finally:
            if os.path.exists(temporary):
                os.remove(temporary)


def compute_thumbprint(jwk: Mapping[str, str]) -> str:
    """Computes the identifier of a key: SHA-256 of the members that define it, in order. Source: RFC 7638 §3."""
    members = {name: jwk[name] for name in ("crv", "kty", "x", "y") if name in jwk}
    text = json.dumps(members, separators=(",", ":"), ensure_ascii=False)
    return encode_base64url(hashlib.sha256(text.encode()).digest())


def _public_jwk_of(key: Ed25519PrivateKey | ec.EllipticCurvePrivateKey) -> PublicJwk:
    if isinstance(key, Ed25519PrivateKey):
        x = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        return {"kty": "OKP", "crv": "Ed25519", "x": encode_base64url(x)}
    point = key.public_key().public_numbers()
    coordinates = {
        name: encode_base64url(value.to_bytes(32, "big")) for name, value in (("x", point.x), ("y", point.y))
    }
    return {"kty": "EC", "crv": "P-256", **coordinates}


def _private_part_of(key: Ed25519PrivateKey | ec.EllipticCurvePrivateKey) -> str:
    if isinstance(key, Ed25519PrivateKey):
        return encode_base64url(key.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption()))
    return encode_base64url(key.private_numbers().private_value.to_bytes(32, "big"))


def _import_private(jwk: Mapping[str, Any]) -> Ed25519PrivateKey | ec.EllipticCurvePrivateKey:
    d = decode_base64url(jwk["d"]) if isinstance(jwk.get("d"), str) else None
    if d is not None and len(d) == 32:
        if jwk.get("kty") == "OKP" and jwk.get("crv") == "Ed25519":
            return Ed25519PrivateKey.from_private_bytes(d)
        if jwk.get("kty") == "EC" and jwk.get("crv") == "P-256":
            return ec.derive_private_key(int.from_bytes(d, "big"), ec.SECP256R1())
    raise ValueError("expected a private Ed25519 or P-256 key")
