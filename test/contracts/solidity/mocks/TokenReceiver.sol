// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";

/**
 * @title A contract that a token arrives at
 * @notice Answers as it is told to, remembers what it was asked, and may call back first.
 */
contract TokenReceiver is IERC721Receiver {
    /// @notice What an arriving token meets.
    enum Answer {
        Accept,
        OtherValue,
        CustomError,
        Reason,
        NoReason,
        Panic
    }

    error Unwelcome(uint256 tokenId);
    event Received(address operator, address from, uint256 tokenId, bytes data);

    Answer public answer;
    bytes private _callBack;

    function prepare(Answer answer_, bytes calldata callBack) external {
        (answer, _callBack) = (answer_, callBack);
    }

    function execute(address target, bytes calldata data) external returns (bytes memory result) {
        return _call(target, data);
    }

    function onERC721Received(
        address operator,
        address from,
        uint256 tokenId,
        bytes calldata data
    ) external returns (bytes4) {
        bytes memory callBack = _callBack;
        delete _callBack;
        if (callBack.length > 0) _call(msg.sender, callBack);
        if (answer == Answer.OtherValue) return 0xffffffff;
        if (answer == Answer.CustomError) revert Unwelcome(tokenId);
        if (answer == Answer.Reason) revert("not today");
        if (answer == Answer.NoReason) revert();
        if (answer == Answer.Panic) assert(false);
        emit Received(operator, from, tokenId, data);
        return IERC721Receiver.onERC721Received.selector;
    }

    function _call(address target, bytes memory data) private returns (bytes memory result) {
        bool ok;
        (ok, result) = target.call(data);
        if (!ok) {
            assembly ("memory-safe") {
                revert(add(result, 0x20), mload(result))
            }
        }
    }
}
