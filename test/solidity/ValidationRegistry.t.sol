// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

import {ValidationRegistry} from "../../contracts/ValidationRegistry.sol";
import {ValidationRegistryActor} from "./ValidationRegistryActor.sol";

/// @notice Each request exists once, gets responses from 0 to 100 from its validator only, and is summarised as by the
/// twin.
contract ValidationRegistryTest {
    ValidationRegistryActor private _actor;

    function setUp() public {
        _actor = new ValidationRegistryActor();
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_actor);
    }

    function invariant_NoAttackIsAccepted() external view {
        require(_actor.attacksAccepted() == 0, _actor.lastAttackAccepted());
    }

    function invariant_RequestsAndResponsesAreStored() external view {
        ValidationRegistryActor.Asked[] memory asked = _actor.asked();
        for (uint256 i = 0; i < asked.length; ++i) {
            (
                address validator,
                uint256 agentId,
                uint8 response,
                bytes32 responseHash,
                string memory tag,
                uint256 lastUpdate
            ) = _actor.registry().getValidationStatus(asked[i].requestHash);
            require(validator == asked[i].validator && agentId == asked[i].agentId, "request");
            require(response <= 100 && response == asked[i].response, "response");
            require(responseHash == asked[i].responseHash && lastUpdate == asked[i].lastUpdate, "hash and time");
            require(keccak256(bytes(tag)) == keccak256(bytes(asked[i].tag)), "tag");
        }
    }

    /// @dev Each request is listed once under its agent and once under its validator, in the order of the requests.
    function invariant_ListsAreDense() external view {
        ValidationRegistry registry = _actor.registry();
        for (uint256 agentId = 1; agentId <= 2; ++agentId) {
            bytes32[] memory hashes = registry.getAgentValidations(agentId);
            require(_hash(hashes) == _hash(_requestHashes(agentId, address(0))), "of the agent");
            uint256 offset = _actor.calls() % 7;
            bytes32[] memory page = registry.getAgentValidations(agentId, offset, 5);
            require(page.length == _pageLength(hashes.length, offset, 5), "length of the page");
            for (uint256 i = 0; i < page.length; ++i) require(page[i] == hashes[offset + i], "page");
        }
        for (uint256 who = 0; who < 3; ++who) {
            address validator = _actor.validatorOf(who);
            bytes32[] memory requests = registry.getValidatorRequests(validator);
            require(_hash(requests) == _hash(_requestHashes(0, validator)), "validator");
        }
    }

    /// @dev For all, one and several validators, with duplicates, under any tag.
    function invariant_SummariesEqualTwin() external view {
        uint256 seed = uint256(keccak256(abi.encode(_actor.calls())));
        address[] memory validators = new address[](seed % 4);
        for (uint256 i = 0; i < validators.length; ++i) validators[i] = _actor.validatorOf(seed >> (8 + 8 * i));
        string memory tag = _actor.tagOf(seed >> 64);
        for (uint256 agentId = 1; agentId <= 2; ++agentId) {
            (uint64 count, uint8 average) = _actor.registry().getSummary(agentId, validators, tag);
            (uint64 twinCount, uint8 twinAverage) = _summary(agentId, validators, tag);
            require(count == twinCount && average == twinAverage, "summary");
        }
    }

    function _summary(
        uint256 agentId,
        address[] memory validators,
        string memory tag
    ) private view returns (uint64 count, uint8 average) {
        ValidationRegistryActor.Asked[] memory asked = _actor.asked();
        uint256 sum = 0;
        for (uint256 i = 0; i < asked.length; ++i) {
            bool isListed = validators.length == 0;
            for (uint256 k = 0; k < validators.length; ++k) isListed = isListed || validators[k] == asked[i].validator;
            bool isTagged = bytes(tag).length == 0 || keccak256(bytes(tag)) == keccak256(bytes(asked[i].tag));
            if (asked[i].agentId != agentId || !asked[i].hasResponse || !isListed || !isTagged) continue;
            sum += asked[i].response;
            ++count;
        }
        if (count > 0) average = uint8(sum / count);
    }

    /// @dev Zero means any agent or any validator.
    function _requestHashes(uint256 agentId, address validator) private view returns (bytes32[] memory hashes) {
        ValidationRegistryActor.Asked[] memory asked = _actor.asked();
        hashes = new bytes32[](asked.length);
        uint256 count = 0;
        for (uint256 i = 0; i < asked.length; ++i) {
            if (agentId != 0 && asked[i].agentId != agentId) continue;
            if (validator != address(0) && asked[i].validator != validator) continue;
            hashes[count++] = asked[i].requestHash;
        }
        assembly ("memory-safe") {
            mstore(hashes, count)
        }
    }

    function _pageLength(uint256 total, uint256 offset, uint256 limit) private pure returns (uint256) {
        if (offset >= total) return 0;
        return total - offset < limit ? total - offset : limit;
    }

    function _hash(bytes32[] memory list) private pure returns (bytes32) {
        return keccak256(abi.encode(list));
    }
}
