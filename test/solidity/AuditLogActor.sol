// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

import {AuditLog} from "../../contracts/AuditLog.sol";
import {NaiveTree} from "./NaiveTree.sol";
import {vm} from "./Vm.sol";

/**
 * @notice Grows two logs honestly, transfers them, and attacks them in every way open to a caller. The test runner
 * calls its functions in any order with any arguments.
 */
contract AuditLogActor {
    struct Anchor {
        uint64 batch;
        uint64 prevSize;
        uint64 newSize;
        bytes32 root;
        bytes32[] proof;
    }

    uint256 private constant _SIZE_MAX = 80;

    AuditLog public immutable log = new AuditLog();
    uint256 public attacksAccepted;
    string public lastAttackAccepted;

    address[2] public openers = [address(0xA11CE), address(0xB0B)];
    address[2] public operators = openers;
    uint64[2] public batches;
    bytes32[][2] private _leaves;
    Anchor[] private _accepted;

    constructor() {
        for (uint256 i = 0; i < 2; ++i) {
            vm.prank(operators[i]);
            log.openLog(logIdOf(i));
            grow(i, 3, bytes32(i));
        }
    }

    function logIdOf(uint256 i) public view returns (bytes32) {
        return bytes32(bytes20(openers[i % 2])) | bytes32(1 + (i % 2));
    }

    function leavesOf(uint256 i) external view returns (bytes32[] memory) {
        return _leaves[i];
    }

    // Actions of honest operators, which must always succeed.

    function grow(uint256 i, uint256 count, bytes32 entry) public {
        i %= 2;
        if (_leaves[i].length > _SIZE_MAX) return;
        bytes32[] memory leaves = _grow(_leaves[i], 1 + (count % 12), entry);
        Anchor memory next = _next(i, leaves);
        _anchor(i, operators[i], next);

        _accepted.push(next);
        _leaves[i] = leaves;
        batches[i] = next.batch;
    }

    function transferOperator(uint256 i, uint160 newOperator) external {
        i %= 2;
        if (newOperator == 0) return;
        vm.prank(operators[i]);
        log.transferOperator(logIdOf(i), address(newOperator));
        vm.prank(address(newOperator));
        log.acceptOperator(logIdOf(i));
        operators[i] = address(newOperator);
    }

    // Attacks, which must never succeed.

    /// @dev A different history with its own valid proof.
    function fork(uint256 i, uint256 position, uint256 count, bytes32 entry) external {
        i %= 2;
        bytes32[] memory leaves = _grow(_leaves[i], 1 + (count % 12), entry);
        leaves[position % _leaves[i].length] = keccak256(abi.encode("forged", entry));
        _attack("fork", i, operators[i], _next(i, leaves));
    }

    /// @dev The next batch with one bit of the root or the proof flipped.
    function tamper(uint256 i, uint256 count, uint256 position, uint8 bit, bytes32 entry) external {
        i %= 2;
        Anchor memory next = _next(i, _grow(_leaves[i], 1 + (count % 12), entry));
        position %= next.proof.length + 1;
        bytes32 flip = bytes32(uint256(1) << bit);
        if (position == next.proof.length) next.root ^= flip;
        else next.proof[position] ^= flip;
        _attack("tamper", i, operators[i], next);
    }

    /// @dev The next batch with one proof hash too many or too few.
    function stretch(uint256 i, uint256 count, bytes32 entry, bytes32 extra) external {
        i %= 2;
        Anchor memory next = _next(i, _grow(_leaves[i], 1 + (count % 12), entry));
        uint256 length = uint256(extra) % 2 == 0 ? next.proof.length + 1 : next.proof.length - 1;
        bytes32[] memory proof = new bytes32[](length);
        for (uint256 k = 0; k < length; ++k) proof[k] = k < next.proof.length ? next.proof[k] : extra;
        next.proof = proof;
        _attack("stretch", i, operators[i], next);
    }

    /// @dev A valid root of an earlier size, under the next batch number.
    function shrink(uint256 i, uint256 newSize) external {
        i %= 2;
        uint64 size = uint64(_leaves[i].length);
        newSize = 1 + (newSize % size);
        bytes32 root = NaiveTree.root(_leaves[i], newSize);
        _attack("shrink", i, operators[i], Anchor(batches[i] + 1, size, uint64(newSize), root, new bytes32[](0)));
    }

    /// @dev A batch that was accepted before, in the same log or the other.
    function repeat(uint256 i, uint256 which) external {
        _attack("repeat", i % 2, operators[i % 2], _accepted[which % _accepted.length]);
    }

    /// @dev A valid batch with a wrong number or a wrong previous size.
    function skip(uint256 i, uint64 batch, uint64 prevSize, bytes32 entry) external {
        i %= 2;
        Anchor memory next = _next(i, _grow(_leaves[i], 1, entry));
        if (batch == next.batch && prevSize == next.prevSize) return;
        (next.batch, next.prevSize) = (batch, prevSize);
        _attack("skip", i, operators[i], next);
    }

    /// @dev A valid batch from another account.
    function intrude(uint256 i, address caller, bytes32 entry) external {
        i %= 2;
        if (caller == operators[i]) return;
        _attack("intrude", i, caller, _next(i, _grow(_leaves[i], 1, entry)));
    }

    /// @dev Arbitrary values.
    function forge(uint256 i, uint64 newSize, bytes32 root, bytes32[] calldata proof) external {
        i %= 2;
        _attack(
            "forge",
            i,
            operators[i],
            Anchor(batches[i] + 1, uint64(_leaves[i].length), newSize, root, proof)
        );
    }

    /// @dev Nobody can open a log under an id that begins with another account.
    function squat(bytes32 logId, address caller) external {
        if (address(bytes20(logId)) == caller) return;
        vm.prank(caller);
        try log.openLog(logId) {
            _succeeded("squat");
        } catch {}
    }

    /// @dev An open log cannot be opened again, by anyone.
    function reopen(uint256 i, address caller) external {
        vm.prank(caller);
        try log.openLog(logIdOf(i)) {
            _succeeded("reopen");
        } catch {}
    }

    /// @dev Skips the zero address: no one has its key, and it means "no pending operator".
    function usurp(uint256 i, address caller) external {
        i %= 2;
        if (caller == address(0)) return;
        vm.prank(caller);
        try log.acceptOperator(logIdOf(i)) {
            _succeeded("usurp");
        } catch {}
    }

    function _attack(string memory name, uint256 i, address caller, Anchor memory attempt) private {
        bytes32 logId = logIdOf(i);
        vm.prank(caller);
        try log.anchor(logId, attempt.batch, attempt.prevSize, attempt.newSize, attempt.root, attempt.proof) {
            _succeeded(name);
        } catch {}
    }

    function _anchor(uint256 i, address caller, Anchor memory next) private {
        bytes32 logId = logIdOf(i);
        vm.prank(caller);
        log.anchor(logId, next.batch, next.prevSize, next.newSize, next.root, next.proof);
    }

    function _succeeded(string memory name) private {
        ++attacksAccepted;
        lastAttackAccepted = name;
    }

    /// @dev Builds the batch that grows log `i` to these leaves.
    function _next(uint256 i, bytes32[] memory leaves) private view returns (Anchor memory) {
        uint256 prevSize = _leaves[i].length;
        return
            Anchor({
                batch: batches[i] + 1,
                prevSize: uint64(prevSize),
                newSize: uint64(leaves.length),
                root: NaiveTree.root(leaves, leaves.length),
                proof: prevSize == 0 ? new bytes32[](0) : NaiveTree.consistency(leaves, prevSize, leaves.length)
            });
    }

    function _grow(
        bytes32[] memory leaves,
        uint256 count,
        bytes32 entry
    ) private pure returns (bytes32[] memory grown) {
        grown = new bytes32[](leaves.length + count);
        for (uint256 k = 0; k < grown.length; ++k) {
            grown[k] = k < leaves.length ? leaves[k] : sha256(abi.encodePacked(bytes1(0x00), k, entry));
        }
    }
}
