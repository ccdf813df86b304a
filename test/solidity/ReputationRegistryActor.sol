// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

import {IdentityRegistry} from "../../contracts/IdentityRegistry.sol";
import {ReputationRegistry} from "../../contracts/ReputationRegistry.sol";
import {NaiveFeedback} from "./NaiveFeedback.sol";
import {vm} from "./Vm.sol";

/**
 * @notice Four clients give, revoke and respond to feedback on two agents, and attempt what is forbidden. The test
 * runner calls the functions in any order with any arguments.
 * @dev Records all feedback and all responses.
 */
contract ReputationRegistryActor {
    uint256 private constant _FEEDBACK_MAX = 24;
    int128 private constant _VALUE_MAX = 1e38;

    IdentityRegistry public immutable identities = new IdentityRegistry();
    ReputationRegistry public immutable registry = new ReputationRegistry(address(identities));

    /// @notice Number of calls, which seeds the queries that the invariants make.
    uint256 public calls;
    uint256 public attacksAccepted;
    string public lastAttackAccepted;

    mapping(uint256 agentId => NaiveFeedback.Given[] given) private _given;
    mapping(uint256 agentId => NaiveFeedback.Response[] responses) private _responses;

    constructor() {
        for (uint256 agentId = 1; agentId <= 2; ++agentId) {
            vm.prank(insiderOf(0));
            identities.register("ipfs://file");
            give(agentId, 0, _VALUE_MAX, 0, 0, 0);
        }
        vm.prank(insiderOf(0));
        identities.setApprovalForAll(insiderOf(1), true);
        for (uint256 agentId = 1; agentId <= 2; ++agentId) {
            vm.prank(insiderOf(0));
            identities.approve(insiderOf(2), agentId);
        }
    }

    function clientOf(uint256 who) public pure returns (address) {
        return address(uint160(0xC0 + (who % 4)));
    }

    /// @dev Owner, operator and approved account of both agents, who cannot rate them.
    function insiderOf(uint256 who) public pure returns (address) {
        return address(uint160(0xA0 + (who % 3)));
    }

    /// @dev Empty, short, and longer than a slot.
    function tagOf(uint256 which) public pure returns (string memory) {
        return ["", "a", "ab", "a tag that does not fit in one slot"][which % 4];
    }

    function givenOn(uint256 agentId) external view returns (NaiveFeedback.Given[] memory) {
        return _given[agentId];
    }

    function responsesOn(uint256 agentId) external view returns (NaiveFeedback.Response[] memory) {
        return _responses[agentId];
    }

    // Permitted actions, which must always succeed.

    function give(uint256 agentId, uint256 who, int128 value, uint8 decimals, uint256 tag1, uint256 tag2) public {
        ++calls;
        agentId = _pickAgent(agentId);
        if (_given[agentId].length >= _FEEDBACK_MAX) return;
        value = _withinBounds(value);
        decimals %= 19;
        vm.prank(clientOf(who));
        registry.giveFeedback(agentId, value, decimals, tagOf(tag1), tagOf(tag2), "", "", 0);
        uint64 index = NaiveFeedback.lastIndex(_given[agentId], clientOf(who)) + 1;
        _given[agentId].push(
            NaiveFeedback.Given(clientOf(who), index, value, decimals, tagOf(tag1), tagOf(tag2), false)
        );
    }

    function revoke(uint256 agentId, uint256 which) external {
        ++calls;
        agentId = _pickAgent(agentId);
        NaiveFeedback.Given storage given = _given[agentId][which % _given[agentId].length];
        if (given.isRevoked) return;
        vm.prank(given.client);
        registry.revokeFeedback(agentId, given.index);
        given.isRevoked = true;
    }

    function respond(uint256 agentId, uint256 which, uint256 who) external {
        ++calls;
        agentId = _pickAgent(agentId);
        NaiveFeedback.Given storage given = _given[agentId][which % _given[agentId].length];
        address responder = who % 2 == 0 ? clientOf(who / 2) : insiderOf(who / 2);
        vm.prank(responder);
        registry.appendResponse(agentId, given.client, given.index, "ipfs://response", 0);
        _responses[agentId].push(NaiveFeedback.Response(given.client, given.index, responder));
    }

    // Attacks, which must never succeed.

    function exaggerate(uint256 agentId, uint256 who, int128 value, uint8 decimals) external {
        agentId = _pickAgent(agentId);
        int128[4] memory outside = [_VALUE_MAX + 1, -_VALUE_MAX - 1, type(int128).max, type(int128).min];
        int128 extreme = outside[uint128(value) % 4];
        _attack("value", clientOf(who), _giveCall(agentId, extreme, decimals % 19));
        if (value > _VALUE_MAX || value < -_VALUE_MAX) {
            _attack("any value", clientOf(who), _giveCall(agentId, value, 0));
        }
        _attack("decimals", clientOf(who), _giveCall(agentId, 1, decimals % 2 == 0 || decimals < 19 ? 19 : decimals));
    }

    function praiseOneself(uint256 agentId, uint256 who, int128 value) external {
        _attack("praise", insiderOf(who), _giveCall(_pickAgent(agentId), _withinBounds(value), 0));
    }

    function invent(uint256 agentId, uint256 who, uint64 index) external {
        if (agentId == 0 || agentId > 2) _attack("unknown agent", clientOf(who), _giveCall(agentId, 1, 0));
        agentId = _pickAgent(agentId);
        uint64 lastIndex = NaiveFeedback.lastIndex(_given[agentId], clientOf(who));
        if (index != 0 && index <= lastIndex) index += lastIndex;
        _attack("revoke unknown", clientOf(who), abi.encodeCall(registry.revokeFeedback, (agentId, index)));
        _attack(
            "respond to unknown",
            clientOf(who),
            abi.encodeCall(registry.appendResponse, (agentId, clientOf(who), index, "ipfs://response", 0))
        );
    }

    function revokeAgain(uint256 agentId, uint256 which) external {
        agentId = _pickAgent(agentId);
        NaiveFeedback.Given storage given = _given[agentId][which % _given[agentId].length];
        if (!given.isRevoked) return;
        _attack("revoke again", given.client, abi.encodeCall(registry.revokeFeedback, (agentId, given.index)));
    }

    function respondWithNothing(uint256 agentId, uint256 which) external {
        agentId = _pickAgent(agentId);
        NaiveFeedback.Given storage given = _given[agentId][which % _given[agentId].length];
        bytes memory data = abi.encodeCall(registry.appendResponse, (agentId, given.client, given.index, "", 0));
        _attack("empty response", given.client, data);
    }

    function _attack(string memory name, address caller, bytes memory data) private {
        vm.prank(caller);
        (bool ok, ) = address(registry).call(data);
        if (!ok) return;
        ++attacksAccepted;
        lastAttackAccepted = name;
    }

    function _giveCall(uint256 agentId, int128 value, uint8 decimals) private view returns (bytes memory) {
        return abi.encodeCall(registry.giveFeedback, (agentId, value, decimals, "", "", "", "", 0));
    }

    /// @dev Maps other values into the range, often to a bound.
    function _withinBounds(int128 value) private pure returns (int128) {
        if (value % 4 == 0) return value < 0 ? -_VALUE_MAX : _VALUE_MAX;
        return value % (_VALUE_MAX + 1);
    }

    function _pickAgent(uint256 seed) private pure returns (uint256 agentId) {
        return seed == 1 || seed == 2 ? seed : 1 + (seed % 2);
    }
}
