// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

import {IIdentityRegistry} from "./interfaces/IIdentityRegistry.sol";
import {IValidationRegistry} from "./interfaces/IValidationRegistry.sol";

/**
 * @title ERC-8004 Validation Registry
 * @notice Not upgradeable and without an owner: only the validator named in a request can set its response.
 * @dev The revert strings are part of the ERC-8004 interface. URIs appear only in events and are not stored.
 */
contract ValidationRegistry is IValidationRegistry {
    /// @dev The first slot holds everything a request writes except the agent id, and everything a response writes
    /// except hash and tag.
    struct Validation {
        address validatorAddress;
        uint8 response;
        bool hasResponse;
        uint64 lastUpdate;
        uint256 agentId;
        bytes32 responseHash;
        string tag;
    }

    uint8 private constant _RESPONSE_MAX = 100;

    IIdentityRegistry private immutable _IDENTITY_REGISTRY;

    mapping(bytes32 requestHash => Validation validation) private _validations;
    mapping(uint256 agentId => bytes32[] requestHashes) private _agentValidations;
    mapping(address validator => bytes32[] requestHashes) private _validatorRequests;

    /// @notice Sets the identity registry, which cannot be changed later.
    /// @param identityRegistry The registry whose agents' work is validated.
    constructor(address identityRegistry) {
        require(identityRegistry != address(0), "bad identity");
        _IDENTITY_REGISTRY = IIdentityRegistry(identityRegistry);
    }

    /// @inheritdoc IValidationRegistry
    function validationRequest(
        address validatorAddress,
        uint256 agentId,
        string calldata requestURI,
        bytes32 requestHash
    ) external {
        require(validatorAddress != address(0), "bad validator");
        Validation storage validation = _validations[requestHash];
        require(validation.validatorAddress == address(0), "exists");
        require(_IDENTITY_REGISTRY.isAuthorizedOrOwner(msg.sender, agentId), "Not authorized");

        validation.validatorAddress = validatorAddress;
        validation.lastUpdate = uint64(block.timestamp);
        validation.agentId = agentId;
        _agentValidations[agentId].push(requestHash);
        _validatorRequests[validatorAddress].push(requestHash);
        emit ValidationRequest(validatorAddress, agentId, requestURI, requestHash);
    }

    /// @inheritdoc IValidationRegistry
    function validationResponse(
        bytes32 requestHash,
        uint8 response,
        string calldata responseURI,
        bytes32 responseHash,
        string calldata tag
    ) external {
        Validation storage validation = _requireValidation(requestHash);
        require(msg.sender == validation.validatorAddress, "not validator");
        require(response <= _RESPONSE_MAX, "resp>100");

        (validation.response, validation.hasResponse) = (response, true);
        validation.lastUpdate = uint64(block.timestamp);
        validation.responseHash = responseHash;
        validation.tag = tag;
        uint256 agentId = validation.agentId;
        emit ValidationResponse(msg.sender, agentId, requestHash, response, responseURI, responseHash, tag);
    }

    /// @inheritdoc IValidationRegistry
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
        )
    {
        Validation storage validation = _requireValidation(requestHash);
        (validatorAddress, response, lastUpdate) = (
            validation.validatorAddress,
            validation.response,
            validation.lastUpdate
        );
        (agentId, responseHash, tag) = (validation.agentId, validation.responseHash, validation.tag);
    }

    /// @inheritdoc IValidationRegistry
    function getSummary(
        uint256 agentId,
        address[] calldata validatorAddresses,
        string calldata tag
    ) external view returns (uint64 count, uint8 avgResponse) {
        bytes32[] storage requestHashes = _agentValidations[agentId];
        uint256 sum = 0;
        for (uint256 i = 0; i < requestHashes.length; ++i) {
            Validation storage validation = _validations[requestHashes[i]];
            if (!validation.hasResponse) continue;
            if (!_isChosen(validation.validatorAddress, validatorAddresses)) continue;
            if (bytes(tag).length > 0 && keccak256(bytes(validation.tag)) != keccak256(bytes(tag))) continue;
            sum += validation.response;
            ++count;
        }
        if (count > 0) avgResponse = uint8(sum / count);
    }

    /// @inheritdoc IValidationRegistry
    function getAgentValidations(uint256 agentId) external view returns (bytes32[] memory) {
        return _agentValidations[agentId];
    }

    /// @inheritdoc IValidationRegistry
    function getAgentValidations(
        uint256 agentId,
        uint256 offset,
        uint256 limit
    ) external view returns (bytes32[] memory requestHashes) {
        return _page(_agentValidations[agentId], offset, limit);
    }

    /// @inheritdoc IValidationRegistry
    function getValidatorRequests(address validatorAddress) external view returns (bytes32[] memory) {
        return _validatorRequests[validatorAddress];
    }

    /// @inheritdoc IValidationRegistry
    function getValidatorRequests(
        address validatorAddress,
        uint256 offset,
        uint256 limit
    ) external view returns (bytes32[] memory requestHashes) {
        return _page(_validatorRequests[validatorAddress], offset, limit);
    }

    /// @inheritdoc IValidationRegistry
    function getIdentityRegistry() external view returns (address) {
        return address(_IDENTITY_REGISTRY);
    }

    /// @inheritdoc IValidationRegistry
    function getVersion() external pure returns (string memory) {
        return "2.0.0";
    }

    function _page(
        bytes32[] storage all,
        uint256 offset,
        uint256 limit
    ) private view returns (bytes32[] memory page) {
        uint256 left = offset < all.length ? all.length - offset : 0;
        page = new bytes32[](limit < left ? limit : left);
        for (uint256 i = 0; i < page.length; ++i) page[i] = all[offset + i];
    }

    function _requireValidation(bytes32 requestHash) private view returns (Validation storage validation) {
        validation = _validations[requestHash];
        require(validation.validatorAddress != address(0), "unknown");
    }

    /// @dev An empty list selects all validators.
    function _isChosen(address validator, address[] calldata chosen) private pure returns (bool) {
        for (uint256 i = 0; i < chosen.length; ++i) {
            if (chosen[i] == validator) return true;
        }
        return chosen.length == 0;
    }
}
