"""Proofs of audit records. Source: docs/auditing.md; RFC 9162 §2.1.3."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any


def verify_audit_proof(document: Mapping[str, Any]) -> bool:
    """Checks a response of `GET /api/audit/records/:id/proof` as far as possible without the chain; never raises.

    The leaf hash is recomputed from the bytes of the entry, and the root from leaf and proof. Only the chain shows that the
    root was anchored.
    """
    try:
        entry = base64.b64decode(document["entry"], validate=True)
        leaf = hashlib.sha256(b"\x00" + entry).digest()
        proof = [_read_hash(one) for one in document["inclusionProof"]]
        root = _read_hash(document["root"])
        is_leaf = _read_hash(document["leafHash"]) == leaf
        return is_leaf and verify_inclusion(leaf, document["index"], document["treeSize"], proof, root)
    except (KeyError, TypeError, ValueError):
        return False


def verify_inclusion(leaf: bytes, index: int, tree_size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether the leaf is at `index` in the log of `tree_size` leaves with this root. Source: RFC 9162 §2.1.3.2."""
    if not 0 <= index < tree_size:
        return False
    first, last, node = index, tree_size - 1, leaf
    for sibling in proof:
        if last == 0:
            return False
        if first % 2 == 1 or first == last:
            node = _hash_node(sibling, node)
            while first % 2 == 0 and first != 0:
                first //= 2
                last //= 2
        else:
            node = _hash_node(node, sibling)
        first //= 2
        last //= 2
    return last == 0 and node == root


def _hash_node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def _read_hash(text: object) -> bytes:
    if not isinstance(text, str):
        raise TypeError("a hash is written in hexadecimal digits")
    data = bytes.fromhex(text.removeprefix("0x"))
    if len(data) != 32:
        raise ValueError("a hash has 32 bytes")
    return data
