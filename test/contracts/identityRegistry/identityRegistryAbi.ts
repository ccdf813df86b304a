import { parseAbi } from 'viem'

const STRUCTS = ['struct MetadataEntry { string metadataKey; bytes metadataValue; }'] as const

/** Interface of the ERC-8004 reference registry, including ERC-721, ERC-4906 and ERC-5267. */
export const referenceAbi = parseAbi([
  ...STRUCTS,
  'constructor()',
  'function register() returns (uint256 agentId)',
  'function register(string agentURI) returns (uint256 agentId)',
  'function register(string agentURI, MetadataEntry[] metadata) returns (uint256 agentId)',
  'function getMetadata(uint256 agentId, string metadataKey) view returns (bytes)',
  'function setMetadata(uint256 agentId, string metadataKey, bytes metadataValue)',
  'function setAgentURI(uint256 agentId, string newURI)',
  'function setAgentWallet(uint256 agentId, address newWallet, uint256 deadline, bytes signature)',
  'function getAgentWallet(uint256 agentId) view returns (address)',
  'function unsetAgentWallet(uint256 agentId)',
  'function isAuthorizedOrOwner(address spender, uint256 agentId) view returns (bool)',
  'function getVersion() pure returns (string)',
  'event Registered(uint256 indexed agentId, string agentURI, address indexed owner)',
  'event MetadataSet(uint256 indexed agentId, string indexed indexedMetadataKey, string metadataKey, bytes metadataValue)',
  'event URIUpdated(uint256 indexed agentId, string newURI, address indexed updatedBy)',
  // ERC-721 and its metadata, ERC-165
  'function balanceOf(address owner) view returns (uint256)',
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function safeTransferFrom(address from, address to, uint256 tokenId)',
  'function safeTransferFrom(address from, address to, uint256 tokenId, bytes data)',
  'function transferFrom(address from, address to, uint256 tokenId)',
  'function approve(address to, uint256 tokenId)',
  'function setApprovalForAll(address operator, bool approved)',
  'function getApproved(uint256 tokenId) view returns (address)',
  'function isApprovedForAll(address owner, address operator) view returns (bool)',
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function tokenURI(uint256 tokenId) view returns (string)',
  'function supportsInterface(bytes4 interfaceId) view returns (bool)',
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
  'event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)',
  'event ApprovalForAll(address indexed owner, address indexed operator, bool approved)',
  'error ERC721InvalidOwner(address owner)',
  'error ERC721NonexistentToken(uint256 tokenId)',
  'error ERC721IncorrectOwner(address sender, uint256 tokenId, address owner)',
  'error ERC721InvalidSender(address sender)',
  'error ERC721InvalidReceiver(address receiver)',
  'error ERC721InsufficientApproval(address operator, uint256 tokenId)',
  'error ERC721InvalidApprover(address approver)',
  'error ERC721InvalidOperator(address operator)',
  // ERC-4906
  'event MetadataUpdate(uint256 _tokenId)',
  'event BatchMetadataUpdate(uint256 _fromTokenId, uint256 _toTokenId)',
  // ERC-5267
  'function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)',
  'event EIP712DomainChanged()',
])

/** Additions of this registry to the reference interface. */
export const additionsAbi = parseAbi([
  ...STRUCTS,
  'function registerFor(address owner, string agentURI, MetadataEntry[] metadata, uint256 deadline, bytes signature) returns (uint256 agentId)',
  'function nonces(address owner) view returns (uint256)',
  'error RegistrationExpired(uint256 deadline, uint256 timestamp)',
  'error InvalidRegistrationSignature(address owner, uint256 nonce)',
  'error InvalidAccountNonce(address account, uint256 currentNonce)',
  // From OpenZeppelin's EIP-712 domain.
  'error InvalidShortString()',
  'error StringTooLong(string str)',
])
