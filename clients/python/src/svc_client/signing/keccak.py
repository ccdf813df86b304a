"""Keccak-256, as Ethereum uses it. `hashlib.sha3_256` pads differently. Source: Keccak reference 3.0."""

_MASK = (1 << 64) - 1
_RATE_BYTES = 136
_ROUNDS = 24


def keccak256(data: bytes) -> bytes:
    """Returns the hash of bytes."""
    padded = bytearray(data)
    padded += b"\x01" + b"\x00" * (-(len(data) + 1) % _RATE_BYTES)
    padded[-1] |= 0x80
    lanes = [0] * 25
    for start in range(0, len(padded), _RATE_BYTES):
        for lane in range(_RATE_BYTES // 8):
            at = start + lane * 8
            lanes[lane] ^= int.from_bytes(padded[at : at + 8], "little")
        lanes = _permute(lanes)
    return b"".join(lane.to_bytes(8, "little") for lane in lanes[:4])


def _permute(lanes: list[int]) -> list[int]:
    """Lane x, y is at index x + 5 y."""
    register = 1
    for _ in range(_ROUNDS):
        columns = [lanes[x] ^ lanes[x + 5] ^ lanes[x + 10] ^ lanes[x + 15] ^ lanes[x + 20] for x in range(5)]
        spread = [columns[(x - 1) % 5] ^ _rotate(columns[(x + 1) % 5], 1) for x in range(5)]
        lanes = [lane ^ spread[index % 5] for index, lane in enumerate(lanes)]
        moved = [0] * 25
        for x in range(5):
            for y in range(5):
                moved[y + 5 * ((2 * x + 3 * y) % 5)] = _rotate(lanes[x + 5 * y], _OFFSETS[x + 5 * y])
        lanes = [
            moved[x + 5 * y] ^ (~moved[(x + 1) % 5 + 5 * y] & moved[(x + 2) % 5 + 5 * y] & _MASK)
            for y in range(5)
            for x in range(5)
        ]
        for bit in range(7):
            register = ((register << 1) ^ ((register >> 7) * 0x71)) % 256
            if register & 2:
                lanes[0] ^= 1 << ((1 << bit) - 1)
    return lanes


def _rotate(lane: int, bits: int) -> int:
    return ((lane << bits) | (lane >> (64 - bits))) & _MASK if bits else lane


def _list_offsets() -> list[int]:
    offsets, x, y = [0] * 25, 1, 0
    for step in range(24):
        offsets[x + 5 * y] = (step + 1) * (step + 2) // 2 % 64
        x, y = y, (2 * x + 3 * y) % 5
    return offsets


_OFFSETS = _list_offsets()
