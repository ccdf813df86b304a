// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

/**
 * @title Proofs over the Merkle tree of RFC 9162
 * @notice Verifies inclusion (§2.1.3.2) and consistency (§2.1.4.2). Every function answers false to a wrong proof,
 * also to one that is too short or too long.
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
        if (prevSize == 0 || newSize <= prevSize || proof.length == 0) return false;
        // Places of the last leaf of each tree, lifted to the level on which the proof begins.
        uint256 prevNode = prevSize - 1;
        uint256 newNode = newSize - 1;
        while (prevNode & 1 == 1) {
            prevNode >>= 1;
            newNode >>= 1;
        }
        // A former tree that is complete is itself the first node; its root is known and left out of the proof.
        uint256 next = prevNode == 0 ? 0 : 1;
        bytes32 prevHash = prevNode == 0 ? prevRoot : proof[0];
        bytes32 newHash = prevHash;

        for (; next < proof.length; ++next) {
            if (newNode == 0) return false;
            bytes32 sibling = proof[next];
            if (prevNode & 1 == 1 || prevNode == newNode) {
                // Until the trees part, both running hashes are the same: hash once.
                bool together = prevHash == newHash;
                newHash = hashNode(sibling, newHash);
                prevHash = together ? newHash : hashNode(sibling, prevHash);
                while (prevNode & 1 == 0 && prevNode != 0) {
                    prevNode >>= 1;
                    newNode >>= 1;
                }
            } else {
                newHash = hashNode(newHash, sibling);
            }
            prevNode >>= 1;
            newNode >>= 1;
        }
        return newNode == 0 && prevHash == prevRoot && newHash == newRoot;
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
        bytes32 hash = leafHash;

        for (uint256 next = 0; next < proof.length; ++next) {
            if (lastNode == 0) return false;
            if (node & 1 == 1 || node == lastNode) {
                hash = hashNode(proof[next], hash);
                while (node & 1 == 0 && node != 0) {
                    node >>= 1;
                    lastNode >>= 1;
                }
            } else {
                hash = hashNode(hash, proof[next]);
            }
            node >>= 1;
            lastNode >>= 1;
        }
        return lastNode == 0 && hash == root;
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
}
