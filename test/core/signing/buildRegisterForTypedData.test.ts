import { buildRegisterForTypedData } from '@svc/core/signing/buildRegisterForTypedData.ts'
import { expect } from 'chai'
import { concat, encodeAbiParameters, hashTypedData, keccak256, stringToHex, verifyTypedData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const INPUT = {
  chainId: 31337,
  verifyingContract: `0x${'22'.repeat(20)}`,
  owner: account.address,
  agentURI: 'https://svc.io/registration-files/SVC-0123456789abcdefghijkl.json',
  metadata: [
    { metadataKey: 'svcId', metadataValue: '0x5356432d' },
    { metadataKey: 'registrationFileSha256', metadataValue: `0x${'33'.repeat(32)}` },
  ],
  nonce: 3n,
  deadline: 1763632800n,
} as const

const ENTRY_TYPE = 'MetadataEntry(string metadataKey,bytes metadataValue)'
const TYPE = `RegisterFor(address owner,string agentURI,MetadataEntry[] metadata,uint256 nonce,uint256 deadline)${ENTRY_TYPE}`
const DOMAIN_TYPE = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'
const keccakText = (text: string) => keccak256(stringToHex(text))

/** Computes the digest by the formulas of EIP-712, as the contract does. */
function digestByHand(): `0x${string}` {
  const entries = INPUT.metadata.map(({ metadataKey, metadataValue }) =>
    keccak256(
      encodeAbiParameters(
        [{ type: 'bytes32' }, { type: 'bytes32' }, { type: 'bytes32' }],
        [keccakText(ENTRY_TYPE), keccakText(metadataKey), keccak256(metadataValue)],
      ),
    ),
  )
  const struct = encodeAbiParameters(
    [
      { type: 'bytes32' },
      { type: 'address' },
      { type: 'bytes32' },
      { type: 'bytes32' },
      { type: 'uint256' },
      { type: 'uint256' },
    ],
    [
      keccakText(TYPE),
      INPUT.owner,
      keccakText(INPUT.agentURI),
      keccak256(concat(entries)),
      INPUT.nonce,
      INPUT.deadline,
    ],
  )
  const domain = encodeAbiParameters(
    [{ type: 'bytes32' }, { type: 'bytes32' }, { type: 'bytes32' }, { type: 'uint256' }, { type: 'address' }],
    [
      keccakText(DOMAIN_TYPE),
      keccakText('ERC8004IdentityRegistry'),
      keccakText('1'),
      BigInt(INPUT.chainId),
      INPUT.verifyingContract,
    ],
  )
  return keccak256(concat(['0x1901', keccak256(domain), keccak256(struct)]))
}

describe('the typed data of registerFor', () => {
  it('hashes to the digest of EIP-712 for the type strings of the registry', () => {
    expect(hashTypedData(buildRegisterForTypedData(INPUT))).to.equal(digestByHand())
  })

  it('is signed and verified unchanged', async () => {
    const typedData = buildRegisterForTypedData(INPUT)
    const signature = await account.signTypedData(typedData)
    expect(await verifyTypedData({ ...typedData, address: account.address, signature })).to.equal(true)
  })

  it('has another digest if any part changes', () => {
    const others = [
      { chainId: 1 },
      { verifyingContract: `0x${'23'.repeat(20)}` as const },
      { owner: `0x${'24'.repeat(20)}` as const },
      { agentURI: '' },
      { metadata: [] },
      { metadata: INPUT.metadata.toReversed() },
      { nonce: 4n },
      { deadline: 1763632801n },
    ]
    const digests = others.map((other) => hashTypedData(buildRegisterForTypedData({ ...INPUT, ...other })))
    expect(new Set([...digests, digestByHand()]).size).to.equal(others.length + 1)
  })
})
