// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

import {ReputationRegistry} from "../../contracts/ReputationRegistry.sol";
import {NaiveFeedback} from "./NaiveFeedback.sol";
import {ReputationRegistryActor} from "./ReputationRegistryActor.sol";

/// @notice Feedback is permanent, listed in order, and summarised as by the naive twin.
contract ReputationRegistryTest {
    ReputationRegistryActor private _actor;

    function setUp() public {
        _actor = new ReputationRegistryActor();
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_actor);
    }

    function invariant_NoAttackIsAccepted() external view {
        require(_actor.attacksAccepted() == 0, _actor.lastAttackAccepted());
    }

    /// @dev Indexes start at 1 without gaps, and entries stay as given unless revoked.
    function invariant_IndicesAreDense() external view {
        ReputationRegistry registry = _actor.registry();
        for (uint256 agentId = 1; agentId <= 2; ++agentId) {
            NaiveFeedback.Given[] memory given = _actor.givenOn(agentId);
            for (uint256 who = 0; who < 4; ++who) {
                address client = _actor.clientOf(who);
                require(registry.getLastIndex(agentId, client) == NaiveFeedback.lastIndex(given, client), "last");
            }
            for (uint256 i = 0; i < given.length; ++i) _requireAsGiven(registry, agentId, given[i]);
        }
    }

    function invariant_ClientsAreListedOnce() external view {
        ReputationRegistry registry = _actor.registry();
        for (uint256 agentId = 1; agentId <= 2; ++agentId) {
            address[] memory clients = NaiveFeedback.clientsOf(_actor.givenOn(agentId));
            require(_hash(registry.getClients(agentId)) == _hash(clients), "clients");
            require(_hash(registry.getClients(agentId, 0, 1 + (_actor.calls() % 9))) == _hash(_first(clients)), "page");
        }
    }

    /// @dev For one, several and all clients, in any order and with duplicates, under any tags.
    function invariant_SummariesEqualTwin() external view {
        uint256 seed = uint256(keccak256(abi.encode(_actor.calls())));
        address[] memory clients = new address[](1 + (seed % 6));
        for (uint256 i = 0; i < clients.length; ++i) clients[i] = _actor.clientOf(seed >> (8 + 8 * i));
        (string memory tag1, string memory tag2) = (_tag(seed >> 64), _tag(seed >> 72));
        for (uint256 agentId = 1; agentId <= 2; ++agentId) {
            (uint64 count, int128 value, uint8 decimals) = _actor.registry().getSummary(agentId, clients, tag1, tag2);
            (uint64 twinCount, int128 twinValue, uint8 twinDecimals) = NaiveFeedback.summary(
                _actor.givenOn(agentId),
                clients,
                tag1,
                tag2
            );
            require(count == twinCount, "count");
            require(value == twinValue && decimals == twinDecimals, "value");
        }
    }

    function invariant_ResponsesAreCounted() external view {
        uint256 seed = _actor.calls();
        address[] memory responders = new address[](seed % 3);
        for (uint256 i = 0; i < responders.length; ++i) responders[i] = _actor.insiderOf(seed >> (2 * i));
        address client = seed % 5 == 0 ? address(0) : _actor.clientOf(seed);
        uint64 index = uint64(seed % 4);
        for (uint256 agentId = 1; agentId <= 2; ++agentId) {
            uint64 count = _actor.registry().getResponseCount(agentId, client, index, responders);
            NaiveFeedback.Response[] memory all = _actor.responsesOn(agentId);
            require(count == NaiveFeedback.responses(all, client, index, responders), "responses");
        }
    }

    function _requireAsGiven(
        ReputationRegistry registry,
        uint256 agentId,
        NaiveFeedback.Given memory given
    ) private view {
        (int128 value, uint8 decimals, string memory tag1, string memory tag2, bool isRevoked) = registry.readFeedback(
            agentId,
            given.client,
            given.index
        );
        require(value == given.value && decimals == given.decimals, "value");
        require(keccak256(abi.encode(tag1, tag2)) == keccak256(abi.encode(given.tag1, given.tag2)), "tags");
        require(isRevoked == given.isRevoked, "revoked");
    }

    /// @dev Usually the empty tag, which means any.
    function _tag(uint256 seed) private view returns (string memory) {
        return seed & 4 == 0 ? "" : _actor.tagOf(seed);
    }

    function _first(address[] memory list) private view returns (address[] memory page) {
        uint256 limit = 1 + (_actor.calls() % 9);
        page = new address[](limit < list.length ? limit : list.length);
        for (uint256 i = 0; i < page.length; ++i) page[i] = list[i];
    }

    function _hash(address[] memory list) private pure returns (bytes32) {
        return keccak256(abi.encode(list));
    }
}
