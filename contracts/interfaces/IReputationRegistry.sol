// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

/**
 * @title Feedback on agents (ERC-8004, Reputation Registry 2.0.0)
 * @notice Any account may give an agent feedback, revoke its own feedback, and respond to anyone's feedback. The
 * agent's owner cannot rate the agent.
 * @dev Function signatures, events and the revert strings are those of the ERC-8004 reference contract, so that its
 * clients work unchanged. A client's feedback entries on one agent are numbered from 1. The paged {getClients} is this
 * registry's own addition. The registry deviates from the reference only where the reference miscounts: an address that
 * a caller lists twice counts once, and {getSummary} never overflows.
 *
 * Feedback costs only gas, so readers must choose whose feedback counts.
 */
interface IReputationRegistry {
    /**
     * @notice A client gave an agent feedback.
     * @param agentId Id of the agent.
     * @param clientAddress Account that gave the feedback.
     * @param feedbackIndex Index of the feedback among this client's feedback on this agent, from 1.
     * @param value The value as a fixed-point number with `valueDecimals` decimals.
     * @param valueDecimals Number of decimals, 0 to 18.
     * @param indexedTag1 The first tag as a topic (its Keccak-256).
     * @param tag1 First tag; empty for none.
     * @param tag2 Second tag; empty for none.
     * @param endpoint The agent's endpoint that the client used; empty if not given. Not stored.
     * @param feedbackURI URI of a file with details; empty for none. Not stored.
     * @param feedbackHash Keccak-256 of that file; zero if the URI is content-addressed. Not stored.
     */
    event NewFeedback(
        uint256 indexed agentId,
        address indexed clientAddress,
        uint64 feedbackIndex,
        int128 value,
        uint8 valueDecimals,
        string indexed indexedTag1,
        string tag1,
        string tag2,
        string endpoint,
        string feedbackURI,
        bytes32 feedbackHash
    );

    /**
     * @notice A client revoked its feedback.
     * @param agentId Id of the agent.
     * @param clientAddress Account that had given the feedback.
     * @param feedbackIndex Index of the feedback.
     */
    event FeedbackRevoked(
        uint256 indexed agentId,
        address indexed clientAddress,
        uint64 indexed feedbackIndex
    );

    /**
     * @notice An account responded to feedback.
     * @param agentId Id of the agent.
     * @param clientAddress Account that gave the feedback.
     * @param feedbackIndex Index of the feedback.
     * @param responder Account that responded.
     * @param responseURI URI of the response. Not stored.
     * @param responseHash Keccak-256 of the response; zero if the URI is content-addressed. Not stored.
     */
    event ResponseAppended(
        uint256 indexed agentId,
        address indexed clientAddress,
        uint64 feedbackIndex,
        address indexed responder,
        string responseURI,
        bytes32 responseHash
    );

    /**
     * @notice Gives an agent feedback.
     * @dev Event: NewFeedback. Reverts with "too many decimals" (more than 18), "value too large" (absolute value above
     * 1e38), "Self-feedback not allowed" (ERC-721 allows the caller to move the agent's token), ERC721NonexistentToken.
     * Costs less gas if both tags together have at most 31 bytes.
     * @param agentId Id of the agent.
     * @param value The value as a fixed-point number with `valueDecimals` decimals.
     * @param valueDecimals Number of decimals.
     * @param tag1 First tag; empty for none.
     * @param tag2 Second tag; empty for none.
     * @param endpoint The agent's endpoint that the client used; empty if not given.
     * @param feedbackURI URI of a file with details; empty for none.
     * @param feedbackHash Keccak-256 of that file; zero if the URI is content-addressed.
     */
    function giveFeedback(
        uint256 agentId,
        int128 value,
        uint8 valueDecimals,
        string calldata tag1,
        string calldata tag2,
        string calldata endpoint,
        string calldata feedbackURI,
        bytes32 feedbackHash
    ) external;

    /**
     * @notice Revokes the caller's own feedback, which stays readable but is left out of summaries.
     * @dev Event: FeedbackRevoked. Reverts with "index must be > 0", "index out of bounds", "Already revoked".
     * @param agentId Id of the agent.
     * @param feedbackIndex Index of the feedback.
     */
    function revokeFeedback(uint256 agentId, uint64 feedbackIndex) external;

    /**
     * @notice Responds to feedback, which may be revoked.
     * @dev Event: ResponseAppended. Anyone may respond, any number of times. Reverts with "index must be > 0",
     * "Empty URI", "index out of bounds".
     * @param agentId Id of the agent.
     * @param clientAddress Account that gave the feedback.
     * @param feedbackIndex Index of the feedback.
     * @param responseURI URI of the response.
     * @param responseHash Keccak-256 of the response; zero if the URI is content-addressed.
     */
    function appendResponse(
        uint256 agentId,
        address clientAddress,
        uint64 feedbackIndex,
        string calldata responseURI,
        bytes32 responseHash
    ) external;

