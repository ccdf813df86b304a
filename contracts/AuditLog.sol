// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

import {IAuditLog} from "./interfaces/IAuditLog.sol";
import {MerkleTree} from "./lib/MerkleTree.sol";

/**
 * @title Heads of append-only audit logs
 * @notice Not upgradeable and without an owner. An operator can only extend its log and hand it over; nobody else can
 * change it.
 */
contract AuditLog is IAuditLog {
    /// @dev Anchoring writes only the first two slots, which hold the head, and reads the operator's slot.
    struct Log {
        bytes32 root;
        uint64 batch;
        uint64 size;
        uint64 anchoredAt;
        address operator;
        address pendingOperator;
    }

    mapping(bytes32 logId => Log log) private _logs;

    /// @inheritdoc IAuditLog
    function openLog(bytes32 logId) external {
        address opener = address(bytes20(logId));
        if (opener != msg.sender) revert NotOpener(logId, msg.sender, opener);
        Log storage log = _logs[logId];
        if (log.operator != address(0)) revert LogAlreadyOpen(logId, log.operator);
        log.operator = msg.sender;
        emit LogOpened(logId, msg.sender);
    }

    /// @inheritdoc IAuditLog
    function anchor(
        bytes32 logId,
        uint64 batch,
        uint64 prevSize,
        uint64 newSize,
        bytes32 root,
        bytes32[] calldata consistencyProof
    ) external {
        Log storage log = _requireOperator(logId);
        uint64 lastBatch = log.batch;
        uint64 size = log.size;
        bytes32 prevRoot = log.root;
        // `batch != lastBatch + 1` would overflow at the last possible batch and panic instead of returning the head.
        if (batch <= lastBatch || batch - lastBatch != 1 || prevSize != size) {
            revert StaleHead(logId, lastBatch, size, prevRoot);
        }
        if (newSize <= size) revert SizeNotIncreased(size, newSize);
        if (!_extends(size, prevRoot, newSize, root, consistencyProof)) {
            revert InvalidConsistencyProof(size, prevRoot, newSize, root);
        }

        log.root = root;
        (log.batch, log.size, log.anchoredAt) = (batch, newSize, uint64(block.timestamp));
        emit BatchAnchored(logId, batch, prevSize, newSize, root);
    }

    /// @inheritdoc IAuditLog
    function transferOperator(bytes32 logId, address newOperator) external {
        _requireOperator(logId).pendingOperator = newOperator;
        emit OperatorTransferStarted(logId, msg.sender, newOperator);
    }

    /// @inheritdoc IAuditLog
    function acceptOperator(bytes32 logId) external {
        Log storage log = _logs[logId];
        if (log.pendingOperator != msg.sender) revert NotPendingOperator(logId, msg.sender, log.pendingOperator);
        address previousOperator = log.operator;
        log.operator = msg.sender;
        delete log.pendingOperator;
        emit OperatorTransferred(logId, previousOperator, msg.sender);
    }

    /// @inheritdoc IAuditLog
    function head(
        bytes32 logId
    ) external view returns (uint64 batch, uint64 size, uint64 anchoredAt, bytes32 root, address operator) {
        Log storage log = _logs[logId];
        return (log.batch, log.size, log.anchoredAt, log.root, log.operator);
    }

    /// @inheritdoc IAuditLog
    function pendingOperator(bytes32 logId) external view returns (address) {
        return _logs[logId].pendingOperator;
    }

    /// @inheritdoc IAuditLog
    function verifyInclusion(
        bytes32 logId,
        bytes32 leafHash,
        uint64 index,
        bytes32[] calldata proof
    ) external view returns (bool) {
        Log storage log = _logs[logId];
        return MerkleTree.verifyInclusion(leafHash, index, log.size, log.root, proof);
    }

    function _requireOperator(bytes32 logId) private view returns (Log storage log) {
        log = _logs[logId];
        if (log.operator != msg.sender) revert NotOperator(logId, msg.sender, log.operator);
    }

    /// @dev The empty tree is a prefix of every tree; its proof is empty.
    function _extends(
        uint64 size,
        bytes32 prevRoot,
        uint64 newSize,
        bytes32 root,
        bytes32[] calldata proof
    ) private view returns (bool) {
        if (size == 0) return proof.length == 0;
        return MerkleTree.verifyConsistency(size, prevRoot, newSize, root, proof);
    }
}
