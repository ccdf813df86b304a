// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

/**
 * @title Identities of agents (ERC-8004, Identity Registry 2.0.0)
 * @notice Each agent is one ERC-721 token whose URI is its registration file, with keyed metadata beside it and one
 * wallet that the agent acts with.
 * @dev Signatures, events, their order and the revert strings are those of the ERC-8004 reference contract, so that its
 * clients need no change; ids begin at 1. The token functions are in ERC-721, `MetadataUpdate` in ERC-4906 and
 * `eip712Domain` in ERC-5267. {registerFor} is this registry's own addition and uses custom errors.
 *
 * Everyone whom ERC-721 lets move the token (the owner, its operators, the approved address) is "authorised" below.
 */
interface IIdentityRegistry {
    /**
     * @notice One piece of metadata given at registration.
     * @param metadataKey Name of the value; every key but the reserved `agentWallet`.
     * @param metadataValue The value, uninterpreted.
     */
    struct MetadataEntry {
        string metadataKey;
        bytes metadataValue;
    }

    /**
     * @notice An agent was registered.
     * @param agentId Id of the agent and of its token.
     * @param agentURI Address of its registration file, empty when it is to follow.
     * @param owner First holder of the token.
     */
    event Registered(uint256 indexed agentId, string agentURI, address indexed owner);

    /**
     * @notice A value of the agent's metadata was set, or cleared when the value is empty.
     * @param agentId Id of the agent.
     * @param indexedMetadataKey The key again, as a topic (its Keccak-256).
     * @param metadataKey Name of the value; `agentWallet` holds the wallet's 20 bytes.
     * @param metadataValue The value.
     */
    event MetadataSet(
        uint256 indexed agentId,
        string indexed indexedMetadataKey,
        string metadataKey,
        bytes metadataValue
    );

    /**
     * @notice The address of the agent's registration file was replaced.
     * @param agentId Id of the agent.
     * @param newURI The address that holds from now on.
     * @param updatedBy The authorised caller.
     */
    event URIUpdated(uint256 indexed agentId, string newURI, address indexed updatedBy);

    /**
     * @notice The signed registration was handed in too late.
     * @param deadline Last second at which it was valid.
     * @param timestamp Time of the block.
     */
    error RegistrationExpired(uint256 deadline, uint256 timestamp);

    /**
     * @notice The signature is not the owner's over exactly these values and this nonce.
     * @param owner Account that had to sign.
     * @param nonce The nonce the signature had to cover.
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
     * @param agentURI Address of the registration file.
     * @return agentId Id of the new agent.
     */
    function register(string calldata agentURI) external returns (uint256 agentId);

    /**
     * @notice Registers the caller's agent with metadata.
     * @dev Events: Transfer, MetadataUpdate, Registered, MetadataSet (agentWallet), then one MetadataSet per entry.
     * Reverts with "reserved key" for an entry named `agentWallet`.
     * @param agentURI Address of the registration file.
     * @param metadata Values to store, in order.
     * @return agentId Id of the new agent.
     */
    function register(string calldata agentURI, MetadataEntry[] calldata metadata) external returns (uint256 agentId);

    /**
     * @notice Registers an agent for `owner`, who signed for it, while the caller pays.
     * @dev Token and wallet are the owner's from the start. The signature is EIP-712 in the domain of `eip712Domain`
     * over `RegisterFor(address owner,string agentURI,MetadataEntry[] metadata,uint256 nonce,uint256 deadline)` with
     * `MetadataEntry(string metadataKey,bytes metadataValue)`; `nonce` is `nonces(owner)`. ECDSA is tried first, then
     * ERC-1271. The deadline may lie as far ahead as the owner likes: who hands it in may be away for a while. Events
     * as for {register} with metadata. The owner is not asked through `onERC721Received`: it has signed.
     * Reverts with {RegistrationExpired}, {InvalidRegistrationSignature}, "reserved key".
     * @param owner Account the agent will belong to.
     * @param agentURI Address of the registration file.
     * @param metadata Values to store, in order.
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
     * @notice Stores one value of the agent's metadata.
     * @dev Event: MetadataSet. Reverts with "Not authorized", "reserved key", ERC721NonexistentToken.
     * @param agentId Id of the agent.
     * @param metadataKey Name of the value; every key but `agentWallet`.
     * @param metadataValue The value; empty clears it.
     */
    function setMetadata(uint256 agentId, string calldata metadataKey, bytes calldata metadataValue) external;

    /**
     * @notice Replaces the address of the agent's registration file.
     * @dev Events: MetadataUpdate, URIUpdated. Reverts with "Not authorized", ERC721NonexistentToken.
     * @param agentId Id of the agent.
     * @param newURI The address that holds from now on.
     */
    function setAgentURI(uint256 agentId, string calldata newURI) external;

    /**
     * @notice Gives the agent another wallet, which has to consent by its signature.
     * @dev The signature is EIP-712 in the domain of `eip712Domain` over
     * `AgentWalletSet(uint256 agentId,address newWallet,address owner,uint256 deadline)`, where `owner` holds the
     * token. ECDSA is tried first, then ERC-1271. Event: MetadataSet (agentWallet). Reverts with "Not authorized",
     * "bad wallet" (zero), "expired", "deadline too far" (more than five minutes ahead), "invalid wallet sig",
     * ERC721NonexistentToken.
     * @param agentId Id of the agent.
     * @param newWallet The wallet that signed.
     * @param deadline Last second at which the signature is valid.
     * @param signature Signature of `newWallet`.
     */
    function setAgentWallet(uint256 agentId, address newWallet, uint256 deadline, bytes calldata signature) external;

    /**
     * @notice Takes the agent's wallet away.
     * @dev Event: MetadataSet (agentWallet, empty). Reverts with "Not authorized", ERC721NonexistentToken.
     * @param agentId Id of the agent.
     */
    function unsetAgentWallet(uint256 agentId) external;

    /**
     * @notice One value of the agent's metadata.
     * @param agentId Id of the agent.
     * @param metadataKey Name of the value; `agentWallet` answers the wallet's 20 bytes.
     * @return metadataValue The value; empty when never set, cleared, or for an unknown agent.
     */
    function getMetadata(
        uint256 agentId,
        string calldata metadataKey
    ) external view returns (bytes memory metadataValue);

    /**
     * @notice The wallet the agent acts with.
     * @dev The owner's account at registration, none after the token has been transferred.
     * @param agentId Id of the agent.
     * @return wallet The wallet; zero for none and for an unknown agent.
     */
    function getAgentWallet(uint256 agentId) external view returns (address wallet);

    /**
     * @notice Whether ERC-721 lets an account move the agent's token.
     * @dev Reverts with ERC721NonexistentToken.
     * @param spender Account in question.
     * @param agentId Id of the agent.
     * @return authorized Whether it is the owner, an operator of the owner or the approved address.
     */
    function isAuthorizedOrOwner(address spender, uint256 agentId) external view returns (bool authorized);

    /**
     * @notice Version of the ERC-8004 contracts whose interface this is.
     * @return version Always "2.0.0".
     */
    function getVersion() external pure returns (string memory version);
}
