import { parseAbi } from 'viem'

/** Interface of the registry as the design lists it, the paged view included. Source: onchain.md "Validation". */
export const validationRegistryAbi = parseAbi([
  'constructor(address identityRegistry)',
  'function validationRequest(address validatorAddress, uint256 agentId, string requestURI, bytes32 requestHash)',
  'function validationResponse(bytes32 requestHash, uint8 response, string responseURI, bytes32 responseHash, string tag)',
  'function getValidationStatus(bytes32 requestHash) view returns (address validatorAddress, uint256 agentId, uint8 response, bytes32 responseHash, string tag, uint256 lastUpdate)',
  'function getSummary(uint256 agentId, address[] validatorAddresses, string tag) view returns (uint64 count, uint8 avgResponse)',
  'function getAgentValidations(uint256 agentId) view returns (bytes32[])',
  'function getAgentValidations(uint256 agentId, uint256 offset, uint256 limit) view returns (bytes32[] requestHashes)',
  'function getValidatorRequests(address validatorAddress) view returns (bytes32[])',
  'function getIdentityRegistry() view returns (address)',
  'function getVersion() pure returns (string)',
  'event ValidationRequest(address indexed validatorAddress, uint256 indexed agentId, string requestURI, bytes32 indexed requestHash)',
  'event ValidationResponse(address indexed validatorAddress, uint256 indexed agentId, bytes32 indexed requestHash, uint8 response, string responseURI, bytes32 responseHash, string tag)',
])
