// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

/**
 * @title Mean of fixed-point numbers with different numbers of decimals
 * @notice Averages at 18 decimals and returns the mean with the most frequent number of decimals.
 */
library DecimalMean {
    /// @dev Running totals; `frequencies[d]` counts the numbers with `d` decimals.
    struct Tally {
        int256 sum;
        uint64 count;
        uint64[19] frequencies;
    }

    /**
     * @notice Adds a number.
     * @param tally Running totals; updated in place.
     * @param value The number, from -1e38 to 1e38.
     * @param decimals Number of decimals of the number, at most 18.
     */
    function add(Tally memory tally, int128 value, uint8 decimals) internal pure {
        tally.sum += value * _unit(decimals);
        ++tally.count;
        ++tally.frequencies[decimals];
    }

    /**
     * @notice Returns the mean, rounded towards zero.
     * @dev A mean that does not fit gets fewer decimals. With none it always fits, as 2^127 is above 1e38.
     * @param tally Totals of the numbers added.
     * @return value The mean; zero if nothing was added.
     * @return decimals The most frequent number of decimals, or the smallest of several equally frequent ones, unless
     * the mean needs fewer to fit.
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

    /// @dev Returns 10^-decimals as a fixed-point number with 18 decimals.
    function _unit(uint8 decimals) private pure returns (int256) {
        return int256(10 ** uint256(18 - decimals));
    }
}
