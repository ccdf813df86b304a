// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

/// @notice Naive twin of the contract's Merkle tree, written as the recursive definitions of RFC 9162.
library NaiveTree {
    function root(bytes32[] memory leaves, uint256 size) internal pure returns (bytes32) {
        return _root(leaves, 0, size);
    }

    function inclusion(bytes32[] memory leaves, uint256 index, uint256 size) internal pure returns (bytes32[] memory) {
        return _path(leaves, index, 0, size);
    }

    function consistency(
        bytes32[] memory leaves,
        uint256 prevSize,
        uint256 newSize
    ) internal pure returns (bytes32[] memory) {
        return _subproof(leaves, prevSize, 0, newSize, true);
    }

    function _root(bytes32[] memory leaves, uint256 start, uint256 end) private pure returns (bytes32) {
        if (end - start == 1) return leaves[start];
        uint256 middle = start + _split(end - start);
        return sha256(abi.encodePacked(bytes1(0x01), _root(leaves, start, middle), _root(leaves, middle, end)));
    }

    function _path(
        bytes32[] memory leaves,
        uint256 index,
        uint256 start,
        uint256 end
    ) private pure returns (bytes32[] memory) {
        if (end - start == 1) return new bytes32[](0);
        uint256 middle = start + _split(end - start);
        if (index < middle) return _append(_path(leaves, index, start, middle), _root(leaves, middle, end));
        return _append(_path(leaves, index, middle, end), _root(leaves, start, middle));
    }

    function _subproof(
        bytes32[] memory leaves,
        uint256 prevEnd,
        uint256 start,
        uint256 end,
        bool complete
    ) private pure returns (bytes32[] memory) {
        if (prevEnd == end) {
            bytes32[] memory none = new bytes32[](0);
            return complete ? none : _append(none, _root(leaves, start, end));
        }
        uint256 middle = start + _split(end - start);
        if (prevEnd <= middle) {
            return _append(_subproof(leaves, prevEnd, start, middle, complete), _root(leaves, middle, end));
        }
        return _append(_subproof(leaves, prevEnd, middle, end, false), _root(leaves, start, middle));
    }

    function _append(bytes32[] memory hashes, bytes32 hash) private pure returns (bytes32[] memory longer) {
        longer = new bytes32[](hashes.length + 1);
        for (uint256 i = 0; i < hashes.length; ++i) longer[i] = hashes[i];
        longer[hashes.length] = hash;
    }

    function _split(uint256 size) private pure returns (uint256 power) {
        for (power = 1; power * 2 < size; power *= 2) {}
    }
}
