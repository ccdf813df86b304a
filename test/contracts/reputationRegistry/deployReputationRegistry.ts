import { type Address, parseAbi } from 'viem'
import { identityRegistry } from '../../../server/chain/artifacts/identityRegistry.ts'
import { reputationRegistry } from '../../../server/chain/artifacts/reputationRegistry.ts'
import type { Chain } from '../openChain.ts'

/** Interface of the ERC-8004 reference registry, plus the paged view. */
export const reputationRegistryAbi = parseAbi([
  'constructor(address identityRegistry)',
  'function giveFeedback(uint256 agentId, int128 value, uint8 valueDecimals, string tag1, string tag2, string endpoint, string feedbackURI, bytes32 feedbackHash)',
  'function revokeFeedback(uint256 agentId, uint64 feedbackIndex)',
  'function appendResponse(uint256 agentId, address clientAddress, uint64 feedbackIndex, string responseURI, bytes32 responseHash)',
  'function getSummary(uint256 agentId, address[] clientAddresses, string tag1, string tag2) view returns (uint64 count, int128 summaryValue, uint8 summaryValueDecimals)',
  'function readFeedback(uint256 agentId, address clientAddress, uint64 feedbackIndex) view returns (int128 value, uint8 valueDecimals, string tag1, string tag2, bool isRevoked)',
  'function readAllFeedback(uint256 agentId, address[] clientAddresses, string tag1, string tag2, bool includeRevoked) view returns (address[] clients, uint64[] feedbackIndexes, int128[] values, uint8[] valueDecimals, string[] tag1s, string[] tag2s, bool[] revokedStatuses)',
  'function getResponseCount(uint256 agentId, address clientAddress, uint64 feedbackIndex, address[] responders) view returns (uint64 count)',
  'function getClients(uint256 agentId) view returns (address[])',
  'function getClients(uint256 agentId, uint256 offset, uint256 limit) view returns (address[] clients)',
  'function getLastIndex(uint256 agentId, address clientAddress) view returns (uint64)',
  'function getIdentityRegistry() view returns (address)',
  'function getVersion() pure returns (string)',
  'event NewFeedback(uint256 indexed agentId, address indexed clientAddress, uint64 feedbackIndex, int128 value, uint8 valueDecimals, string indexed indexedTag1, string tag1, string tag2, string endpoint, string feedbackURI, bytes32 feedbackHash)',
  'event FeedbackRevoked(uint256 indexed agentId, address indexed clientAddress, uint64 indexed feedbackIndex)',
  'event ResponseAppended(uint256 indexed agentId, address indexed clientAddress, uint64 feedbackIndex, address indexed responder, string responseURI, bytes32 responseHash)',
])

/** Errors of the identity registry, which the registry passes on. */
const identityErrors = parseAbi([
  'error ERC721NonexistentToken(uint256 tokenId)',
  'error Error(string reason)',
])

/**
 * Deploys a registry for agents 1 and 2 of account 0, with account 1 as operator and account 2 approved for agent 1.
 */
export async function deployReputationRegistry(chain: Chain) {
  const identities = await chain.deploy(identityRegistry)
  await identities.write.register()
  await identities.write.register()
  await identities.write.setApprovalForAll([chain.account(1), true])
  await identities.write.approve([chain.account(2), 1n])
  return deployReputationRegistryOf(chain, identities.address)
}

/** Deploys a registry for the agents of a given identity registry. */
export async function deployReputationRegistryOf(chain: Chain, identityRegistryAddress: Address) {
  const artifact = {
    abi: [...reputationRegistryAbi, ...identityErrors] as const,
    bytecode: reputationRegistry.bytecode,
  }
  return chain.deploy(artifact, [identityRegistryAddress])
}
