// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

/**
 * @title Agent identities (ERC-8004, Identity Registry 2.0.0)
 * @notice Each agent is an ERC-721 token whose URI is the agent's registration file. An agent also has key-value
 * metadata and one wallet that it acts with.
 * @dev Function signatures, events, their order and the revert strings are those of the ERC-8004 reference contract, so
 * that its clients work unchanged; ids start at 1. The token functions come from ERC-721, `MetadataUpdate` from
 * ERC-4906 and `eip712Domain` from ERC-5267. {registerFor} is this registry's own addition and uses custom errors.
 *
 * Below, "authorised" means allowed by ERC-721 to move the token: the owner, its operators, the approved address.
 */
interface IIdentityRegistry {
    /**
     * @notice A metadata entry given at registration.
     * @param metadataKey Any key except the reserved `agentWallet`.
     * @param metadataValue The value, stored as is.
     */
    struct MetadataEntry {
        string metadataKey;
        bytes metadataValue;
    }

    /**
     * @notice An agent was registered.
     * @param agentId Id of the agent and of its token.
     * @param agentURI URI of its registration file; empty if not set yet.
     * @param owner First owner of the token.
     */
    event Registered(uint256 indexed agentId, string agentURI, address indexed owner);

    /**
     * @notice A metadata value was set, or cleared if the value is empty.
     * @param agentId Id of the agent.
     * @param indexedMetadataKey The key as a topic (its Keccak-256).
     * @param metadataKey The key.
     * @param metadataValue The value; for `agentWallet`, the 20 bytes of the wallet's address.
     */
    event MetadataSet(
        uint256 indexed agentId,
        string indexed indexedMetadataKey,
        string metadataKey,
        bytes metadataValue
    );

    /**
     * @notice The URI of the agent's registration file was replaced.
     * @param agentId Id of the agent.
     * @param newURI The new URI.
     * @param updatedBy The authorised caller.
     */
    event URIUpdated(uint256 indexed agentId, string newURI, address indexed updatedBy);

    /**
     * @notice The signed registration was submitted after its deadline.
     * @param deadline Last second at which the signature was valid.
     * @param timestamp Time of the block.
     */
    error RegistrationExpired(uint256 deadline, uint256 timestamp);

    /**
     * @notice The signature is not the owner's, or does not cover exactly these values and this nonce.
     * @param owner Account whose signature is required.
     * @param nonce Nonce that the signature must cover.
     */
    error InvalidRegistrationSignature(address owner, uint256 nonce);

    /**
     * @notice Registers the caller's agent without a registration file.
     * @dev Events: Transfer, Registered, MetadataSet (agentWallet).
     * @return agentId Id of the new agent.
     */
    function register() external returns (uint256 agentId);

    /**
     * @notice Registers the caller's agent.
     * @dev Events: Transfer, MetadataUpdate, Registered, MetadataSet (agentWallet).
     * @param agentURI URI of the registration file.
     * @return agentId Id of the new agent.
     */
    function register(string calldata agentURI) external returns (uint256 agentId);

    /**
     * @notice Registers the caller's agent with metadata.
     * @dev Events: Transfer, MetadataUpdate, Registered, MetadataSet (agentWallet), then one MetadataSet per entry.
     * Reverts with "reserved key" for an entry named `agentWallet`.
     * @param agentURI URI of the registration file.
     * @param metadata Entries to store, in order.
     * @return agentId Id of the new agent.
     */
    function register(string calldata agentURI, MetadataEntry[] calldata metadata) external returns (uint256 agentId);

