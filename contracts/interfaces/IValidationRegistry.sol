// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

/**
 * @title What validators say of the work of agents (ERC-8004, Validation Registry 2.0.0)
 * @notice Who may act for an agent asks a validator to check a piece of work; the validator responds with a number from
 * 0 to 100, as often as it has more to say.
 * @dev Signatures, events and the revert strings are those of the ERC-8004 reference contract, so that its clients need
 * no change. The paged {getAgentValidations} is this registry's own addition.
 *
 * A request is named by its hash and taken by who comes first with it: a hash has to cover something that nobody else
 * knows before it is sent.
 */
interface IValidationRegistry {
    /**
     * @notice A validator was asked to check a piece of work.
     * @param validatorAddress The validator.
     * @param agentId Id of the agent whose work it is.
     * @param requestURI Address of what the validator needs for it; only in the event.
     * @param requestHash Keccak-256 of that, and the name of the request.
     */
    event ValidationRequest(
        address indexed validatorAddress,
        uint256 indexed agentId,
        string requestURI,
        bytes32 indexed requestHash
    );

    /**
     * @notice The validator responded.
     * @param validatorAddress The validator.
     * @param agentId Id of the agent whose work it is.
     * @param requestHash Name of the request.
     * @param response From 0 for failed to 100 for passed.
     * @param responseURI Address of what the response rests on, empty for none; only in the event.
     * @param responseHash Keccak-256 of that, zero for none.
     * @param tag What was checked, or how far; empty for none.
     */
    event ValidationResponse(
        address indexed validatorAddress,
        uint256 indexed agentId,
        bytes32 indexed requestHash,
        uint8 response,
        string responseURI,
        bytes32 responseHash,
        string tag
    );

    /**
     * @notice Asks a validator to check a piece of work.
     * @dev Event: ValidationRequest. Only for those whom ERC-721 lets move the agent's token. Reverts with
     * "bad validator" (zero), "exists", "Not authorized", ERC721NonexistentToken.
     * @param validatorAddress The validator.
     * @param agentId Id of the agent whose work it is.
     * @param requestURI Address of what the validator needs for it.
     * @param requestHash Keccak-256 of that, and the name of the request.
     */
    function validationRequest(
        address validatorAddress,
        uint256 agentId,
        string calldata requestURI,
        bytes32 requestHash
    ) external;

    /**
     * @notice Responds to a request; a later response takes the place of an earlier one.
     * @dev Event: ValidationResponse. Only for the validator that was asked. Reverts with "unknown",
     * "not validator", "resp>100".
     * @param requestHash Name of the request.
     * @param response From 0 for failed to 100 for passed.
     * @param responseURI Address of what the response rests on, empty for none.
     * @param responseHash Keccak-256 of that, zero for none.
     * @param tag What was checked, or how far; empty for none.
     */
    function validationResponse(
        bytes32 requestHash,
        uint8 response,
        string calldata responseURI,
        bytes32 responseHash,
        string calldata tag
    ) external;

    /**
     * @notice Where a request stands.
     * @dev A request without a response answers zero, as does one that failed; the event tells them apart. Reverts with
     * "unknown".
     * @param requestHash Name of the request.
     * @return validatorAddress The validator.
     * @return agentId Id of the agent whose work it is.
     * @return response The latest response; zero before the first.
     * @return responseHash Hash given with it.
     * @return tag Tag given with it.
     * @return lastUpdate Time of the block of the latest response, of the request before the first; in seconds.
     */
    function getValidationStatus(
        bytes32 requestHash
    )
        external
        view
        returns (
            address validatorAddress,
            uint256 agentId,
            uint8 response,
            bytes32 responseHash,
            string memory tag,
            uint256 lastUpdate
        );

    /**
     * @notice Mean of the latest responses to the requests about an agent, rounded down.
     * @dev Requests without a response do not count.
     * @param agentId Id of the agent.
     * @param validatorAddresses The validators that count, each once however often listed; empty for all.
     * @param tag Tag the response must have; empty for any.
     * @return count Number of responses that count.
     * @return avgResponse Their mean; zero when there is none.
     */
    function getSummary(
        uint256 agentId,
        address[] calldata validatorAddresses,
        string calldata tag
    ) external view returns (uint64 count, uint8 avgResponse);

    /**
     * @notice All requests about an agent, in their order.
     * @dev Grows without bound; the paged {getAgentValidations} does not.
     * @param agentId Id of the agent.
     * @return requestHashes Names of the requests.
     */
    function getAgentValidations(uint256 agentId) external view returns (bytes32[] memory requestHashes);

    /**
     * @notice Part of the requests about an agent, in their order.
     * @dev The list only grows at its end, so pages read one after the other miss nothing and repeat nothing.
     * @param agentId Id of the agent.
     * @param offset Number of requests to pass over.
     * @param limit Largest number of requests to tell.
     * @return requestHashes Names of the requests; fewer than `limit` at the end of the list.
     */
    function getAgentValidations(
        uint256 agentId,
        uint256 offset,
        uint256 limit
    ) external view returns (bytes32[] memory requestHashes);

    /**
     * @notice All requests to a validator, in their order.
     * @dev Grows without bound, and anyone with an agent makes it grow.
     * @param validatorAddress The validator.
     * @return requestHashes Names of the requests.
     */
    function getValidatorRequests(address validatorAddress) external view returns (bytes32[] memory requestHashes);

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
