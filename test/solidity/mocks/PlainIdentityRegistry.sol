// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721URIStorage} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721URIStorage.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/**
 * @title An ERC-8004 Identity Registry by another author
 * @notice Has the functions, events and revert strings of version 2.0.0 only: no `registerFor`, no `nonces`.
 * @dev Ids start at 0, which the standard allows, and the receiver is called in the middle of the registration.
 */
contract PlainIdentityRegistry is ERC721URIStorage, EIP712 {
    struct MetadataEntry {
        string metadataKey;
        bytes metadataValue;
    }

    event Registered(uint256 indexed agentId, string agentURI, address indexed owner);
    event MetadataSet(
        uint256 indexed agentId,
        string indexed indexedMetadataKey,
        string metadataKey,
        bytes metadataValue
    );
    event URIUpdated(uint256 indexed agentId, string newURI, address indexed updatedBy);

    string private constant _WALLET_KEY = "agentWallet";

    uint256 private _nextAgentId;
    mapping(uint256 agentId => mapping(string metadataKey => bytes metadataValue)) private _metadata;

    constructor() ERC721("AgentIdentity", "AGENT") EIP712("ERC8004IdentityRegistry", "1") {}

    modifier onlyAuthorized(uint256 agentId) {
        require(isAuthorizedOrOwner(msg.sender, agentId), "Not authorized");
        _;
    }

    function register() external returns (uint256 agentId) {
        agentId = _mintAgent();
        _emitRegistered(agentId, "");
    }

    function register(string calldata agentURI) external returns (uint256 agentId) {
        agentId = _mintAgent();
        _setTokenURI(agentId, agentURI);
        _emitRegistered(agentId, agentURI);
    }

    function register(string calldata agentURI, MetadataEntry[] calldata metadata) external returns (uint256 agentId) {
        agentId = _mintAgent();
        _setTokenURI(agentId, agentURI);
        _emitRegistered(agentId, agentURI);
        for (uint256 i = 0; i < metadata.length; ++i) {
            _requireUnreserved(metadata[i].metadataKey);
            _store(agentId, metadata[i].metadataKey, metadata[i].metadataValue);
        }
    }

    function setMetadata(
        uint256 agentId,
        string calldata metadataKey,
        bytes calldata metadataValue
    ) external onlyAuthorized(agentId) {
        _requireUnreserved(metadataKey);
        _store(agentId, metadataKey, metadataValue);
    }

    function setAgentURI(uint256 agentId, string calldata newURI) external onlyAuthorized(agentId) {
        _setTokenURI(agentId, newURI);
        emit URIUpdated(agentId, newURI, msg.sender);
    }

    function setAgentWallet(
        uint256 agentId,
        address newWallet,
        uint256 deadline,
        bytes calldata signature
    ) external onlyAuthorized(agentId) {
        require(newWallet != address(0), "bad wallet");
        require(block.timestamp <= deadline, "expired");
        require(deadline <= block.timestamp + 5 minutes, "deadline too far");
        bytes32 digest = _hashTypedDataV4(
            keccak256(
                abi.encode(
                    keccak256("AgentWalletSet(uint256 agentId,address newWallet,address owner,uint256 deadline)"),
                    agentId,
                    newWallet,
                    ownerOf(agentId),
                    deadline
                )
            )
        );
        require(SignatureChecker.isValidSignatureNow(newWallet, digest, signature), "invalid wallet sig");
        _store(agentId, _WALLET_KEY, abi.encodePacked(newWallet));
    }

    function unsetAgentWallet(uint256 agentId) external onlyAuthorized(agentId) {
        _store(agentId, _WALLET_KEY, "");
    }

    function getMetadata(uint256 agentId, string calldata metadataKey) external view returns (bytes memory) {
        return _metadata[agentId][metadataKey];
    }

    function getAgentWallet(uint256 agentId) external view returns (address) {
        return address(bytes20(_metadata[agentId][_WALLET_KEY]));
    }

    function getVersion() external pure returns (string memory) {
        return "2.0.0";
    }

    function isAuthorizedOrOwner(address spender, uint256 agentId) public view returns (bool) {
        return _isAuthorized(ownerOf(agentId), spender, agentId);
    }

    function _update(address to, uint256 agentId, address auth) internal override returns (address) {
        if (_ownerOf(agentId) != address(0) && to != address(0)) _store(agentId, _WALLET_KEY, "");
        return super._update(to, agentId, auth);
    }

    function _mintAgent() private returns (uint256 agentId) {
        agentId = _nextAgentId++;
        _metadata[agentId][_WALLET_KEY] = abi.encodePacked(msg.sender);
        _safeMint(msg.sender, agentId);
    }

    function _emitRegistered(uint256 agentId, string memory agentURI) private {
        emit Registered(agentId, agentURI, msg.sender);
        emit MetadataSet(agentId, _WALLET_KEY, _WALLET_KEY, abi.encodePacked(msg.sender));
    }

    function _store(uint256 agentId, string memory metadataKey, bytes memory metadataValue) private {
        _metadata[agentId][metadataKey] = metadataValue;
        emit MetadataSet(agentId, metadataKey, metadataKey, metadataValue);
    }

    function _requireUnreserved(string calldata metadataKey) private pure {
        require(keccak256(bytes(metadataKey)) != keccak256(bytes(_WALLET_KEY)), "reserved key");
    }
}