    /**
     * @notice Registers an agent on behalf of `owner`, who signed the registration; the caller pays the gas.
     * @dev The token belongs to the owner from the start, and the agent's wallet is the owner's account. The signature
     * is EIP-712 in the domain of `eip712Domain` over
     * `RegisterFor(address owner,string agentURI,MetadataEntry[] metadata,uint256 nonce,uint256 deadline)` with
     * `MetadataEntry(string metadataKey,bytes metadataValue)`; `nonce` is `nonces(owner)`. ECDSA is tried first, then
     * ERC-1271. The deadline may be arbitrarily far ahead, as the submitter may be offline for a while. The events are
     * those of {register} with metadata. `onERC721Received` is not called: the owner consented by signing.
     * Reverts with {RegistrationExpired}, {InvalidRegistrationSignature}, "reserved key".
     * @param owner Owner of the new agent.
     * @param agentURI URI of the registration file.
     * @param metadata Entries to store, in order.
     * @param deadline Last second at which the signature is valid.
     * @param signature The owner's signature.
     * @return agentId Id of the new agent.
     */
    function registerFor(
        address owner,
        string calldata agentURI,
        MetadataEntry[] calldata metadata,
        uint256 deadline,
        bytes calldata signature
    ) external returns (uint256 agentId);

    /**
     * @notice Stores a metadata value.
     * @dev Event: MetadataSet. Reverts with "Not authorized", "reserved key", ERC721NonexistentToken.
     * @param agentId Id of the agent.
     * @param metadataKey Any key except the reserved `agentWallet`.
     * @param metadataValue The value; empty clears it.
     */
    function setMetadata(uint256 agentId, string calldata metadataKey, bytes calldata metadataValue) external;

    /**
     * @notice Replaces the URI of the agent's registration file.
     * @dev Events: MetadataUpdate, URIUpdated. Reverts with "Not authorized", ERC721NonexistentToken.
     * @param agentId Id of the agent.
     * @param newURI The new URI.
     */
    function setAgentURI(uint256 agentId, string calldata newURI) external;

    /**
     * @notice Sets the agent's wallet; the new wallet must consent with a signature.
     * @dev The signature is EIP-712 in the domain of `eip712Domain` over
     * `AgentWalletSet(uint256 agentId,address newWallet,address owner,uint256 deadline)`, where `owner` is the token's
     * owner. ECDSA is tried first, then ERC-1271. Event: MetadataSet (agentWallet). Reverts with "Not authorized",
     * "bad wallet" (zero), "expired", "deadline too far" (more than five minutes ahead), "invalid wallet sig",
     * ERC721NonexistentToken.
     * @param agentId Id of the agent.
     * @param newWallet The new wallet.
     * @param deadline Last second at which the signature is valid.
     * @param signature Signature of `newWallet`.
     */
    function setAgentWallet(uint256 agentId, address newWallet, uint256 deadline, bytes calldata signature) external;

    /**
     * @notice Removes the agent's wallet.
     * @dev Event: MetadataSet (agentWallet, empty). Reverts with "Not authorized", ERC721NonexistentToken.
     * @param agentId Id of the agent.
     */
    function unsetAgentWallet(uint256 agentId) external;

    /**
     * @notice Returns a metadata value.
     * @param agentId Id of the agent.
     * @param metadataKey The key; `agentWallet` returns the 20 bytes of the wallet's address.
     * @return metadataValue The value; empty if never set, cleared, or if the agent is unknown.
     */
    function getMetadata(
        uint256 agentId,
        string calldata metadataKey
    ) external view returns (bytes memory metadataValue);

    /**
     * @notice Returns the wallet that the agent acts with.
     * @dev Registration sets it to the owner's account; a transfer of the token removes it.
     * @param agentId Id of the agent.
     * @return wallet The wallet; zero if there is none or the agent is unknown.
     */
    function getAgentWallet(uint256 agentId) external view returns (address wallet);

    /**
     * @notice Returns whether ERC-721 allows an account to move the agent's token.
     * @dev Reverts with ERC721NonexistentToken.
     * @param spender The account.
     * @param agentId Id of the agent.
     * @return authorized Whether the account is the owner, an operator of the owner or the approved address.
     */
    function isAuthorizedOrOwner(address spender, uint256 agentId) external view returns (bool authorized);

    /**
     * @notice Returns the version of the ERC-8004 contracts that this interface follows.
     * @return version Always "2.0.0".
     */
    function getVersion() external pure returns (string memory version);
}
