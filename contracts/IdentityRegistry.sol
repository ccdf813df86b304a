// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721URIStorage} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721URIStorage.sol";
import {ERC721Utils} from "@openzeppelin/contracts/token/ERC721/utils/ERC721Utils.sol";
import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {IIdentityRegistry} from "./interfaces/IIdentityRegistry.sol";

/**
 * @title ERC-8004 Identity Registry
 * @notice Not upgradeable and without an owner: others must be able to rely on the registry without trusting this
 * service, so this service must not be able to change it.
 * @dev The revert strings are part of the ERC-8004 interface. Only {registerFor}, an addition, uses custom errors.
 */
contract IdentityRegistry is IIdentityRegistry, ERC721URIStorage, EIP712, Nonces {
    string private constant _WALLET_KEY = "agentWallet";
    bytes32 private constant _WALLET_KEY_HASH = keccak256(bytes(_WALLET_KEY));
    uint256 private constant _WALLET_DEADLINE_MAX = 5 minutes;

    bytes32 private constant _AGENT_WALLET_SET_TYPEHASH =
        keccak256("AgentWalletSet(uint256 agentId,address newWallet,address owner,uint256 deadline)");
    bytes32 private constant _METADATA_ENTRY_TYPEHASH =
        keccak256("MetadataEntry(string metadataKey,bytes metadataValue)");
    bytes32 private constant _REGISTER_FOR_TYPEHASH =
        keccak256(
            "RegisterFor(address owner,string agentURI,MetadataEntry[] metadata,uint256 nonce,uint256 deadline)"
            "MetadataEntry(string metadataKey,bytes metadataValue)"
        );

    uint256 private _lastAgentId;

    /// @dev Stored as addresses rather than in `_metadata`, which saves hashing the key on every access.
    mapping(uint256 agentId => address wallet) private _agentWallets;

    mapping(uint256 agentId => mapping(string metadataKey => bytes metadataValue)) private _metadata;

    constructor() ERC721("AgentIdentity", "AGENT") EIP712("ERC8004IdentityRegistry", "1") {}

    /// @inheritdoc IIdentityRegistry
    function register() external returns (uint256 agentId) {
        agentId = _mintAgent(msg.sender);
        _emitRegistered(agentId, "", msg.sender);
        _requireReceiver(agentId);
    }

    /// @inheritdoc IIdentityRegistry
    function register(string calldata agentURI) external returns (uint256 agentId) {
        agentId = _register(msg.sender, agentURI);
        _requireReceiver(agentId);
    }

    /// @inheritdoc IIdentityRegistry
    function register(string calldata agentURI, MetadataEntry[] calldata metadata) external returns (uint256 agentId) {
        agentId = _register(msg.sender, agentURI);
        _storeEntries(agentId, metadata);
        _requireReceiver(agentId);
    }

    /// @inheritdoc IIdentityRegistry
    function registerFor(
        address owner,
        string calldata agentURI,
        MetadataEntry[] calldata metadata,
        uint256 deadline,
        bytes calldata signature
    ) external returns (uint256 agentId) {
        if (block.timestamp > deadline) revert RegistrationExpired(deadline, block.timestamp);
        uint256 nonce = _useNonce(owner);
        bytes32 digest = _hashRegisterFor(owner, agentURI, metadata, nonce, deadline);
        if (!_isSignedBy(owner, digest, signature)) revert InvalidRegistrationSignature(owner, nonce);

        agentId = _register(owner, agentURI);
        _storeEntries(agentId, metadata);
    }

    /// @inheritdoc IIdentityRegistry
    function setMetadata(uint256 agentId, string calldata metadataKey, bytes calldata metadataValue) external {
        _requireAuthorized(agentId);
        _storeMetadata(agentId, metadataKey, metadataValue);
    }

    /// @inheritdoc IIdentityRegistry
    function setAgentURI(uint256 agentId, string calldata newURI) external {
        _requireAuthorized(agentId);
        _setTokenURI(agentId, newURI);
        emit URIUpdated(agentId, newURI, msg.sender);
    }

    /// @inheritdoc IIdentityRegistry
    function setAgentWallet(uint256 agentId, address newWallet, uint256 deadline, bytes calldata signature) external {
        address owner = _requireAuthorized(agentId);
        require(newWallet != address(0), "bad wallet");
        require(block.timestamp <= deadline, "expired");
        require(deadline <= block.timestamp + _WALLET_DEADLINE_MAX, "deadline too far");
        bytes32 digest = _hashTypedDataV4(
            keccak256(abi.encode(_AGENT_WALLET_SET_TYPEHASH, agentId, newWallet, owner, deadline))
        );
        require(_isSignedBy(newWallet, digest, signature), "invalid wallet sig");

        _agentWallets[agentId] = newWallet;
        emit MetadataSet(agentId, _WALLET_KEY, _WALLET_KEY, abi.encodePacked(newWallet));
    }

    /// @inheritdoc IIdentityRegistry
    function unsetAgentWallet(uint256 agentId) external {
        _requireAuthorized(agentId);
        _clearAgentWallet(agentId);
    }

    /// @inheritdoc IIdentityRegistry
    function getMetadata(uint256 agentId, string calldata metadataKey) external view returns (bytes memory) {
        if (keccak256(bytes(metadataKey)) != _WALLET_KEY_HASH) return _metadata[agentId][metadataKey];
        address wallet = _agentWallets[agentId];
        return wallet == address(0) ? bytes("") : abi.encodePacked(wallet);
    }

    /// @inheritdoc IIdentityRegistry
    function getAgentWallet(uint256 agentId) external view returns (address) {
        return _agentWallets[agentId];
    }

    /// @inheritdoc IIdentityRegistry
    function isAuthorizedOrOwner(address spender, uint256 agentId) external view returns (bool) {
        return _isAuthorized(_requireOwned(agentId), spender, agentId);
    }

    /// @inheritdoc IIdentityRegistry
    function getVersion() external pure returns (string memory) {
        return "2.0.0";
    }

    /**
     * @dev A transfer removes the wallet before the token moves: the wallet consented to the previous owner and must
     * not act for the new one. As in the reference contract, a transfer to oneself removes it too.
     */
    function _update(address to, uint256 agentId, address auth) internal override returns (address) {
        if (to != address(0) && _ownerOf(agentId) != address(0)) _clearAgentWallet(agentId);
        return super._update(to, agentId, auth);
    }

    function _register(address owner, string calldata agentURI) private returns (uint256 agentId) {
        agentId = _mintAgent(owner);
        _setTokenURI(agentId, agentURI);
        _emitRegistered(agentId, agentURI, owner);
    }

    function _mintAgent(address owner) private returns (uint256 agentId) {
        unchecked {
            agentId = ++_lastAgentId;
        }
        _agentWallets[agentId] = owner;
        _mint(owner, agentId);
    }

    function _emitRegistered(uint256 agentId, string memory agentURI, address owner) private {
        emit Registered(agentId, agentURI, owner);
        emit MetadataSet(agentId, _WALLET_KEY, _WALLET_KEY, abi.encodePacked(owner));
    }

    function _storeEntries(uint256 agentId, MetadataEntry[] calldata metadata) private {
        for (uint256 i = 0; i < metadata.length; ++i) {
            _storeMetadata(agentId, metadata[i].metadataKey, metadata[i].metadataValue);
        }
    }

    function _storeMetadata(uint256 agentId, string calldata metadataKey, bytes calldata metadataValue) private {
        require(keccak256(bytes(metadataKey)) != _WALLET_KEY_HASH, "reserved key");
        _metadata[agentId][metadataKey] = metadataValue;
        emit MetadataSet(agentId, metadataKey, metadataKey, metadataValue);
    }

    function _clearAgentWallet(uint256 agentId) private {
        delete _agentWallets[agentId];
        emit MetadataSet(agentId, _WALLET_KEY, _WALLET_KEY, "");
    }

    /**
     * @dev A contract that registers an agent must accept the token (`onERC721Received`). The reference contract calls
     * it in the middle of the registration. Here the call comes last, after everything is stored and all events are
     * emitted, so that a contract that calls back sees a complete agent.
     */
    function _requireReceiver(uint256 agentId) private {
        ERC721Utils.checkOnERC721Received(msg.sender, address(0), msg.sender, agentId, "");
    }

    function _requireAuthorized(uint256 agentId) private view returns (address owner) {
        owner = _requireOwned(agentId);
        require(_isAuthorized(owner, msg.sender, agentId), "Not authorized");
    }

    /**
     * @dev Tries ECDSA first even if the signer has code: an account that delegates to code (EIP-7702) still signs with
     * its key.
     */
    function _isSignedBy(address signer, bytes32 digest, bytes calldata signature) private view returns (bool) {
        (address recovered, ECDSA.RecoverError err, ) = ECDSA.tryRecoverCalldata(digest, signature);
        if (err == ECDSA.RecoverError.NoError && recovered == signer) return true;
        return SignatureChecker.isValidERC1271SignatureNowCalldata(signer, digest, signature);
    }

    /// @dev EIP-712 encodes an array of structs as the hash of the struct hashes, and strings and bytes as their
    /// hashes.
    function _hashRegisterFor(
        address owner,
        string calldata agentURI,
        MetadataEntry[] calldata metadata,
        uint256 nonce,
        uint256 deadline
    ) private view returns (bytes32) {
        bytes32[] memory entryHashes = new bytes32[](metadata.length);
        for (uint256 i = 0; i < metadata.length; ++i) {
            entryHashes[i] = keccak256(
                abi.encode(
                    _METADATA_ENTRY_TYPEHASH,
                    keccak256(bytes(metadata[i].metadataKey)),
                    keccak256(metadata[i].metadataValue)
                )
            );
        }
        bytes32 structHash = keccak256(
            abi.encode(
                _REGISTER_FOR_TYPEHASH,
                owner,
                keccak256(bytes(agentURI)),
                keccak256(abi.encodePacked(entryHashes)),
                nonce,
                deadline
            )
        );
        return _hashTypedDataV4(structHash);
    }
}
