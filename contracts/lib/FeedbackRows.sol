// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

import {FeedbackRecord} from "./FeedbackRecord.sol";

/**
 * @title Feedback as parallel lists
 * @notice Holds the result of reading several feedback entries, which does not fit on the stack.
 */
library FeedbackRows {
    using FeedbackRecord for FeedbackRecord.Record;

    /// @dev Element `i` of every list describes the same feedback entry.
    struct Rows {
        address[] clients;
        uint64[] feedbackIndexes;
        int128[] values;
        uint8[] valueDecimals;
        string[] tag1s;
        string[] tag2s;
        bool[] revokedStatuses;
    }

    /**
     * @notice Allocates the lists.
     * @param count Number of feedback entries.
     * @return rows The lists.
     */
    function create(uint256 count) internal pure returns (Rows memory rows) {
        rows.clients = new address[](count);
        rows.feedbackIndexes = new uint64[](count);
        rows.values = new int128[](count);
        rows.valueDecimals = new uint8[](count);
        rows.tag1s = new string[](count);
        rows.tag2s = new string[](count);
        rows.revokedStatuses = new bool[](count);
    }

    /**
     * @notice Copies a record into the lists; the caller fills in client and index.
     * @param rows The lists; updated in place.
     * @param i Position in the lists.
     * @param record The feedback.
     */
    function fill(Rows memory rows, uint256 i, FeedbackRecord.Record storage record) internal view {
        (rows.values[i], rows.valueDecimals[i]) = (record.value, record.valueDecimals);
        (rows.tag1s[i], rows.tag2s[i]) = record.tagsOf();
        rows.revokedStatuses[i] = record.isRevoked;
    }
}
