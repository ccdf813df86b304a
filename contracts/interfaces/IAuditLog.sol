// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

/**
 * @title Append-only audit logs, anchored on chain
 * @notice A log is a Merkle tree over its entries in order (RFC 9162: SHA-256, leaf prefix 0x00, node prefix 0x01).
 * The chain stores only its head, and accepts a new head only with a proof that it extends the stored one. Nobody, not
 * even the operator, can rewrite, drop or fork anchored entries.
 * @dev Entries never reach the chain. The first 20 bytes of a log's id are the account that opened it: any account may
 * open any number of logs and becomes their operator, and none can take an id that another account is about to open.
 * Logs are independent of each other.
 */
interface IAuditLog {
    /**
     * @notice An empty log was opened.
     * @param logId Id of the log.
     * @param operator Account that may anchor its batches.
     */
    event LogOpened(bytes32 indexed logId, address indexed operator);

    /**
     * @notice A batch of entries was anchored.
     * @param logId Id of the log.
     * @param batch Sequence number of the batch, from 1.
     * @param prevSize Number of entries before the batch, which is also the index of its first entry.
     * @param newSize Number of entries including the batch.
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
     * @param operator Account that operates the log until the offer is accepted.
     * @param pendingOperator Account that may accept; zero withdraws the offer.
     */
    event OperatorTransferStarted(bytes32 indexed logId, address indexed operator, address indexed pendingOperator);

    /**
     * @notice A log has a new operator.
     * @param logId Id of the log.
     * @param previousOperator Account that operated the log before.
     * @param newOperator Account that operates the log from now on.
     */
    event OperatorTransferred(bytes32 indexed logId, address indexed previousOperator, address indexed newOperator);

    /**
     * @notice The id is reserved for another account.
     * @param logId Id of the log.
     * @param caller The caller.
     * @param opener The only account that may open the log: the first 20 bytes of the id.
     */
    error NotOpener(bytes32 logId, address caller, address opener);

    /**
     * @notice A log with this id already exists.
     * @param logId Id of the log.
     * @param operator Account that operates it.
     */
    error LogAlreadyOpen(bytes32 logId, address operator);

    /**
     * @notice The caller does not operate the log.
     * @param logId Id of the log.
     * @param caller The caller.
     * @param operator Account that operates the log; zero if the log was never opened.
     */
    error NotOperator(bytes32 logId, address caller, address operator);

    /**
     * @notice The log was not offered to the caller.
     * @param logId Id of the log.
     * @param caller The caller.
     * @param pendingOperator Account the log is offered to; zero if there is no offer.
     */
    error NotPendingOperator(bytes32 logId, address caller, address pendingOperator);

    /**
     * @notice The batch does not follow the head: it repeats a batch, skips one, or starts from a stale state. The
     * error carries the current head, so that a caller recovering from a crash can resume from it.
     * @param logId Id of the log.
     * @param batch Last anchored batch.
     * @param size Number of anchored entries.
     * @param root Root over the anchored entries; zero for an empty log.
     */
    error StaleHead(bytes32 logId, uint64 batch, uint64 size, bytes32 root);

    /**
     * @notice The batch adds no entry.
     * @param size Number of anchored entries.
     * @param newSize Size given by the caller.
     */
    error SizeNotIncreased(uint64 size, uint64 newSize);

    /**
     * @notice The proof does not show that the tree with `newSize` entries and root `newRoot` extends the anchored one.
     * @param size Number of anchored entries.
     * @param root Root over the anchored entries; zero for an empty log, which requires an empty proof.
     * @param newSize Size given by the caller.
     * @param newRoot Root given by the caller.
     */
    error InvalidConsistencyProof(uint64 size, bytes32 root, uint64 newSize, bytes32 newRoot);

    /**
     * @notice Opens a log with the caller as its operator.
     * @dev Event: LogOpened. Reverts with {NotOpener}, {LogAlreadyOpen}. The id stays the same when the log is handed
     * over, so it names who opened the log, not who operates it.
     * @param logId The caller's address, followed by any 12 bytes that the caller has not used yet.
     */
    function openLog(bytes32 logId) external;

    /**
     * @notice Anchors the next batch of a log.
     * @dev Event: BatchAnchored. Reverts with {NotOperator}, {StaleHead}, {SizeNotIncreased},
     * {InvalidConsistencyProof}, checked in this order. Because the caller states batch and size, a transaction is safe
     * to send twice.
     *
     * The chain trusts the operator for the new entries: it sees neither them nor their number. A consistency proof
     * fixes the earlier entries, but not the exact new size: RFC 9162 proofs for, say, 37 and 38 entries have the same
     * shape. An operator who states a wrong size anchors an index for which no inclusion proof can ever exist, and
     * anyone who recomputes the root from the entries notices.
     * @param logId Id of the log.
     * @param batch Last batch of the log plus one.
     * @param prevSize Size of the log before the batch.
     * @param newSize Size of the log including the batch.
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
     * @notice Offers a log to another account, which must accept it. A later offer replaces an earlier one.
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
     * @notice Returns the head of a log; all values are zero for a log that was never opened.
     * @param logId Id of the log.
     * @return batch Last anchored batch; zero before the first.
     * @return size Number of anchored entries.
     * @return anchoredAt Time of the block that anchored the last batch, in seconds; zero before the first.
     * @return root Root over the anchored entries; zero before the first batch.
     * @return operator Account that may anchor.
     */
    function head(
        bytes32 logId
    ) external view returns (uint64 batch, uint64 size, uint64 anchoredAt, bytes32 root, address operator);

    /**
     * @notice Returns the account a log is offered to.
     * @param logId Id of the log.
     * @return account The account; zero if there is no offer.
     */
    function pendingOperator(bytes32 logId) external view returns (address account);

    /**
     * @notice Verifies an inclusion proof against the head of a log.
     * @param logId Id of the log.
     * @param leafHash SHA-256(0x00 ‖ entry).
     * @param index Leaf index of the entry, from 0.
     * @param proof PATH(index, D[size]) of RFC 9162 §2.1.3.1 for the head's size.
     * @return included Whether the entry is the leaf at `index` of the tree at the head.
     */
    function verifyInclusion(
        bytes32 logId,
        bytes32 leafHash,
        uint64 index,
        bytes32[] calldata proof
    ) external view returns (bool included);
}
