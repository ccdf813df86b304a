// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";

/**
 * @title A contract that receives tokens
 * @notice Responds as configured, emits the arguments of the hook, and may call back first.
 */
contract TokenReceiver is IERC721Receiver {
    /// @notice Responses to a received token.
    enum Response {
        Accept,
        OtherValue,
        CustomError,
        Reason,
        NoReason,
        Panic
    }

    error Unwelcome(uint256 tokenId);
    event Received(address operator, address from, uint256 tokenId, bytes data);

    Response public response;
    bytes private _callback;

    function prepare(Response response_, bytes calldata callback) external {
        (response, _callback) = (response_, callback);
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
        bytes memory callback = _callback;
        delete _callback;
        if (callback.length > 0) _call(msg.sender, callback);
        if (response == Response.OtherValue) return 0xffffffff;
        if (response == Response.CustomError) revert Unwelcome(tokenId);
        if (response == Response.Reason) revert("not today");
        if (response == Response.NoReason) revert();
        if (response == Response.Panic) assert(false);
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
