// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

import {FeedbackRecord} from "./FeedbackRecord.sol";

/**
 * @title Feedback as parallel lists
 * @notice What reading several feedbacks answers, which is too much for the stack.
 */
library FeedbackRows {
    using FeedbackRecord for FeedbackRecord.Record;

    /// @dev Entry `i` of every list belongs to the same feedback.
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
     * @notice Lists with room for a number of feedbacks.
     * @param count The number.
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
     * @notice Fills in what is stored of one feedback; its client and index are the caller's to fill in.
     * @param rows The lists; changed in place.
     * @param i Where.
     * @param record The feedback.
     */
    function fill(Rows memory rows, uint256 i, FeedbackRecord.Record storage record) internal view {
        (rows.values[i], rows.valueDecimals[i]) = (record.value, record.valueDecimals);
        (rows.tag1s[i], rows.tag2s[i]) = record.tagsOf();
        rows.revokedStatuses[i] = record.isRevoked;
    }
}
