// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

import {IdentityRegistry} from "../../contracts/IdentityRegistry.sol";
import {IdentityRegistryActor} from "./IdentityRegistryActor.sol";
import {vm} from "./Vm.sol";

/// @notice Agents belong to whoever registered or received them, and act only with wallets agreed on by owner and
/// wallet.
contract IdentityRegistryTest {
    IdentityRegistryActor private _actor;

    function setUp() public {
        _actor = new IdentityRegistryActor();
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_actor);
    }

    function invariant_NoAttackIsAccepted() external view {
        require(_actor.attacksAccepted() == 0, _actor.lastAttackAccepted());
    }

    function invariant_TokensAreConserved() external view {
        uint256 held = 0;
        for (uint256 who = 0; who < 4; ++who) held += _actor.registry().balanceOf(_actor.accountOf(who));
        require(held == _actor.agents(), "balances");
        for (uint256 agentId = 1; agentId <= _actor.agents(); ++agentId) {
            require(_actor.registry().ownerOf(agentId) == _actor.ownerOf(agentId), "owner");
        }
    }

    /// @dev The wallet is the registering owner's account, or one that consented since the last transfer, or none.
    function invariant_WalletsConsented() external view {
        for (uint256 agentId = 1; agentId <= _actor.agents(); ++agentId) {
            address wallet = _actor.walletOf(agentId);
            bytes memory expected = wallet == address(0) ? bytes("") : abi.encodePacked(wallet);
            require(_actor.registry().getAgentWallet(agentId) == wallet, "wallet");
            bytes memory metadata = _actor.registry().getMetadata(agentId, "agentWallet");
            require(keccak256(metadata) == keccak256(expected), "wallet as metadata");
        }
    }

    /// @dev The nonce counts registrations, so no nonce is used twice.
    function invariant_NoncesCountRegistrations() external view {
        for (uint256 who = 0; who < 4; ++who) {
            address owner = _actor.accountOf(who);
            require(_actor.registry().nonces(owner) == _actor.registrationsFor(owner), "nonce");
        }
    }

    function testFuzz_MetadataIsStored(string calldata key, bytes calldata value, bytes calldata newer) external {
        if (keccak256(bytes(key)) == keccak256("agentWallet")) return;
        IdentityRegistry registry = new IdentityRegistry();
        vm.prank(address(0xA11CE));
        uint256 agentId = registry.register();
        for (uint256 i = 0; i < 2; ++i) {
            bytes calldata written = i == 0 ? value : newer;
            vm.prank(address(0xA11CE));
            registry.setMetadata(agentId, key, written);
            require(keccak256(registry.getMetadata(agentId, key)) == keccak256(written), "value");
        }
        require(registry.getAgentWallet(agentId) == address(0xA11CE), "wallet");
    }

    function testFuzz_OnlyTheApprovedMayTransfer(address caller, address approved) external {
        address owner = address(0xA11CE);
        if (caller == address(0) || approved == address(0) || approved == owner) return;
        IdentityRegistry registry = new IdentityRegistry();
        vm.prank(owner);
        uint256 agentId = registry.register("ipfs://file");
        vm.prank(owner);
        registry.approve(approved, agentId);

        vm.prank(caller);
        (bool ok, ) = address(registry).call(
            abi.encodeCall(registry.transferFrom, (owner, address(0xB0B), agentId))
        );
        require(ok == (caller == owner || caller == approved), "transfer");
        require(registry.getAgentWallet(agentId) == (ok ? address(0) : owner), "wallet");
    }
}
