// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

/**
 * @title Lists of addresses
 * @notice Takes out of a caller's list what stands in it twice.
 */
library AddressList {
    /**
     * @notice The list without its repetitions, in its order.
     * @dev An address above all before it is new without a search: a list in ascending order costs linear time, any
     * other at worst quadratic.
     * @param list The list.
     * @return found Each of its addresses where it first stands.
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
