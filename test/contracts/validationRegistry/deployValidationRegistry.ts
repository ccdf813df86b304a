import { type Address, parseAbi } from 'viem'
import { identityRegistry } from '../../../server/chain/artifacts/identityRegistry.ts'
import { validationRegistry } from '../../../server/chain/artifacts/validationRegistry.ts'
import type { Chain } from '../openChain.ts'

/** Interface of the ERC-8004 reference registry, plus the paged views. */
export const validationRegistryAbi = parseAbi([
  'constructor(address identityRegistry)',
  'function validationRequest(address validatorAddress, uint256 agentId, string requestURI, bytes32 requestHash)',
  'function validationResponse(bytes32 requestHash, uint8 response, string responseURI, bytes32 responseHash, string tag)',
  'function getValidationStatus(bytes32 requestHash) view returns (address validatorAddress, uint256 agentId, uint8 response, bytes32 responseHash, string tag, uint256 lastUpdate)',
  'function getSummary(uint256 agentId, address[] validatorAddresses, string tag) view returns (uint64 count, uint8 avgResponse)',
  'function getAgentValidations(uint256 agentId) view returns (bytes32[])',
  'function getAgentValidations(uint256 agentId, uint256 offset, uint256 limit) view returns (bytes32[] requestHashes)',
  'function getValidatorRequests(address validatorAddress, uint256 offset, uint256 limit) view returns (bytes32[] requestHashes)',
  'function getValidatorRequests(address validatorAddress) view returns (bytes32[])',
  'function getIdentityRegistry() view returns (address)',
  'function getVersion() pure returns (string)',
  'event ValidationRequest(address indexed validatorAddress, uint256 indexed agentId, string requestURI, bytes32 indexed requestHash)',
  'event ValidationResponse(address indexed validatorAddress, uint256 indexed agentId, bytes32 indexed requestHash, uint8 response, string responseURI, bytes32 responseHash, string tag)',
])

/** Errors of the identity registry, which the registry passes on. */
const identityErrors = parseAbi([
  'error ERC721NonexistentToken(uint256 tokenId)',
  'error Error(string reason)',
])

/**
 * Deploys a registry for agents 1 and 2 of account 0, with account 1 as operator and account 2 approved for agent 1.
 */
export async function deployValidationRegistry(chain: Chain) {
  const identities = await chain.deploy(identityRegistry)
  await identities.write.register()
  await identities.write.register()
  await identities.write.setApprovalForAll([chain.account(1), true])
  await identities.write.approve([chain.account(2), 1n])
  return deployValidationRegistryOf(chain, identities.address)
}

/** Deploys a registry for the agents of a given identity registry. */
export async function deployValidationRegistryOf(chain: Chain, identityRegistryAddress: Address) {
  const artifact = {
    abi: [...validationRegistryAbi, ...identityErrors] as const,
    bytecode: validationRegistry.bytecode,
  }
  return chain.deploy(artifact, [identityRegistryAddress])
}
