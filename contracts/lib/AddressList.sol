// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

/**
 * @title Address lists
 * @notice Removes duplicates from a list given by a caller.
 */
library AddressList {
    /**
     * @notice Returns the list without duplicates, in order of first occurrence.
     * @dev An address higher than all earlier ones cannot be a duplicate, so a list in ascending order takes linear
     * time. Any other list takes quadratic time at worst.
     * @param list The list.
     * @return found Its distinct addresses.
     */
    function distinct(address[] memory list) internal pure returns (address[] memory found) {
        found = new address[](list.length);
        uint256 count = 0;
        address highest = address(0);
        for (uint256 i = 0; i < list.length; ++i) {
            address item = list[i];
            if (item <= highest && _contains(found, count, item)) continue;
            if (item > highest) highest = item;
            found[count] = item;
            ++count;
        }
        assembly ("memory-safe") {
            mstore(found, count)
        }
    }

    function _contains(address[] memory list, uint256 count, address item) private pure returns (bool) {
        for (uint256 i = 0; i < count; ++i) {
            if (list[i] == item) return true;
        }
        return false;
    }
}
