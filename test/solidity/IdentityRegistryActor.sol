// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.28;

import {IdentityRegistry} from "../../contracts/IdentityRegistry.sol";
import {IIdentityRegistry} from "../../contracts/interfaces/IIdentityRegistry.sol";
import {vm} from "./Vm.sol";

/**
 * @notice Four accounts register, transfer and change wallets, and attempt what is forbidden. The test runner calls the
 * functions in any order with any arguments.
 * @dev Records the state that the registry is expected to have.
 */
contract IdentityRegistryActor {
    struct SignedRegistration {
        address owner;
        string agentURI;
        uint256 deadline;
        bytes signature;
    }

    uint256 private constant _KEYS = 4;

    IdentityRegistry public immutable registry = new IdentityRegistry();
    uint256 public agents;
    mapping(uint256 agentId => address owner) public ownerOf;
    mapping(uint256 agentId => address wallet) public walletOf;
    mapping(address owner => uint256 count) public registrationsFor;

    uint256 public attacksAccepted;
    string public lastAttackAccepted;
    SignedRegistration[] private _used;

    constructor() {
        register(0, "");
        registerFor(1, 2, "ipfs://file", 1);
    }

    function keyOf(uint256 who) public pure returns (uint256) {
        return 1 + (who % _KEYS);
    }

    function accountOf(uint256 who) public pure returns (address) {
        return vm.addr(keyOf(who));
    }

    // Actions of owners, which must always succeed.

    function register(uint256 who, string memory agentURI) public {
        address owner = accountOf(who);
        vm.prank(owner);
        _minted(registry.register(agentURI), owner);
    }

    function registerFor(uint256 who, uint256 payer, string memory agentURI, uint32 secondsLeft) public {
        address owner = accountOf(who);
        SignedRegistration memory signed = SignedRegistration({
            owner: owner,
            agentURI: agentURI,
            deadline: block.timestamp + secondsLeft,
            signature: ""
        });
        signed.signature = _sign(keyOf(who), _hashRegisterFor(signed, registrationsFor[owner]));
        _minted(abi.decode(_call(accountOf(payer), _registerForCall(signed)), (uint256)), owner);
        ++registrationsFor[owner];
        _used.push(signed);
    }

    function transfer(uint256 agentId, uint256 to) external {
        agentId = _pickAgent(agentId);
        address owner = ownerOf[agentId];
        vm.prank(owner);
        registry.transferFrom(owner, accountOf(to), agentId);
        ownerOf[agentId] = accountOf(to);
        walletOf[agentId] = address(0);
    }

    function setWallet(uint256 agentId, uint256 wallet, uint256 secondsLeft) external {
        agentId = _pickAgent(agentId);
        uint256 deadline = block.timestamp + (secondsLeft % 301);
        _call(ownerOf[agentId], _setWalletCall(agentId, accountOf(wallet), deadline, keyOf(wallet)));
        walletOf[agentId] = accountOf(wallet);
    }

    function unsetWallet(uint256 agentId) external {
        agentId = _pickAgent(agentId);
        vm.prank(ownerOf[agentId]);
        registry.unsetAgentWallet(agentId);
        walletOf[agentId] = address(0);
    }

    function setMetadata(uint256 agentId, string calldata key, bytes calldata value) external {
        agentId = _pickAgent(agentId);
        if (keccak256(bytes(key)) == keccak256("agentWallet")) return;
        vm.prank(ownerOf[agentId]);
        registry.setMetadata(agentId, key, value);
    }

    function wait(uint16 duration) external {
        vm.warp(block.timestamp + duration);
    }

    // Attacks, which must never succeed.

    function replay(uint256 which, uint256 payer) external {
        _attack("replay", accountOf(payer), _registerForCall(_used[which % _used.length]));
    }

    /// @dev Another account's signature, or the owner's own signature over other values.
    function alter(uint256 which, uint256 payer, string calldata more) external {
        SignedRegistration memory signed = _used[which % _used.length];
        signed.signature = _sign(keyOf(payer), _hashRegisterFor(signed, registrationsFor[signed.owner]));
        if (accountOf(payer) == signed.owner) signed.agentURI = string.concat(signed.agentURI, more, "/");
        _attack("alter", accountOf(payer), _registerForCall(signed));
    }

    /// @dev A wallet that did not consent.
    function conscript(uint256 agentId, uint256 wallet, uint256 signer) external {
        if (keyOf(wallet) == keyOf(signer)) return;
        agentId = _pickAgent(agentId);
        bytes memory data = _setWalletCall(agentId, accountOf(wallet), block.timestamp, keyOf(signer));
        _attack("conscript", ownerOf[agentId], data);
    }

    /// @dev Another owner's agent, through each function that changes an agent.
    function meddle(uint256 agentId, address caller, bytes calldata value) external {
        agentId = _pickAgent(agentId);
        if (caller == ownerOf[agentId] || caller == address(0)) return;
        _attack("setMetadata", caller, abi.encodeCall(registry.setMetadata, (agentId, "key", value)));
        _attack("setAgentURI", caller, abi.encodeCall(registry.setAgentURI, (agentId, "ipfs://other")));
        _attack("unsetAgentWallet", caller, abi.encodeCall(registry.unsetAgentWallet, (agentId)));
        _attack("transferFrom", caller, abi.encodeCall(registry.transferFrom, (ownerOf[agentId], caller, agentId)));
    }

    /// @dev The wallet, through the metadata.
    function setReservedKey(uint256 agentId, bytes calldata value) external {
        agentId = _pickAgent(agentId);
        bytes memory data = abi.encodeCall(registry.setMetadata, (agentId, "agentWallet", value));
        _attack("setReservedKey", ownerOf[agentId], data);
    }

    function _attack(string memory name, address caller, bytes memory data) private {
        vm.prank(caller);
        (bool ok, ) = address(registry).call(data);
        if (!ok) return;
        ++attacksAccepted;
        lastAttackAccepted = name;
    }

    /// @dev Makes a call that must succeed.
    function _call(address caller, bytes memory data) private returns (bytes memory result) {
        bool ok;
        vm.prank(caller);
        (ok, result) = address(registry).call(data);
        require(ok, "an owner was refused");
    }

    function _minted(uint256 agentId, address owner) private {
        ++agents;
        require(agentId == agents, "ids count up by one");
        ownerOf[agentId] = owner;
        walletOf[agentId] = owner;
    }

    function _pickAgent(uint256 seed) private view returns (uint256 agentId) {
        return 1 + (seed % agents);
    }

    function _registerForCall(SignedRegistration memory signed) private view returns (bytes memory) {
        IIdentityRegistry.MetadataEntry[] memory none = new IIdentityRegistry.MetadataEntry[](0);
        return
            abi.encodeCall(
                registry.registerFor,
                (signed.owner, signed.agentURI, none, signed.deadline, signed.signature)
            );
    }

    /// @dev Encodes the call with a signature by `key`.
    function _setWalletCall(
        uint256 agentId,
        address wallet,
        uint256 deadline,
        uint256 key
    ) private view returns (bytes memory) {
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256("AgentWalletSet(uint256 agentId,address newWallet,address owner,uint256 deadline)"),
                agentId,
                wallet,
                ownerOf[agentId],
                deadline
            )
        );
        return abi.encodeCall(registry.setAgentWallet, (agentId, wallet, deadline, _sign(key, structHash)));
    }

    function _hashRegisterFor(SignedRegistration memory signed, uint256 nonce) private pure returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    keccak256(
                        "RegisterFor(address owner,string agentURI,MetadataEntry[] metadata,uint256 nonce,"
                        "uint256 deadline)MetadataEntry(string metadataKey,bytes metadataValue)"
                    ),
                    signed.owner,
                    keccak256(bytes(signed.agentURI)),
                    keccak256(""),
                    nonce,
                    signed.deadline
                )
            );
    }

    function _sign(uint256 key, bytes32 structHash) private view returns (bytes memory) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("ERC8004IdentityRegistry"),
                keccak256("1"),
                block.chainid,
                registry
            )
        );
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, keccak256(abi.encodePacked(hex"1901", domain, structHash)));
        return abi.encodePacked(r, s, v);
    }
}
