// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

/**
 * @title Proofs over the Merkle tree of RFC 9162
 * @notice Verifies inclusion (§2.1.3.2) and consistency (§2.1.4.2). Every function answers false to a wrong proof,
 * also to one that is too short or too long.
 * @dev The algorithms of the RFC, with what their case distinctions come to: the path from a leaf to the root first
 * climbs among complete subtrees, taking a sibling on each level, until it meets the right edge of the tree; along the
 * edge only the levels on which the place is odd have a sibling, a left one. So the number of siblings is fixed by
 * place and size, and is compared with the proof's length once, at the end: reading past a proof that is too short
 * yields whatever follows it in the calldata, and false.
 */
library MerkleTree {
    /**
     * @notice Whether a tree extends another: its first `prevSize` leaves are the other's leaves.
     * @param prevSize Leaves of the former tree, at least one.
     * @param prevRoot Root of the former tree.
     * @param newSize Leaves of the new tree, more than `prevSize`.
     * @param newRoot Root of the new tree.
     * @param proof PROOF(prevSize, D[newSize]).
     * @return consistent Whether the proof leads to both roots.
     */
    function verifyConsistency(
        uint64 prevSize,
        bytes32 prevRoot,
        uint64 newSize,
        bytes32 newRoot,
        bytes32[] calldata proof
    ) internal view returns (bool consistent) {
        if (prevSize == 0 || newSize <= prevSize) return false;
        // Places of the last leaf of each tree, lifted to the largest complete subtree that ends the former tree.
        uint256 prevNode = prevSize - 1;
        uint256 newNode = newSize - 1;
        while (prevNode & 1 == 1) {
            prevNode >>= 1;
            newNode >>= 1;
        }
        // That subtree begins the proof, unless it is all of the former tree, whose root is known.
        uint256 next = prevNode == 0 ? 0 : 1;
        bytes32 prevHash = prevNode == 0 ? prevRoot : _at(proof, 0);
        bytes32 newHash = prevHash;

        // A left sibling belongs to both trees, a right one to the new tree only.
        for (; prevNode != newNode; prevNode >>= 1) {
            bytes32 sibling = _at(proof, next);
            if (prevNode & 1 == 0) {
                newHash = hashNode(newHash, sibling);
            } else {
                prevHash = hashNode(sibling, prevHash);
                newHash = hashNode(sibling, newHash);
            }
            newNode >>= 1;
            next = _increment(next);
        }
        for (; prevNode != 0; prevNode = _withoutLowestBit(prevNode)) {
            bytes32 sibling = _at(proof, next);
            prevHash = hashNode(sibling, prevHash);
            newHash = hashNode(sibling, newHash);
            next = _increment(next);
        }
        return next == proof.length && prevHash == prevRoot && newHash == newRoot;
    }

    /**
     * @notice Whether a leaf is at a place of a tree.
     * @param leafHash Hash of the leaf, prefix included.
     * @param index Place of the leaf, from 0.
     * @param size Leaves of the tree.
     * @param root Root of the tree.
     * @param proof PATH(index, D[size]).
     * @return included Whether the proof leads to the root.
     */
    function verifyInclusion(
        bytes32 leafHash,
        uint64 index,
        uint64 size,
        bytes32 root,
        bytes32[] calldata proof
    ) internal view returns (bool included) {
        if (index >= size) return false;
        uint256 node = index;
        uint256 lastNode = size - 1;
        uint256 next = 0;
        bytes32 hash = leafHash;

        for (; node != lastNode; node >>= 1) {
            bytes32 sibling = _at(proof, next);
            hash = node & 1 == 0 ? hashNode(hash, sibling) : hashNode(sibling, hash);
            lastNode >>= 1;
            next = _increment(next);
        }
        for (; node != 0; node = _withoutLowestBit(node)) {
            hash = hashNode(_at(proof, next), hash);
            next = _increment(next);
        }
        return next == proof.length && hash == root;
    }

    /**
     * @notice SHA-256(0x01 ‖ left ‖ right).
     * @dev The precompile is called by hand: the compiler's `sha256` would copy the 65 bytes into newly allocated
     * memory for every node. They are written beyond the free memory pointer, which stays where it is, and the digest
     * comes back in scratch space. A failed call (out of gas) reverts, else the scratch space's old content would be
     * taken for a digest.
     * @param left Hash of the left child.
     * @param right Hash of the right child.
     * @return digest Hash of the node.
     */
    function hashNode(bytes32 left, bytes32 right) internal view returns (bytes32 digest) {
        assembly ("memory-safe") {
            let preimage := mload(0x40)
            mstore8(preimage, 0x01)
            mstore(add(preimage, 0x01), left)
            mstore(add(preimage, 0x21), right)
            if iszero(staticcall(gas(), 0x02, preimage, 0x41, 0x00, 0x20)) {
                revert(0x00, 0x00)
            }
            digest := mload(0x00)
        }
    }

    /// @dev Without the check against the length, which is made once for the whole proof.
    function _at(bytes32[] calldata proof, uint256 index) private pure returns (bytes32 hash) {
        assembly ("memory-safe") {
            hash := calldataload(add(proof.offset, shl(5, index)))
        }
    }

    function _increment(uint256 next) private pure returns (uint256) {
        unchecked {
            return next + 1;
        }
    }

    /// @dev Of a number that is not zero.
    function _withoutLowestBit(uint256 node) private pure returns (uint256) {
        unchecked {
            return node & (node - 1);
        }
    }
}
