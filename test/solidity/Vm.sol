// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

/// @notice The cheatcodes that these tests use.
interface Vm {
    function addr(uint256 privateKey) external pure returns (address);

    function expectRevert(bytes calldata revertData) external;

    function prank(address sender) external;

    function sign(uint256 privateKey, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);

    function warp(uint256 timestamp) external;
}

/// @dev address(uint160(uint256(keccak256("hevm cheat code"))))
Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
