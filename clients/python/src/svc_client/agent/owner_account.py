"""The owner's Ethereum account."""

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed, decode_dss_signature

from ..signing.keccak import keccak256

_P = 2**256 - 2**32 - 977
_N = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
_G = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
)
_Point = tuple[int, int] | None


class OwnerAccount:
    """A secp256k1 key, which registers agents and requests their tokens; its address owns the agents.

    The private half is only used by OpenSSL; what is computed here, the address and the recovery bit, is public.
    Source: SEC 2 §2.4.1; EIP-191.
    """

    def __init__(self, private_key: str) -> None:
        """Takes `0x` and 64 hexadecimal digits. Raises ValueError for anything else."""
        digits = private_key.removeprefix("0x") if isinstance(private_key, str) else ""
        if len(digits) != 64:
            raise ValueError("expected a private key of 32 bytes in hexadecimal")
        self._key = ec.derive_private_key(int(digits, 16), ec.SECP256K1())
        numbers = self._key.public_key().public_numbers()
        self._point = (numbers.x, numbers.y)
        self.address = _write_address(
            keccak256(numbers.x.to_bytes(32, "big") + numbers.y.to_bytes(32, "big"))[12:]
        )

    def sign_message(self, message: str) -> str:
        """Signs a text by EIP-191 (`personal_sign`): `0x`, r, s and v in hexadecimal; s is in the lower half."""
        text = message.encode()
        digest = keccak256(b"\x19Ethereum Signed Message:\n" + str(len(text)).encode() + text)
        signature = self._key.sign(digest, ec.ECDSA(Prehashed(hashes.SHA256())))
        r, s = decode_dss_signature(signature)
        s = min(s, _N - s)
        return f"0x{r:064x}{s:064x}{27 + self._recovery_bit(digest, r, s):02x}"

    def _recovery_bit(self, digest: bytes, r: int, s: int) -> int:
        """Whether the y coordinate of the signature's point is odd. Source: SEC 1 §4.1.6."""
        inverse = pow(s, -1, _N)
        z = int.from_bytes(digest, "big")
        point = _add(_multiply(_G, z * inverse % _N), _multiply(self._point, r * inverse % _N))
        if point is None or point[0] % _N != r:
            raise ArithmeticError("the signature does not belong to the key")
        return point[1] % 2


def _add(a: _Point, b: _Point) -> _Point:
    if a is None or b is None:
        return a or b
    if a[0] == b[0]:
        if (a[1] + b[1]) % _P == 0:
            return None
        slope = 3 * a[0] * a[0] * pow(2 * a[1], -1, _P) % _P
    else:
        slope = (b[1] - a[1]) * pow(b[0] - a[0], -1, _P) % _P
    x = (slope * slope - a[0] - b[0]) % _P
    return x, (slope * (a[0] - x) - a[1]) % _P


def _multiply(point: _Point, times: int) -> _Point:
    total: _Point = None
    while times:
        if times & 1:
            total = _add(total, point)
        point = _add(point, point)
        times >>= 1
    return total


def _write_address(data: bytes) -> str:
    """In the case that checks it. Source: ERC-55."""
    digits = data.hex()
    checks = keccak256(digits.encode()).hex()
    return "0x" + "".join(
        digit.upper() if int(check, 16) >= 8 else digit for digit, check in zip(digits, checks, strict=False)
    )
