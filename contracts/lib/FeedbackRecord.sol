// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

import {Bytes} from "@openzeppelin/contracts/utils/Bytes.sol";

/**
 * @title Stored feedback entry
 * @notice Packs value, tags and response counts into as few storage slots as possible.
 */
library FeedbackRecord {
    /**
     * @dev Takes one slot, and a second one if there are tags. `tags` is the first tag followed by the second; up to 31
     * bytes fit into the second slot. The total in `responses` makes a list of responders unnecessary.
     */
    struct Record {
        int128 value;
        uint8 valueDecimals;
        bool isRevoked;
        uint48 tag1Length;
        uint64 responses;
        bytes tags;
        mapping(address responder => uint64 count) responsesOf;
    }

    /// @dev Selects feedback; the hash of the empty string matches any tag.
    struct Filter {
        bytes32 tag1Hash;
        bytes32 tag2Hash;
        bool includeRevoked;
    }

    bytes32 private constant _ANY_TAG = keccak256("");

    /**
     * @notice Writes a new feedback entry.
     * @param record Record to write; must be empty.
     * @param value The value.
     * @param valueDecimals Number of decimals of the value.
     * @param tag1 First tag; must be shorter than 2^48 bytes, which no transaction could carry anyway.
     * @param tag2 Second tag.
     */
    function write(
        Record storage record,
        int128 value,
        uint8 valueDecimals,
        string memory tag1,
        string memory tag2
    ) internal {
        record.value = value;
        record.valueDecimals = valueDecimals;
        record.tag1Length = uint48(bytes(tag1).length);
        bytes memory tags = bytes.concat(bytes(tag1), bytes(tag2));
        if (tags.length > 0) record.tags = tags;
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
        uint256 tag1Length = record.tag1Length;
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
     * @notice Returns whether a feedback entry passes a filter.
     * @param record The feedback.
     * @param filter The filter.
     * @return isMatch Whether the feedback passes.
     */
    function matches(Record storage record, Filter memory filter) internal view returns (bool isMatch) {
        if (record.isRevoked && !filter.includeRevoked) return false;
        if (filter.tag1Hash == _ANY_TAG && filter.tag2Hash == _ANY_TAG) return true;
        (string memory tag1, string memory tag2) = tagsOf(record);
        if (filter.tag1Hash != _ANY_TAG && filter.tag1Hash != keccak256(bytes(tag1))) return false;
        return filter.tag2Hash == _ANY_TAG || filter.tag2Hash == keccak256(bytes(tag2));
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
        return Filter(keccak256(bytes(tag1)), keccak256(bytes(tag2)), includeRevoked);
    }
}
