// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

/**
 * @title What clients say of agents (ERC-8004, Reputation Registry 2.0.0)
 * @notice Any account may give an agent feedback, take its own feedback back, and respond to anybody's feedback; the
 * agent's owner cannot rate the agent.
 * @dev Signatures, events and the revert strings are those of the ERC-8004 reference contract, so that its clients need
 * no change. A client's feedback to one agent is numbered from 1. The paged {getClients} is this registry's own
 * addition. Otherwise it differs where the reference miscounts: an address that a caller lists twice counts once, and
 * {getSummary} never wraps around.
 *
 * Opinions cost only gas: who reads them has to choose whose count.
 */
interface IReputationRegistry {
    /**
     * @notice A client gave an agent feedback.
     * @param agentId Id of the agent.
     * @param clientAddress Account that gave it.
     * @param feedbackIndex Number of the feedback among this client's to this agent, from 1.
     * @param value The value, as an integer with `valueDecimals` of its digits behind the point.
     * @param valueDecimals Number of digits behind the point, 0 to 18.
     * @param indexedTag1 The first tag again, as a topic (its Keccak-256).
     * @param tag1 First tag, empty for none.
     * @param tag2 Second tag, empty for none.
     * @param endpoint The agent's endpoint that was used, empty when not told; only in the event.
     * @param feedbackURI Address of a file that says more, empty for none; only in the event.
     * @param feedbackHash Keccak-256 of that file, zero when the address itself fixes it; only in the event.
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
     * @notice A client took feedback back.
     * @param agentId Id of the agent.
     * @param clientAddress Account that had given it.
     * @param feedbackIndex Number of the feedback.
     */
    event FeedbackRevoked(
        uint256 indexed agentId,
        address indexed clientAddress,
        uint64 indexed feedbackIndex
    );

    /**
     * @notice Somebody responded to feedback.
     * @param agentId Id of the agent.
     * @param clientAddress Account that gave the feedback.
     * @param feedbackIndex Number of the feedback.
     * @param responder Account that responded.
     * @param responseURI Address of the response; only in the event.
     * @param responseHash Keccak-256 of the response, zero when the address itself fixes it; only in the event.
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
     * @dev Event: NewFeedback. Reverts with "too many decimals" (more than 18), "value too large" (beyond 1e38 either
     * way), "Self-feedback not allowed" (the caller is one whom ERC-721 lets move the agent's token),
     * ERC721NonexistentToken. Gas falls when both tags together have at most 31 bytes.
     * @param agentId Id of the agent.
     * @param value The value, as an integer with `valueDecimals` of its digits behind the point.
     * @param valueDecimals Number of digits behind the point.
     * @param tag1 First tag, empty for none.
     * @param tag2 Second tag, empty for none.
     * @param endpoint The agent's endpoint that was used, empty when not told.
     * @param feedbackURI Address of a file that says more, empty for none.
     * @param feedbackHash Keccak-256 of that file, zero when the address itself fixes it.
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
     * @notice Takes the caller's own feedback back: it stays readable but no longer counts.
     * @dev Event: FeedbackRevoked. Reverts with "index must be > 0", "index out of bounds", "Already revoked".
     * @param agentId Id of the agent.
     * @param feedbackIndex Number of the feedback.
     */
    function revokeFeedback(uint256 agentId, uint64 feedbackIndex) external;

    /**
     * @notice Responds to feedback, also to revoked feedback.
     * @dev Event: ResponseAppended. Anyone may respond, any number of times. Reverts with "index must be > 0",
     * "Empty URI", "index out of bounds".
     * @param agentId Id of the agent.
     * @param clientAddress Account that gave the feedback.
     * @param feedbackIndex Number of the feedback.
     * @param responseURI Address of the response.
     * @param responseHash Keccak-256 of the response, zero when the address itself fixes it.
     */
    function appendResponse(
        uint256 agentId,
        address clientAddress,
        uint64 feedbackIndex,
        string calldata responseURI,
        bytes32 responseHash
    ) external;

