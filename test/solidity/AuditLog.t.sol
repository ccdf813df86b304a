// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

import {AuditLog} from "../../contracts/AuditLog.sol";
import {AuditLogActor} from "./AuditLogActor.sol";
import {NaiveTree} from "./NaiveTree.sol";

/// @notice No sequence of calls shrinks, forks or rewrites a log.
contract AuditLogTest {
    AuditLogActor private _actor;

    function setUp() public {
        _actor = new AuditLogActor();
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_actor);
    }

    function invariant_NoAttackIsAccepted() external view {
        require(_actor.attacksAccepted() == 0, _actor.lastAttackAccepted());
    }

    /// @dev The head equals that of the honestly grown tree, so every head is a prefix of all later ones.
    function invariant_HeadEqualsHonestTree() external view {
        for (uint256 i = 0; i < 2; ++i) {
            (uint64 batch, uint64 size, , bytes32 root, address operator) = _actor.log().head(_actor.logIdOf(i));
            bytes32[] memory leaves = _actor.leavesOf(i);
            require(size == leaves.length, "size");
            require(batch == _actor.batches(i), "batch");
            require(operator == _actor.operators(i), "operator");
            require(size == 0 || root == NaiveTree.root(leaves, size), "root");
        }
    }

    /// @dev An included entry stays included at its index.
    function invariant_EntriesStayIncluded() external view {
        for (uint256 i = 0; i < 2; ++i) {
            bytes32[] memory leaves = _actor.leavesOf(i);
            for (uint64 index = 0; index < leaves.length; index += 5) {
                bytes32[] memory proof = NaiveTree.inclusion(leaves, index, leaves.length);
                bool included = _actor.log().verifyInclusion(_actor.logIdOf(i), leaves[index], index, proof);
                require(included, "inclusion");
            }
        }
    }

    function testFuzz_OnlyTheTrueLeafIsIncluded(bytes32[16] memory fixedLeaves, uint8 choice, bytes32 other) external {
        bytes32[] memory leaves = new bytes32[](16);
        for (uint256 i = 0; i < 16; ++i) leaves[i] = fixedLeaves[i];
        uint64 size = 1 + (choice >> 4);
        uint64 index = (choice & 15) % size;
        AuditLog log = new AuditLog();
        bytes32 logId = bytes32(bytes20(address(this)));
        log.openLog(logId);
        log.anchor(logId, 1, 0, size, NaiveTree.root(leaves, size), new bytes32[](0));

        bytes32[] memory proof = NaiveTree.inclusion(leaves, index, size);
        require(log.verifyInclusion(logId, leaves[index], index, proof), "true leaf");
        require(other == leaves[index] || !log.verifyInclusion(logId, other, index, proof), "other leaf");
    }
}
