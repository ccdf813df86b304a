// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

import {IIdentityRegistry} from "./interfaces/IIdentityRegistry.sol";
import {IReputationRegistry} from "./interfaces/IReputationRegistry.sol";
import {AddressList} from "./lib/AddressList.sol";
import {DecimalMean} from "./lib/DecimalMean.sol";
import {FeedbackRecord} from "./lib/FeedbackRecord.sol";
import {FeedbackRows} from "./lib/FeedbackRows.sol";

/**
 * @title ERC-8004 Reputation Registry
 * @notice Not upgradeable and without an owner: nobody can change or delete feedback.
 * @dev The revert strings are part of the ERC-8004 interface. Endpoints, URIs and hashes appear only in events and are
 * not stored.
 */
contract ReputationRegistry is IReputationRegistry {
    using FeedbackRecord for FeedbackRecord.Record;

    struct ClientFeedback {
        uint64 lastIndex;
        mapping(uint64 feedbackIndex => FeedbackRecord.Record feedback) at;
    }

    struct FeedbackKey {
        address client;
        uint64 feedbackIndex;
    }

    uint8 private constant _DECIMALS_MAX = 18;
    int128 private constant _VALUE_MAX = 1e38;

    IIdentityRegistry private immutable _IDENTITY_REGISTRY;

    mapping(uint256 agentId => address[] clients) private _clients;
    mapping(uint256 agentId => mapping(address client => ClientFeedback given)) private _feedback;

    /// @notice Sets the identity registry, which cannot be changed later.
    /// @param identityRegistry The registry whose agents receive feedback.
    constructor(address identityRegistry) {
        require(identityRegistry != address(0), "bad identity");
        _IDENTITY_REGISTRY = IIdentityRegistry(identityRegistry);
    }

    /// @inheritdoc IReputationRegistry
    function giveFeedback(
        uint256 agentId,
        int128 value,
        uint8 valueDecimals,
        string memory tag1,
        string memory tag2,
        string memory endpoint,
        string memory feedbackURI,
        bytes32 feedbackHash
    ) public {
        require(valueDecimals <= _DECIMALS_MAX, "too many decimals");
        require(value >= -_VALUE_MAX && value <= _VALUE_MAX, "value too large");
        require(!_IDENTITY_REGISTRY.isAuthorizedOrOwner(msg.sender, agentId), "Self-feedback not allowed");

        uint64 index = _nextIndex(agentId);
        _feedback[agentId][msg.sender].at[index].write(value, valueDecimals, tag1, tag2);
        emit NewFeedback(
            agentId,
            msg.sender,
            index,
            value,
            valueDecimals,
            tag1,
            tag1,
            tag2,
            endpoint,
            feedbackURI,
            feedbackHash
        );
    }

    /// @inheritdoc IReputationRegistry
    function revokeFeedback(uint256 agentId, uint64 feedbackIndex) external {
        FeedbackRecord.Record storage feedback = _requireFeedback(agentId, msg.sender, feedbackIndex);
        require(!feedback.isRevoked, "Already revoked");
        feedback.isRevoked = true;
        emit FeedbackRevoked(agentId, msg.sender, feedbackIndex);
    }

    /// @inheritdoc IReputationRegistry
    function appendResponse(
        uint256 agentId,
        address clientAddress,
        uint64 feedbackIndex,
        string calldata responseURI,
        bytes32 responseHash
    ) external {
        require(feedbackIndex > 0, "index must be > 0");
        require(bytes(responseURI).length > 0, "Empty URI");
        FeedbackRecord.Record storage feedback = _requireFeedback(agentId, clientAddress, feedbackIndex);
        feedback.addResponse(msg.sender);
        emit ResponseAppended(agentId, clientAddress, feedbackIndex, msg.sender, responseURI, responseHash);
    }

    /// @inheritdoc IReputationRegistry
    function getSummary(
        uint256 agentId,
        address[] calldata clientAddresses,
        string calldata tag1,
        string calldata tag2
    ) external view returns (uint64 count, int128 summaryValue, uint8 summaryValueDecimals) {
        require(clientAddresses.length > 0, "clientAddresses required");
        address[] memory clients = AddressList.distinct(clientAddresses);
        FeedbackRecord.Filter memory filter = FeedbackRecord.filterOf(tag1, tag2, false);
        DecimalMean.Tally memory tally = _tallyOf(agentId, _select(agentId, clients, filter));
        (summaryValue, summaryValueDecimals) = DecimalMean.mean(tally);
        count = tally.count;
    }

    /// @inheritdoc IReputationRegistry
    function readFeedback(
        uint256 agentId,
        address clientAddress,
        uint64 feedbackIndex
    )
        external
        view
        returns (int128 value, uint8 valueDecimals, string memory tag1, string memory tag2, bool isRevoked)
    {
        FeedbackRecord.Record storage feedback = _requireFeedback(agentId, clientAddress, feedbackIndex);
        (tag1, tag2) = feedback.tagsOf();
        return (feedback.value, feedback.valueDecimals, tag1, tag2, feedback.isRevoked);
    }

    /// @inheritdoc IReputationRegistry
    function readAllFeedback(
        uint256 agentId,
        address[] memory clientAddresses,
        string memory tag1,
        string memory tag2,
        bool includeRevoked
    )
        public
        view
        returns (
            address[] memory clients,
            uint64[] memory feedbackIndexes,
            int128[] memory values,
            uint8[] memory valueDecimals,
            string[] memory tag1s,
            string[] memory tag2s,
            bool[] memory revokedStatuses
        )
    {
        FeedbackRecord.Filter memory filter = FeedbackRecord.filterOf(tag1, tag2, includeRevoked);
        FeedbackRows.Rows memory rows = _rowsOf(agentId, clientAddresses, filter);
        (clients, feedbackIndexes, values) = (rows.clients, rows.feedbackIndexes, rows.values);
        (valueDecimals, tag1s, tag2s) = (rows.valueDecimals, rows.tag1s, rows.tag2s);
        revokedStatuses = rows.revokedStatuses;
    }

    /// @inheritdoc IReputationRegistry
    function getResponseCount(
        uint256 agentId,
        address clientAddress,
        uint64 feedbackIndex,
        address[] calldata responders
    ) external view returns (uint64 count) {
        address[] memory distinct = AddressList.distinct(responders);
        if (clientAddress != address(0)) return _countOfClient(agentId, clientAddress, feedbackIndex, distinct);
        address[] storage clients = _clients[agentId];
        for (uint256 i = 0; i < clients.length; ++i) count += _countOfClient(agentId, clients[i], 0, distinct);
    }

    /// @inheritdoc IReputationRegistry
    function getClients(uint256 agentId) external view returns (address[] memory) {
        return _clients[agentId];
    }

    /// @inheritdoc IReputationRegistry
    function getClients(
        uint256 agentId,
        uint256 offset,
        uint256 limit
    ) external view returns (address[] memory clients) {
        address[] storage all = _clients[agentId];
        uint256 left = offset < all.length ? all.length - offset : 0;
        clients = new address[](limit < left ? limit : left);
        for (uint256 i = 0; i < clients.length; ++i) clients[i] = all[offset + i];
    }

    /// @inheritdoc IReputationRegistry
    function getLastIndex(uint256 agentId, address clientAddress) external view returns (uint64) {
        return _feedback[agentId][clientAddress].lastIndex;
    }

    /// @inheritdoc IReputationRegistry
    function getIdentityRegistry() external view returns (address) {
        return address(_IDENTITY_REGISTRY);
    }

    /// @inheritdoc IReputationRegistry
    function getVersion() external pure returns (string memory) {
        return "2.0.0";
    }

    /// @dev A client is new if it has no feedback yet, so no separate set of known clients is stored.
    function _nextIndex(uint256 agentId) private returns (uint64 index) {
        index = ++_feedback[agentId][msg.sender].lastIndex;
        if (index == 1) _clients[agentId].push(msg.sender);
    }

    /// @dev Selects the feedback that passes the filter, grouped by client.
    function _select(
        uint256 agentId,
        address[] memory clients,
        FeedbackRecord.Filter memory filter
    ) private view returns (FeedbackKey[] memory keys) {
        uint256 total = 0;
        for (uint256 i = 0; i < clients.length; ++i) total += _feedback[agentId][clients[i]].lastIndex;
        keys = new FeedbackKey[](total);
        uint256 count = 0;
        for (uint256 i = 0; i < clients.length; ++i) {
            ClientFeedback storage ofClient = _feedback[agentId][clients[i]];
            uint64 lastIndex = ofClient.lastIndex;
            for (uint64 index = 1; index <= lastIndex; ++index) {
                if (ofClient.at[index].matches(filter)) {
                    keys[count] = FeedbackKey(clients[i], index);
                    ++count;
                }
            }
        }
        assembly ("memory-safe") {
            mstore(keys, count)
        }
    }

    function _tallyOf(
        uint256 agentId,
        FeedbackKey[] memory keys
    ) private view returns (DecimalMean.Tally memory tally) {
        for (uint256 i = 0; i < keys.length; ++i) {
            FeedbackRecord.Record storage feedback = _at(agentId, keys[i]);
            DecimalMean.add(tally, feedback.value, feedback.valueDecimals);
        }
    }

    function _rowsOf(
        uint256 agentId,
        address[] memory clients,
        FeedbackRecord.Filter memory filter
    ) private view returns (FeedbackRows.Rows memory rows) {
        clients = clients.length == 0 ? _clients[agentId] : AddressList.distinct(clients);
        FeedbackKey[] memory keys = _select(agentId, clients, filter);
        rows = FeedbackRows.create(keys.length);
        for (uint256 i = 0; i < keys.length; ++i) {
            (rows.clients[i], rows.feedbackIndexes[i]) = (keys[i].client, keys[i].feedbackIndex);
            FeedbackRows.fill(rows, i, _at(agentId, keys[i]));
        }
    }

    function _at(uint256 agentId, FeedbackKey memory key) private view returns (FeedbackRecord.Record storage) {
        return _feedback[agentId][key.client].at[key.feedbackIndex];
    }

    /// @dev Index zero means all of the client's feedback.
    function _countOfClient(
        uint256 agentId,
        address client,
        uint64 feedbackIndex,
        address[] memory responders
    ) private view returns (uint64 count) {
        ClientFeedback storage given = _feedback[agentId][client];
        if (feedbackIndex > 0) return given.at[feedbackIndex].countResponses(responders);
        uint64 lastIndex = given.lastIndex;
        for (uint64 index = 1; index <= lastIndex; ++index) count += given.at[index].countResponses(responders);
    }

    function _requireFeedback(
        uint256 agentId,
        address client,
        uint64 feedbackIndex
    ) private view returns (FeedbackRecord.Record storage) {
        require(feedbackIndex > 0, "index must be > 0");
        ClientFeedback storage given = _feedback[agentId][client];
        require(feedbackIndex <= given.lastIndex, "index out of bounds");
        return given.at[feedbackIndex];
    }
}
