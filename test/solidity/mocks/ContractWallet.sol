// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {IERC721Metadata} from "@openzeppelin/contracts/token/ERC721/extensions/IERC721Metadata.sol";
import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {IIdentityRegistry} from "../../../contracts/interfaces/IIdentityRegistry.sol";

/**
 * @title A contract that owns agents
 * @notice Signs with a key (ERC-1271), makes calls, and responds to a received token as configured.
 */
contract ContractWallet is IERC1271, IERC721Receiver {
    /// @notice Responses to a received token.
    enum Response {
        Accept,
        Refuse,
        Revert
    }

    error Unwelcome(uint256 tokenId);

    address public immutable SIGNER;
    Response public response;

    /// @notice What the registry returned about the agent while its token was being received.
    address public walletSeen;
    string public uriSeen;
    bytes public metadataSeen;

    constructor(address signer) {
        SIGNER = signer;
    }

    function setResponse(Response response_) external {
        response = response_;
    }

    function execute(address target, bytes calldata data) external returns (bytes memory result) {
        bool ok;
        (ok, result) = target.call(data);
        if (!ok) {
            assembly ("memory-safe") {
                revert(add(result, 0x20), mload(result))
            }
        }
    }

    function onERC721Received(address, address, uint256 tokenId, bytes calldata) external returns (bytes4) {
        if (response == Response.Revert) revert Unwelcome(tokenId);
        if (response == Response.Refuse) return 0xffffffff;
        walletSeen = IIdentityRegistry(msg.sender).getAgentWallet(tokenId);
        uriSeen = IERC721Metadata(msg.sender).tokenURI(tokenId);
        metadataSeen = IIdentityRegistry(msg.sender).getMetadata(tokenId, "model");
        return IERC721Receiver.onERC721Received.selector;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        (address recovered, ECDSA.RecoverError err, ) = ECDSA.tryRecoverCalldata(digest, signature);
        if (err != ECDSA.RecoverError.NoError || recovered != SIGNER) return 0xffffffff;
        return IERC1271.isValidSignature.selector;
    }
}
