// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

/**
 * @title Proofs over the Merkle tree of RFC 9162
 * @notice Verifies inclusion proofs (§2.1.3.2) and consistency proofs (§2.1.4.2). Both functions return false for an
 * invalid proof, including one that is too short or too long.
 * @dev The algorithms are those of the RFC with their case distinctions simplified. The path from a leaf to the root
 * first climbs through complete subtrees, with a sibling on every level, until it meets the right edge of the tree.
 * Along the edge, only levels on which the node's index is odd have a sibling, which is always the left one. Leaf index
 * and tree size thus determine the number of siblings, so the length of the proof is checked only once, at the end.
 * Reading past the end of a short proof yields whatever calldata follows it, and the final check then returns false.
 */
library MerkleTree {
    /**
     * @notice Verifies that the first `prevSize` leaves of the new tree are the leaves of the previous tree.
     * @param prevSize Number of leaves of the previous tree, at least one.
     * @param prevRoot Root of the previous tree.
     * @param newSize Number of leaves of the new tree, more than `prevSize`.
     * @param newRoot Root of the new tree.
     * @param proof PROOF(prevSize, D[newSize]).
     * @return consistent Whether the proof reproduces both roots.
     */
    function verifyConsistency(
        uint64 prevSize,
        bytes32 prevRoot,
        uint64 newSize,
        bytes32 newRoot,
        bytes32[] calldata proof
    ) internal view returns (bool consistent) {
        if (prevSize == 0 || newSize <= prevSize) return false;
        // Index of the last leaf of each tree, moved up to the largest complete subtree at the end of the previous
        // tree.
        uint256 prevNode = prevSize - 1;
        uint256 newNode = newSize - 1;
        while (prevNode & 1 == 1) {
            prevNode >>= 1;
            newNode >>= 1;
        }
        // The proof starts with that subtree, unless it is the whole previous tree, whose root is known.
        uint256 next = prevNode == 0 ? 0 : 1;
        bytes32 prevHash = prevNode == 0 ? prevRoot : _at(proof, 0);
        bytes32 newHash = prevHash;

        // A left sibling belongs to both trees, a right sibling only to the new one.
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
     * @notice Verifies that a leaf is in a tree at a given index.
     * @param leafHash Hash of the leaf, including the prefix.
     * @param index Index of the leaf, from 0.
     * @param size Number of leaves of the tree.
     * @param root Root of the tree.
     * @param proof PATH(index, D[size]).
     * @return included Whether the proof reproduces the root.
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
     * @notice Returns SHA-256(0x01 ‖ left ‖ right).
     * @dev Calls the precompile directly: the compiler's `sha256` would allocate memory for the 65 bytes of every node.
     * The input is written past the free memory pointer, which is not advanced, and the digest is returned in scratch
     * space. A failed call (out of gas) reverts; otherwise stale scratch space would be taken for the digest.
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

    /// @dev Skips the bounds check; the callers check the length of the whole proof once.
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

    /// @dev `node` must not be zero.
    function _withoutLowestBit(uint256 node) private pure returns (uint256) {
        unchecked {
            return node & (node - 1);
        }
    }
}
