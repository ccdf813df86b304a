// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

/**
 * @title Validation of agents' work (ERC-8004, Validation Registry 2.0.0)
 * @notice An account authorised for an agent asks a validator to check a piece of work. The validator responds with a
 * number from 0 to 100, any number of times.
 * @dev Function signatures, events and the revert strings are those of the ERC-8004 reference contract, so that its
 * clients work unchanged. The paged {getAgentValidations} and {getValidatorRequests} are this registry's own additions.
 *
 * A request is identified by its hash, and the first to submit a hash owns it. The hash must therefore cover something
 * that nobody else knows before it is submitted.
 */
interface IValidationRegistry {
    /**
     * @notice A validator was asked to check a piece of work.
     * @param validatorAddress The validator.
     * @param agentId Id of the agent whose work it is.
     * @param requestURI URI of the data that the validator needs. Not stored.
     * @param requestHash Keccak-256 of that data, which identifies the request.
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
     * @param requestHash Hash of the request.
     * @param response From 0 (failed) to 100 (passed).
     * @param responseURI URI of the evidence for the response; empty for none. Not stored.
     * @param responseHash Keccak-256 of that evidence; zero for none.
     * @param tag Kind or stage of the validation; empty for none.
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
     * @dev Event: ValidationRequest. ERC-721 must allow the caller to move the agent's token. Reverts with
     * "bad validator" (zero), "exists", "Not authorized", ERC721NonexistentToken.
     * @param validatorAddress The validator.
     * @param agentId Id of the agent whose work it is.
     * @param requestURI URI of the data that the validator needs.
     * @param requestHash Keccak-256 of that data, which identifies the request.
     */
    function validationRequest(
        address validatorAddress,
        uint256 agentId,
        string calldata requestURI,
        bytes32 requestHash
    ) external;

    /**
     * @notice Responds to a request; a later response replaces an earlier one.
     * @dev Event: ValidationResponse. The caller must be the validator named in the request. Reverts with "unknown",
     * "not validator", "resp>100".
     * @param requestHash Hash of the request.
     * @param response From 0 (failed) to 100 (passed).
     * @param responseURI URI of the evidence for the response; empty for none.
     * @param responseHash Keccak-256 of that evidence; zero for none.
     * @param tag Kind or stage of the validation; empty for none.
     */
    function validationResponse(
        bytes32 requestHash,
        uint8 response,
        string calldata responseURI,
        bytes32 responseHash,
        string calldata tag
    ) external;

    /**
     * @notice Returns the status of a request.
     * @dev `response` is zero both before the first response and after a failed validation; only the events tell the
     * two apart. Reverts with "unknown".
     * @param requestHash Hash of the request.
     * @return validatorAddress The validator.
     * @return agentId Id of the agent whose work it is.
     * @return response The latest response; zero before the first.
     * @return responseHash Hash given with the latest response.
     * @return tag Tag given with the latest response.
     * @return lastUpdate Block time of the latest response, or of the request before the first response; in seconds.
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
     * @notice Returns the mean of the latest responses to the requests about an agent, rounded down.
     * @dev Requests without a response do not count.
     * @param agentId Id of the agent.
     * @param validatorAddresses Validators whose responses count; duplicates count once, empty means all.
     * @param tag Tag the response must have; empty for any.
     * @return count Number of responses that count.
     * @return avgResponse Their mean; zero if there are none.
     */
    function getSummary(
        uint256 agentId,
        address[] calldata validatorAddresses,
        string calldata tag
    ) external view returns (uint64 count, uint8 avgResponse);

    /**
     * @notice Returns all requests about an agent in the order they were made.
     * @dev The result grows without bound; the overload with `offset` and `limit` is bounded.
     * @param agentId Id of the agent.
     * @return requestHashes Hashes of the requests.
     */
    function getAgentValidations(uint256 agentId) external view returns (bytes32[] memory requestHashes);

    /**
     * @notice Returns a page of the requests about an agent in the order they were made.
     * @dev The list is append-only, so consecutive pages neither miss nor repeat a request.
     * @param agentId Id of the agent.
     * @param offset Number of requests to skip.
     * @param limit Maximum number of requests to return.
     * @return requestHashes Hashes of the requests; fewer than `limit` at the end of the list.
     */
    function getAgentValidations(
        uint256 agentId,
        uint256 offset,
        uint256 limit
    ) external view returns (bytes32[] memory requestHashes);

    /**
     * @notice Returns all requests to a validator in the order they were made.
     * @dev The result grows without bound, and anyone with an agent can make it grow; the overload with `offset` and
     * `limit` is bounded.
     * @param validatorAddress The validator.
     * @return requestHashes Hashes of the requests.
     */
    function getValidatorRequests(address validatorAddress) external view returns (bytes32[] memory requestHashes);

    /**
     * @notice Returns a page of the requests to a validator in the order they were made.
     * @dev The list is append-only, so consecutive pages neither miss nor repeat a request.
     * @param validatorAddress The validator.
     * @param offset Number of requests to skip.
     * @param limit Maximum number of requests to return.
     * @return requestHashes Hashes of the requests; fewer than `limit` at the end of the list.
     */
    function getValidatorRequests(
        address validatorAddress,
        uint256 offset,
        uint256 limit
    ) external view returns (bytes32[] memory requestHashes);

    /**
     * @notice Returns the identity registry whose agents' work is validated.
     * @return identityRegistry Its address, which never changes.
     */
    function getIdentityRegistry() external view returns (address identityRegistry);

    /**
     * @notice Returns the version of the ERC-8004 contracts that this interface follows.
     * @return version Always "2.0.0".
     */
    function getVersion() external pure returns (string memory version);
}
