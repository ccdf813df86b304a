type Hex = `0x${string}`

type RegisterFor = {
  readonly chainId: number
  /** Address of the identity registry. */
  readonly verifyingContract: Hex
  readonly owner: Hex
  readonly agentURI: string
  readonly metadata: readonly { readonly metadataKey: string; readonly metadataValue: Hex }[]
  /** The current nonce of this owner in the registry. */
  readonly nonce: bigint
  /** Unix seconds after which the registry refuses the signature. */
  readonly deadline: bigint
}

const TYPES = {
  RegisterFor: [
    { name: 'owner', type: 'address' },
    { name: 'agentURI', type: 'string' },
    { name: 'metadata', type: 'MetadataEntry[]' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
  MetadataEntry: [
    { name: 'metadataKey', type: 'string' },
    { name: 'metadataValue', type: 'bytes' },
  ],
} as const

/**
 * Builds the typed data that an owner signs so that the relayer may mint the agent for the owner and pay for it.
 *
 * Wallets and `signTypedData` accept these values. The signature is valid for one registration, on one registry of one
 * chain, with exactly this URI and metadata, until the deadline.
 *
 * Source: EIP-712.
 */
export function buildRegisterForTypedData(input: RegisterFor) {
  const { chainId, verifyingContract, owner, agentURI, metadata, nonce, deadline } = input
  return {
    domain: { name: 'ERC8004IdentityRegistry', version: '1', chainId, verifyingContract },
    types: TYPES,
    primaryType: 'RegisterFor',
    message: {
      owner,
      agentURI,
      metadata: metadata.map(({ metadataKey, metadataValue }) => ({ metadataKey, metadataValue })),
      nonce,
      deadline,
    },
  } as const
}
