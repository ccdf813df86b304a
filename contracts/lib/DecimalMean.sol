// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

/**
 * @title Mean of numbers with different numbers of decimals
 * @notice Averages at 18 decimals and answers at the most frequent number of decimals.
 */
library DecimalMean {
    /// @dev What was added so far; `frequencies` counts the numbers by their decimals.
    struct Tally {
        int256 sum;
        uint64 count;
        uint64[19] frequencies;
    }

    /**
     * @notice Adds a number.
     * @param tally What was added so far; changed in place.
     * @param value The number, within 1e38 either way.
     * @param decimals How many of its digits are behind the point, at most 18.
     */
    function add(Tally memory tally, int128 value, uint8 decimals) internal pure {
        tally.sum += value * _unit(decimals);
        ++tally.count;
        ++tally.frequencies[decimals];
    }

    /**
     * @notice The mean, rounded towards zero.
     * @dev At fewer decimals when it does not fit. Without decimals it does: 2^127 is above 1e38.
     * @param tally What was added.
     * @return value The mean; zero when nothing was added.
     * @return decimals The most frequent number of decimals, the smallest of those that are equally frequent.
     */
    function mean(Tally memory tally) internal pure returns (int128 value, uint8 decimals) {
        if (tally.count == 0) return (0, 0);
        decimals = _mode(tally.frequencies);
        int256 exact = tally.sum / int256(uint256(tally.count));
        int256 rounded = exact / _unit(decimals);
        while (rounded > type(int128).max || rounded < type(int128).min) rounded = exact / _unit(--decimals);
        value = int128(rounded);
    }

    function _mode(uint64[19] memory frequencies) private pure returns (uint8 mode) {
        for (uint8 decimals = 1; decimals < 19; ++decimals) {
            if (frequencies[decimals] > frequencies[mode]) mode = decimals;
        }
    }

    /// @dev One unit of the last of so many decimals, at 18 decimals.
    function _unit(uint8 decimals) private pure returns (int256) {
        return int256(10 ** uint256(18 - decimals));
    }
}
