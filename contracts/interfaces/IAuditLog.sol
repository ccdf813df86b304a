// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

/**
 * @title Append-only audit logs, anchored on chain
 * @notice A log is one Merkle tree over its entries in order (RFC 9162: SHA-256, leaf prefix 0x00, node prefix 0x01).
 * The chain keeps only its head and takes a new head only with a proof that it extends the stored one, so that nobody,
 * the operator included, can rewrite, drop or fork what was anchored.
 * @dev Entries never reach the chain. Any account may open a log under an id not yet taken and operates it from then
 * on; logs know nothing of each other.
 */
interface IAuditLog {
    /**
     * @notice A log was opened, empty.
     * @param logId Id of the log.
     * @param operator Account that may anchor its batches.
     */
    event LogOpened(bytes32 indexed logId, address indexed operator);

    /**
     * @notice A batch of entries was anchored.
     * @param logId Id of the log.
     * @param batch Sequence number of the batch, from 1.
     * @param prevSize Entries before it: index of the batch's first entry.
     * @param newSize Entries with it.
     * @param root Root of the tree over all `newSize` entries.
     */
    event BatchAnchored(
        bytes32 indexed logId,
        uint64 indexed batch,
        uint64 prevSize,
        uint64 newSize,
        bytes32 root
    );

    /**
     * @notice The operator offered a log to another account.
     * @param logId Id of the log.
     * @param operator Account that operates it until the offer is accepted.
     * @param pendingOperator Account that may accept; zero withdraws the offer.
     */
    event OperatorTransferStarted(bytes32 indexed logId, address indexed operator, address indexed pendingOperator);

    /**
     * @notice A log changed hands.
     * @param logId Id of the log.
     * @param previousOperator Account that operated it until now.
     * @param newOperator Account that operates it from now on.
     */
    event OperatorTransferred(bytes32 indexed logId, address indexed previousOperator, address indexed newOperator);

    /**
     * @notice The id is taken.
     * @param logId Id of the log.
     * @param operator Account that operates it.
     */
    error LogAlreadyOpen(bytes32 logId, address operator);

    /**
     * @notice The caller does not operate the log.
     * @param logId Id of the log.
     * @param caller The caller.
     * @param operator Account that operates it; zero for a log that was never opened.
     */
    error NotOperator(bytes32 logId, address caller, address operator);

    /**
     * @notice The log was not offered to the caller.
     * @param logId Id of the log.
     * @param caller The caller.
     * @param pendingOperator Account it is offered to; zero for none.
     */
    error NotPendingOperator(bytes32 logId, address caller, address pendingOperator);

    /**
     * @notice The batch does not follow the head: a repeat, a gap, or a caller that lost track. It carries the head, so
     * that a caller that crashed learns from the refusal where the log stands.
     * @param logId Id of the log.
     * @param batch Last anchored batch.
     * @param size Anchored entries.
     * @param root Root over them; zero for an empty log.
     */
    error StaleHead(bytes32 logId, uint64 batch, uint64 size, bytes32 root);

    /**
     * @notice A batch has to add at least one entry.
     * @param size Anchored entries.
     * @param newSize Entries offered.
     */
    error SizeNotIncreased(uint64 size, uint64 newSize);

    /**
     * @notice The proof does not show that the tree with `newSize` entries and root `newRoot` extends the anchored one.
     * @param size Anchored entries.
     * @param root Root over them; zero for an empty log, whose proof is empty.
     * @param newSize Entries offered.
     * @param newRoot Root offered.
     */
    error InvalidConsistencyProof(uint64 size, bytes32 root, uint64 newSize, bytes32 newRoot);

    /**
     * @notice Opens a log; the caller becomes its operator.
     * @dev Event: LogOpened. Reverts with {LogAlreadyOpen}. Ids are first come, first served: choose them at random.
     * @param logId Id of the log.
     */
    function openLog(bytes32 logId) external;

    /**
     * @notice Anchors the next batch of a log.
     * @dev Event: BatchAnchored. Reverts with {NotOperator}, {StaleHead}, {SizeNotIncreased},
     * {InvalidConsistencyProof}, in this order. Naming batch and size makes a transaction safe to send twice.
     *
     * What is new in a batch is the operator's word: the chain sees neither its entries nor how many they are. A proof
     * fixes what was there before; it fixes the new size only in its shape (RFC 9162 proofs are alike for, say, 37 and
     * 38 entries). Who names a wrong size has anchored a place that no entry can ever be proved to hold, and whoever
     * recomputes the root from the entries sees it.
     * @param logId Id of the log.
     * @param batch Its last batch plus one.
     * @param prevSize Its size before.
     * @param newSize Its size with the batch.
     * @param root Root over all `newSize` entries.
     * @param consistencyProof PROOF(prevSize, D[newSize]) of RFC 9162 §2.1.4.1; empty for the first batch.
     */
    function anchor(
        bytes32 logId,
        uint64 batch,
        uint64 prevSize,
        uint64 newSize,
        bytes32 root,
        bytes32[] calldata consistencyProof
    ) external;

    /**
     * @notice Offers a log to another account, which has to accept; a later offer replaces an earlier one.
     * @dev Event: OperatorTransferStarted. Reverts with {NotOperator}.
     * @param logId Id of the log.
     * @param newOperator Account that may accept; zero withdraws the offer.
     */
    function transferOperator(bytes32 logId, address newOperator) external;

    /**
     * @notice Takes over a log that was offered to the caller.
     * @dev Event: OperatorTransferred. Reverts with {NotPendingOperator}.
     * @param logId Id of the log.
     */
    function acceptOperator(bytes32 logId) external;

    /**
     * @notice Where a log stands. All zero for a log that was never opened.
     * @param logId Id of the log.
     * @return batch Last anchored batch, zero before the first.
     * @return size Anchored entries.
     * @return anchoredAt Time of the block that anchored the last batch, in seconds; zero before the first.
     * @return root Root over the anchored entries; zero before the first.
     * @return operator Account that may anchor.
     */
    function head(
        bytes32 logId
    ) external view returns (uint64 batch, uint64 size, uint64 anchoredAt, bytes32 root, address operator);

    /**
     * @notice Account a log is offered to.
     * @param logId Id of the log.
     * @return account The account; zero for none.
     */
    function pendingOperator(bytes32 logId) external view returns (address account);

    /**
     * @notice Whether an entry is in a log, at a place, as of the head.
     * @param logId Id of the log.
     * @param leafHash SHA-256(0x00 ‖ entry).
     * @param index Place of the entry, from 0.
     * @param proof PATH(index, D[size]) of RFC 9162 §2.1.3.1 for the head's size.
     * @return included Whether the proof leads to the head's root.
     */
    function verifyInclusion(
        bytes32 logId,
        bytes32 leafHash,
        uint64 index,
        bytes32[] calldata proof
    ) external view returns (bool included);
}
