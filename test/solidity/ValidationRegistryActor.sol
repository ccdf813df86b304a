// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

import {IdentityRegistry} from "../../contracts/IdentityRegistry.sol";
import {ValidationRegistry} from "../../contracts/ValidationRegistry.sol";
import {vm} from "./Vm.sol";

/**
 * @notice Owners of two agents ask three validators, who respond, and all attempt what is forbidden. The test runner
 * calls the functions in any order with any arguments.
 * @dev Records requests and responses in one list.
 */
contract ValidationRegistryActor {
    struct Asked {
        bytes32 requestHash;
        address validator;
        uint256 agentId;
        bool hasResponse;
        uint8 response;
        bytes32 responseHash;
        string tag;
        uint256 lastUpdate;
    }

    uint256 private constant _REQUESTS_MAX = 32;

    IdentityRegistry public immutable identities = new IdentityRegistry();
    ValidationRegistry public immutable registry = new ValidationRegistry(address(identities));

    /// @notice Number of calls, which seeds the queries that the invariants make.
    uint256 public calls;
    uint256 public attacksAccepted;
    string public lastAttackAccepted;

    Asked[] private _asked;

    constructor() {
        for (uint256 agentId = 1; agentId <= 2; ++agentId) {
            vm.prank(ownerOf(agentId));
            identities.register("ipfs://file");
        }
        for (uint256 i = 0; i < 2; ++i) request(i, i, bytes32(i));
    }

    function ownerOf(uint256 agentId) public pure returns (address) {
        return address(uint160(0xA0 + agentId));
    }

    function validatorOf(uint256 who) public pure returns (address) {
        return address(uint160(0xE0 + (who % 3)));
    }

    function tagOf(uint256 which) public pure returns (string memory) {
        return ["", "tee", "a tag that does not fit in one slot"][which % 3];
    }

    function asked() external view returns (Asked[] memory) {
        return _asked;
    }

    // Permitted actions, which must always succeed.

    function request(uint256 agentId, uint256 who, bytes32 requestHash) public {
        ++calls;
        agentId = 1 + (agentId % 2);
        if (_asked.length >= _REQUESTS_MAX || _isTaken(requestHash)) return;
        vm.prank(ownerOf(agentId));
        registry.validationRequest(validatorOf(who), agentId, "ipfs://request", requestHash);
        _asked.push(Asked(requestHash, validatorOf(who), agentId, false, 0, 0, "", block.timestamp));
    }

    function respond(uint256 which, uint8 response, bytes32 responseHash, uint256 tag) external {
        ++calls;
        Asked storage one = _asked[which % _asked.length];
        response %= 101;
        vm.prank(one.validator);
        registry.validationResponse(one.requestHash, response, "ipfs://response", responseHash, tagOf(tag));
        (one.hasResponse, one.response, one.responseHash) = (true, response, responseHash);
        (one.tag, one.lastUpdate) = (tagOf(tag), block.timestamp);
    }

    function wait(uint16 duration) external {
        vm.warp(block.timestamp + duration);
    }

    // Attacks, which must never succeed.

    /// @dev A hash in use, for the same or the other agent and the same or another validator.
    function askAgain(uint256 which, uint256 agentId, uint256 who) external {
        agentId = 1 + (agentId % 2);
        bytes32 requestHash = _asked[which % _asked.length].requestHash;
        _attack("ask again", ownerOf(agentId), _requestCall(validatorOf(who), agentId, requestHash));
    }

    function askUnauthorized(uint256 agentId, address caller, bytes32 requestHash) external {
        agentId = 1 + (agentId % 2);
        if (caller == ownerOf(agentId) || _isTaken(requestHash)) return;
        _attack("ask for another", caller, _requestCall(validatorOf(0), agentId, requestHash));
        _attack("ask nobody", ownerOf(agentId), _requestCall(address(0), agentId, requestHash));
        _attack("ask for nobody", caller, _requestCall(validatorOf(0), 3 + agentId, requestHash));
    }

    function exaggerate(uint256 which, uint8 response) external {
        if (response <= 100) response += 101;
        Asked storage one = _asked[which % _asked.length];
        _attack("exaggerate", one.validator, _responseCall(one.requestHash, response));
    }

    function intrude(uint256 which, address caller, uint8 response) external {
        Asked storage one = _asked[which % _asked.length];
        if (caller == one.validator) return;
        _attack("intrude", caller, _responseCall(one.requestHash, response % 101));
    }

    function invent(uint256 who, bytes32 requestHash) external {
        if (_isTaken(requestHash)) return;
        _attack("invent", validatorOf(who), _responseCall(requestHash, 100));
        _attack("invent as nobody", address(0), _responseCall(requestHash, 100));
    }

    function _attack(string memory name, address caller, bytes memory data) private {
        vm.prank(caller);
        (bool ok, ) = address(registry).call(data);
        if (!ok) return;
        ++attacksAccepted;
        lastAttackAccepted = name;
    }

    function _requestCall(
        address validator,
        uint256 agentId,
        bytes32 requestHash
    ) private view returns (bytes memory) {
        return abi.encodeCall(registry.validationRequest, (validator, agentId, "ipfs://request", requestHash));
    }

    function _responseCall(bytes32 requestHash, uint8 response) private view returns (bytes memory) {
        return abi.encodeCall(registry.validationResponse, (requestHash, response, "ipfs://response", 0, ""));
    }

    function _isTaken(bytes32 requestHash) private view returns (bool) {
        for (uint256 i = 0; i < _asked.length; ++i) if (_asked[i].requestHash == requestHash) return true;
        return false;
    }
}
