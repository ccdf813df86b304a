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

    /// @dev `position` is the client's place in the agent's list of clients; meaningless without feedback.
    struct ClientFeedback {
        uint64 lastIndex;
        uint64 position;
        mapping(uint64 feedbackIndex => FeedbackRecord.Record feedback) at;
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
        FeedbackRecord.Filter memory filter = FeedbackRecord.filterOf(tag1, tag2, false);
        DecimalMean.Tally memory tally = _tallyOf(agentId, clientAddresses, filter);
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
        ClientFeedback storage given = _feedback[agentId][msg.sender];
        index = given.lastIndex + 1;
        given.lastIndex = index;
        if (index == 1) {
            address[] storage clients = _clients[agentId];
            given.position = uint64(clients.length);
            clients.push(msg.sender);
        }
    }

    /**
     * @dev Marks a client as seen. One bit for each client of the agent keeps the time linear in a list of clients,
     * whatever its order and however often it repeats one.
     */
    function _see(uint256[] memory seen, uint64 position) private pure returns (bool isFirst) {
        (uint256 word, uint256 bit) = (position / 256, 1 << (position % 256));
        isFirst = seen[word] & bit == 0;
        seen[word] |= bit;
    }

    function _unseen(uint256 agentId) private view returns (uint256[] memory seen) {
        return new uint256[](_clients[agentId].length / 256 + 1);
    }

    function _tallyOf(
        uint256 agentId,
        address[] calldata list,
        FeedbackRecord.Filter memory filter
    ) private view returns (DecimalMean.Tally memory tally) {
        mapping(address client => ClientFeedback given) storage ofAgent = _feedback[agentId];
        uint256[] memory seen = _unseen(agentId);
        for (uint256 i = 0; i < list.length; ++i) {
            ClientFeedback storage given = ofAgent[list[i]];
            (uint64 lastIndex, uint64 position) = (given.lastIndex, given.position);
            if (lastIndex == 0 || !_see(seen, position)) continue;
            for (uint64 index = 1; index <= lastIndex; ++index) {
                FeedbackRecord.Record storage feedback = given.at[index];
                (int128 value, uint8 valueDecimals, bool isRevoked) = feedback.valueOf();
                if (!isRevoked && feedback.hasTags(filter)) DecimalMean.add(tally, value, valueDecimals);
            }
        }
    }

    /// @dev Selects the feedback that passes the filter, grouped by client: the client above the 64 bits of the index.
    function _select(
        uint256 agentId,
        address[] memory list,
        FeedbackRecord.Filter memory filter
    ) private view returns (uint256[] memory keys) {
        mapping(address client => ClientFeedback given) storage ofAgent = _feedback[agentId];
        uint256[] memory seen = _unseen(agentId);
        uint256 total = 0;
        for (uint256 i = 0; i < list.length; ++i) total += ofAgent[list[i]].lastIndex;
        keys = new uint256[](total);
        uint256 count = 0;
        for (uint256 i = 0; i < list.length; ++i) {
            ClientFeedback storage given = ofAgent[list[i]];
            (uint64 lastIndex, uint64 position) = (given.lastIndex, given.position);
            if (lastIndex == 0 || !_see(seen, position)) continue;
            for (uint64 index = 1; index <= lastIndex; ++index) {
                if (given.at[index].matches(filter)) {
                    keys[count] = (uint256(uint160(list[i])) << 64) | index;
                    ++count;
                }
            }
        }
        assembly ("memory-safe") {
            mstore(keys, count)
        }
    }

    function _rowsOf(
        uint256 agentId,
        address[] memory list,
        FeedbackRecord.Filter memory filter
    ) private view returns (FeedbackRows.Rows memory rows) {
        uint256[] memory keys = _select(agentId, list.length == 0 ? _clients[agentId] : list, filter);
        rows = FeedbackRows.create(keys.length);
        for (uint256 i = 0; i < keys.length; ++i) {
            (address client, uint64 index) = (address(uint160(keys[i] >> 64)), uint64(keys[i]));
            (rows.clients[i], rows.feedbackIndexes[i]) = (client, index);
            FeedbackRows.fill(rows, i, _feedback[agentId][client].at[index]);
        }
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
