// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

import {Bytes} from "@openzeppelin/contracts/utils/Bytes.sol";

/**
 * @title Stored feedback entry
 * @notice Packs value, tags and response counts into as few storage slots as possible.
 */
library FeedbackRecord {
    /**
     * @dev Takes one slot, a second one if there are tags, and never more than two separate strings would. `tags` is
     * the first tag followed by the second, which share a slot up to 31 bytes. Two tags that would each fit into a
     * slot but not into one together are stored apart: the second in `tag2`, and its length, otherwise zero, in
     * `tag2Length`. The total in `responses` makes a list of responders unnecessary.
     */
    struct Record {
        int128 value;
        uint8 valueDecimals;
        bool isRevoked;
        uint40 tag1Length;
        uint8 tag2Length;
        uint64 responses;
        bytes tags;
        bytes32 tag2;
        mapping(address responder => uint64 count) responsesOf;
    }

    /// @dev Selects feedback. A tag is given by length, first 32 bytes and hash; length zero matches any tag.
    struct Filter {
        uint256 tag1Length;
        uint256 tag2Length;
        bytes32 tag1Start;
        bytes32 tag2Start;
        bytes32 tag1Hash;
        bytes32 tag2Hash;
        bool includeRevoked;
    }

    /// @dev The longest string that shares its storage slot with its length.
    uint256 private constant _SHORT_MAX = 31;

    /**
     * @notice Writes a new feedback entry.
     * @param record Record to write; must be empty.
     * @param value The value.
     * @param valueDecimals Number of decimals of the value.
     * @param tag1 First tag; must be shorter than 2^40 bytes, which no transaction could carry anyway.
     * @param tag2 Second tag.
     */
    function write(
        Record storage record,
        int128 value,
        uint8 valueDecimals,
        string memory tag1,
        string memory tag2
    ) internal {
        (uint256 length1, uint256 length2) = (bytes(tag1).length, bytes(tag2).length);
        bool isApart = length1 <= _SHORT_MAX && length2 <= _SHORT_MAX && length1 + length2 > _SHORT_MAX;
        record.value = value;
        record.valueDecimals = valueDecimals;
        record.tag1Length = uint40(length1);
        record.tag2Length = isApart ? uint8(length2) : 0;
        if (isApart) {
            record.tags = bytes(tag1);
            record.tag2 = bytes32(bytes(tag2));
        } else if (length1 + length2 > 0) {
            record.tags = bytes.concat(bytes(tag1), bytes(tag2));
        }
    }

    /**
     * @notice Counts a response.
     * @param record The feedback.
     * @param responder Account that responded.
     */
    function addResponse(Record storage record, address responder) internal {
        ++record.responses;
        ++record.responsesOf[responder];
    }

    /**
     * @notice Returns the tags of a feedback entry.
     * @param record The feedback.
     * @return tag1 First tag.
     * @return tag2 Second tag.
     */
    function tagsOf(Record storage record) internal view returns (string memory tag1, string memory tag2) {
        bytes memory tags = record.tags;
        uint256 tag2Length = record.tag2Length;
        if (tag2Length > 0) return (string(tags), string(Bytes.slice(abi.encode(record.tag2), 0, tag2Length)));
        uint256 tag1Length = record.tag1Length;
        if (tag1Length == tags.length) return (string(tags), "");
        return (string(Bytes.slice(tags, 0, tag1Length)), string(Bytes.slice(tags, tag1Length)));
    }

    /**
     * @notice Returns the number of responses.
     * @param record The feedback.
     * @param responders Responders whose responses count, without duplicates; empty for all.
     * @return count Number of responses.
     */
    function countResponses(Record storage record, address[] memory responders) internal view returns (uint64 count) {
        if (responders.length == 0) return record.responses;
        for (uint256 i = 0; i < responders.length; ++i) count += record.responsesOf[responders[i]];
    }

    /**
     * @notice Returns what a mean needs of a feedback entry, which is read from storage at once.
     * @param record The feedback.
     * @return value The value.
     * @return valueDecimals Number of decimals of the value.
     * @return isRevoked Whether the feedback was revoked.
     */
    function valueOf(
        Record storage record
    ) internal view returns (int128 value, uint8 valueDecimals, bool isRevoked) {
        return (record.value, record.valueDecimals, record.isRevoked);
    }

    /**
     * @notice Returns whether a feedback entry passes a filter.
     * @param record The feedback.
     * @param filter The filter.
     * @return isMatch Whether the feedback passes.
     */
    function matches(Record storage record, Filter memory filter) internal view returns (bool isMatch) {
        return (filter.includeRevoked || !record.isRevoked) && hasTags(record, filter);
    }

    /**
     * @notice Returns whether a feedback entry, revoked or not, has the tags of a filter.
     * @dev Short tags are compared in their storage words, without copying them to memory.
     * @param record The feedback.
     * @param filter The filter.
     * @return isMatch Whether the tags match.
     */
    function hasTags(Record storage record, Filter memory filter) internal view returns (bool isMatch) {
        if (filter.tag1Length == 0 && filter.tag2Length == 0) return true;
        uint256 length1 = record.tag1Length;
        if (filter.tag1Length > 0 && filter.tag1Length != length1) return false;
        bytes32 word = _tagsWord(record);
        if (uint256(word) & 1 == 1) return _matchesLong(record, filter);
        if (filter.tag1Length > 0 && _start(word, length1) != filter.tag1Start) return false;
        if (filter.tag2Length == 0) return true;
        uint256 length2 = record.tag2Length;
        if (length2 > 0) return length2 == filter.tag2Length && record.tag2 == filter.tag2Start;
        length2 = uint8(uint256(word)) / 2 - length1;
        return length2 == filter.tag2Length && _start(word << (8 * length1), length2) == filter.tag2Start;
    }

    /**
     * @notice Builds a filter.
     * @param tag1 First tag the feedback must have; empty for any.
     * @param tag2 Second tag the feedback must have; empty for any.
     * @param includeRevoked Whether revoked feedback passes.
     * @return filter The filter.
     */
    function filterOf(
        string memory tag1,
        string memory tag2,
        bool includeRevoked
    ) internal pure returns (Filter memory filter) {
        (filter.tag1Length, filter.tag2Length) = (bytes(tag1).length, bytes(tag2).length);
        (filter.tag1Start, filter.tag2Start) = (bytes32(bytes(tag1)), bytes32(bytes(tag2)));
        (filter.tag1Hash, filter.tag2Hash) = (keccak256(bytes(tag1)), keccak256(bytes(tag2)));
        filter.includeRevoked = includeRevoked;
    }

    /// @dev Frees the copies of the tags, because the cost of memory grows with the square of its size.
    function _matchesLong(Record storage record, Filter memory filter) private view returns (bool isMatch) {
        uint256 free;
        assembly ("memory-safe") {
            free := mload(0x40)
        }
        (string memory tag1, string memory tag2) = tagsOf(record);
        isMatch =
            (filter.tag1Length == 0 || filter.tag1Hash == keccak256(bytes(tag1))) &&
            (filter.tag2Length == 0 || filter.tag2Hash == keccak256(bytes(tag2)));
        assembly ("memory-safe") {
            mstore(0x40, free)
        }
    }

    /// @dev The storage word of `tags`: up to 31 bytes and twice their number, or an odd number if they are longer.
    function _tagsWord(Record storage record) private view returns (bytes32 word) {
        bytes storage tags = record.tags;
        assembly ("memory-safe") {
            word := sload(tags.slot)
        }
    }

    /// @dev Clears everything after the first bytes; fewer than 32.
    function _start(bytes32 word, uint256 length) private pure returns (bytes32) {
        return word & ~bytes32(type(uint256).max >> (8 * length));
    }
}
