// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

/// @notice Naive twin of the registry: feedback in a plain list that every query scans completely.
library NaiveFeedback {
    struct Given {
        address client;
        uint64 index;
        int128 value;
        uint8 decimals;
        string tag1;
        string tag2;
        bool isRevoked;
    }

    struct Response {
        address client;
        uint64 index;
        address responder;
    }

    function lastIndex(Given[] memory all, address client) internal pure returns (uint64 last) {
        for (uint256 i = 0; i < all.length; ++i) {
            if (all[i].client == client) ++last;
        }
    }

    /// @dev In the order of each client's first feedback.
    function clientsOf(Given[] memory all) internal pure returns (address[] memory clients) {
        for (uint256 i = 0; i < all.length; ++i) {
            if (all[i].index != 1) continue;
            address[] memory longer = new address[](clients.length + 1);
            for (uint256 k = 0; k < clients.length; ++k) longer[k] = clients[k];
            longer[clients.length] = all[i].client;
            clients = longer;
        }
    }

    /// @dev The mean in exact fractions; duplicate clients count once.
    function summary(
        Given[] memory all,
        address[] memory clients,
        string memory tag1,
        string memory tag2
    ) internal pure returns (uint64 count, int128 value, uint8 decimals) {
        int256 sum = 0;
        uint256[19] memory frequencies;
        for (uint256 i = 0; i < all.length; ++i) {
            Given memory one = all[i];
            if (one.isRevoked || !_isListed(clients, one.client)) continue;
            if (!_matches(tag1, one.tag1) || !_matches(tag2, one.tag2)) continue;
            sum += one.value * int256(10 ** (18 - one.decimals));
            ++frequencies[one.decimals];
            ++count;
        }
        if (count == 0) return (0, 0, 0);
        decimals = _smallestMode(frequencies);
        int256 mean = sum / int256(uint256(count));
        int256 rounded = mean / int256(10 ** (18 - decimals));
        while (rounded != int128(rounded)) rounded = mean / int256(10 ** (18 - --decimals));
        value = int128(rounded);
    }

    function responses(
        Response[] memory all,
        address client,
        uint64 index,
        address[] memory responders
    ) internal pure returns (uint64 count) {
        for (uint256 i = 0; i < all.length; ++i) {
            if (client != address(0) && all[i].client != client) continue;
            if (client != address(0) && index != 0 && all[i].index != index) continue;
            if (responders.length == 0 || _isListed(responders, all[i].responder)) ++count;
        }
    }

    function _smallestMode(uint256[19] memory frequencies) private pure returns (uint8 mode) {
        uint256 highest = 0;
        for (uint8 d = 0; d < 19; ++d) if (frequencies[d] > highest) highest = frequencies[d];
        while (frequencies[mode] != highest) ++mode;
    }

    function _matches(string memory wanted, string memory tag) private pure returns (bool) {
        return bytes(wanted).length == 0 || keccak256(bytes(wanted)) == keccak256(bytes(tag));
    }

    function _isListed(address[] memory list, address item) private pure returns (bool) {
        for (uint256 i = 0; i < list.length; ++i) if (list[i] == item) return true;
        return false;
    }
}