    /**
     * @notice Mean of the feedback that the named clients gave and did not revoke.
     * @dev Values are brought to 18 decimals, averaged, and told at the number of decimals that is the most frequent
     * among them, the smallest of those that are equally frequent; both divisions round towards zero. A mean that does
     * not fit in 128 bits at so many decimals is told at as many as fit. Repeated clients are found at least cost in a
     * list in ascending order. Reverts with "clientAddresses required" for an empty list: a mean over all comers could
     * be bought with made-up accounts.
     * @param agentId Id of the agent.
     * @param clientAddresses The clients that count, each once however often listed.
     * @param tag1 First tag the feedback must have; empty for any.
     * @param tag2 Second tag the feedback must have; empty for any.
     * @return count Number of feedbacks that count.
     * @return summaryValue Their mean; zero when there is none.
     * @return summaryValueDecimals Number of its digits behind the point; zero when there is none.
     */
    function getSummary(
        uint256 agentId,
        address[] calldata clientAddresses,
        string calldata tag1,
        string calldata tag2
    ) external view returns (uint64 count, int128 summaryValue, uint8 summaryValueDecimals);

    /**
     * @notice One feedback.
     * @dev Reverts with "index must be > 0", "index out of bounds".
     * @param agentId Id of the agent.
     * @param clientAddress Account that gave it.
     * @param feedbackIndex Number of the feedback.
     * @return value The value.
     * @return valueDecimals Number of its digits behind the point.
     * @return tag1 First tag.
     * @return tag2 Second tag.
     * @return isRevoked Whether the client took it back.
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
     * @notice Feedback of several clients, client after client and each in the order given; entry `i` of every list
     * belongs to the same feedback.
     * @param agentId Id of the agent.
     * @param clientAddresses The clients, each told once however often listed; empty for all.
     * @param tag1 First tag the feedback must have; empty for any.
     * @param tag2 Second tag the feedback must have; empty for any.
     * @param includeRevoked Whether feedback that was taken back is told too.
     * @return clients Accounts that gave the feedback.
     * @return feedbackIndexes Numbers of the feedback.
     * @return values The values.
     * @return valueDecimals Numbers of their digits behind the point.
     * @return tag1s First tags.
     * @return tag2s Second tags.
     * @return revokedStatuses Whether each was taken back.
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
     * @notice Number of responses to feedback, revoked feedback included.
     * @param agentId Id of the agent.
     * @param clientAddress Account that gave the feedback; zero for all clients and all their feedback.
     * @param feedbackIndex Number of the feedback; zero for all of the client's.
     * @param responders The responders that count, each once however often listed; empty for all.
     * @return count Number of responses; zero for feedback that does not exist.
     */
    function getResponseCount(
        uint256 agentId,
        address clientAddress,
        uint64 feedbackIndex,
        address[] calldata responders
    ) external view returns (uint64 count);

    /**
     * @notice All clients that ever gave an agent feedback, in the order of their first.
     * @dev Grows without bound; the paged {getClients} does not.
     * @param agentId Id of the agent.
     * @return clients Their accounts, each once.
     */
    function getClients(uint256 agentId) external view returns (address[] memory clients);

    /**
     * @notice Part of the clients that ever gave an agent feedback, in the order of their first.
     * @dev The list only grows at its end, so pages read one after the other miss nothing and repeat nothing.
     * @param agentId Id of the agent.
     * @param offset Number of clients to pass over.
     * @param limit Largest number of clients to tell.
     * @return clients Their accounts; fewer than `limit` at the end of the list.
     */
    function getClients(
        uint256 agentId,
        uint256 offset,
        uint256 limit
    ) external view returns (address[] memory clients);

    /**
     * @notice Number of a client's latest feedback to an agent.
     * @param agentId Id of the agent.
     * @param clientAddress Account of the client.
     * @return lastIndex The number; zero when it gave none.
     */
    function getLastIndex(uint256 agentId, address clientAddress) external view returns (uint64 lastIndex);

    /**
     * @notice The registry whose agents this one is about.
     * @return identityRegistry Its address, the same for ever.
     */
    function getIdentityRegistry() external view returns (address identityRegistry);

    /**
     * @notice Version of the ERC-8004 contracts whose interface this is.
     * @return version Always "2.0.0".
     */
    function getVersion() external pure returns (string memory version);
}