    /**
     * @notice Returns the mean of the unrevoked feedback given by the listed clients.
     * @dev Values are scaled to 18 decimals and averaged. The mean is returned with the most frequent number of
     * decimals among the values, or the smallest of several equally frequent ones; both divisions round towards zero.
     * If the mean does not fit into 128 bits, it is returned with as many decimals as do fit. The cost grows in
     * proportion to the list and its feedback, in any order. Reverts with "clientAddresses required" for an empty
     * list: anyone could sway a mean over all clients with made-up accounts.
     * @param agentId Id of the agent.
     * @param clientAddresses Clients whose feedback counts; duplicates count once.
     * @param tag1 First tag the feedback must have; empty for any.
     * @param tag2 Second tag the feedback must have; empty for any.
     * @return count Number of feedback entries that count.
     * @return summaryValue Their mean; zero if there are none.
     * @return summaryValueDecimals Number of decimals of the mean; zero if there are none.
     */
    function getSummary(
        uint256 agentId,
        address[] calldata clientAddresses,
        string calldata tag1,
        string calldata tag2
    ) external view returns (uint64 count, int128 summaryValue, uint8 summaryValueDecimals);

    /**
     * @notice Returns one feedback entry.
     * @dev Reverts with "index must be > 0", "index out of bounds".
     * @param agentId Id of the agent.
     * @param clientAddress Account that gave the feedback.
     * @param feedbackIndex Index of the feedback.
     * @return value The value.
     * @return valueDecimals Number of decimals of the value.
     * @return tag1 First tag.
     * @return tag2 Second tag.
     * @return isRevoked Whether the client revoked the feedback.
     */
    function readFeedback(
        uint256 agentId,
        address clientAddress,
        uint64 feedbackIndex
    )
        external
        view
        returns (int128 value, uint8 valueDecimals, string memory tag1, string memory tag2, bool isRevoked);

    /**
     * @notice Returns feedback given by several clients as parallel lists, grouped by client in the order listed.
     * Within a client, feedback is in the order it was given.
     * @param agentId Id of the agent.
     * @param clientAddresses The clients; duplicates count once, empty means all.
     * @param tag1 First tag the feedback must have; empty for any.
     * @param tag2 Second tag the feedback must have; empty for any.
     * @param includeRevoked Whether to include revoked feedback.
     * @return clients Accounts that gave the feedback.
     * @return feedbackIndexes Indexes of the feedback.
     * @return values The values.
     * @return valueDecimals Numbers of decimals of the values.
     * @return tag1s First tags.
     * @return tag2s Second tags.
     * @return revokedStatuses Whether each entry is revoked.
     */
    function readAllFeedback(
        uint256 agentId,
        address[] calldata clientAddresses,
        string calldata tag1,
        string calldata tag2,
        bool includeRevoked
    )
        external
        view
        returns (
            address[] memory clients,
            uint64[] memory feedbackIndexes,
            int128[] memory values,
            uint8[] memory valueDecimals,
            string[] memory tag1s,
            string[] memory tag2s,
            bool[] memory revokedStatuses
        );

    /**
     * @notice Returns the number of responses to feedback, including revoked feedback.
     * @param agentId Id of the agent.
     * @param clientAddress Account that gave the feedback; zero for all feedback of all clients.
     * @param feedbackIndex Index of the feedback; zero for all of the client's feedback.
     * @param responders Responders whose responses count; duplicates count once, empty means all.
     * @return count Number of responses; zero if the feedback does not exist.
     */
    function getResponseCount(
        uint256 agentId,
        address clientAddress,
        uint64 feedbackIndex,
        address[] calldata responders
    ) external view returns (uint64 count);

    /**
     * @notice Returns all clients that ever gave an agent feedback, in the order of their first feedback.
     * @dev The result grows without bound; the overload with `offset` and `limit` is bounded.
     * @param agentId Id of the agent.
     * @return clients Their accounts, without duplicates.
     */
    function getClients(uint256 agentId) external view returns (address[] memory clients);

    /**
     * @notice Returns a page of the clients that ever gave an agent feedback, in the order of their first feedback.
     * @dev The list is append-only, so consecutive pages neither miss nor repeat a client.
     * @param agentId Id of the agent.
     * @param offset Number of clients to skip.
     * @param limit Maximum number of clients to return.
     * @return clients Their accounts; fewer than `limit` at the end of the list.
     */
    function getClients(
        uint256 agentId,
        uint256 offset,
        uint256 limit
    ) external view returns (address[] memory clients);

    /**
     * @notice Returns the index of a client's latest feedback on an agent.
     * @param agentId Id of the agent.
     * @param clientAddress Account of the client.
     * @return lastIndex The index; zero if the client gave no feedback.
     */
    function getLastIndex(uint256 agentId, address clientAddress) external view returns (uint64 lastIndex);

    /**
     * @notice Returns the identity registry whose agents receive the feedback.
     * @return identityRegistry Its address, which never changes.
     */
    function getIdentityRegistry() external view returns (address identityRegistry);

    /**
     * @notice Returns the version of the ERC-8004 contracts that this interface follows.
     * @return version Always "2.0.0".
     */
    function getVersion() external pure returns (string memory version);
}
