import { type Address, concat, encodeAbiParameters, type Hex, hexToBytes, keccak256, toHex } from 'viem'

/** The message that an owner signs. */
export type Request = {
  owner: Address
  agentURI: string
  metadata: readonly { metadataKey: string; metadataValue: Hex }[]
  nonce: bigint
  deadline: bigint
}

/** Computes the digest that an owner signs step by step from the type strings. Source: EIP-712. */
export function registerForDigest(message: Request, chainId: number, verifyingContract: Address): Hex {
  const hash = (text: string) => keccak256(toHex(text))
  const pack = (words: Hex[]) =>
    keccak256(
      encodeAbiParameters(
        words.map(() => ({ type: 'bytes32' })),
        words,
      ),
    )
  const word = (value: bigint | Hex) => toHex(BigInt(value), { size: 32 })
  const entryType = 'MetadataEntry(string metadataKey,bytes metadataValue)'
  const entryHashes = message.metadata.map(({ metadataKey, metadataValue }) =>
    pack([hash(entryType), hash(metadataKey), keccak256(hexToBytes(metadataValue))]),
  )
  const domainHash = pack([
    hash('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
    hash('ERC8004IdentityRegistry'),
    hash('1'),
    word(BigInt(chainId)),
    word(verifyingContract),
  ])
  const structHash = pack([
    hash(
      `RegisterFor(address owner,string agentURI,MetadataEntry[] metadata,uint256 nonce,uint256 deadline)${entryType}`,
    ),
    word(message.owner),
    hash(message.agentURI),
    keccak256(concat(entryHashes)),
    word(message.nonce),
    word(message.deadline),
  ])
  return keccak256(concat(['0x1901', domainHash, structHash]))
}
