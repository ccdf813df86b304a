import { expect } from 'chai'
import { getAddress, type Hex, hashTypedData, keccak256, toHex, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts'
import { identityRegistry } from '../../../server/chain/artifacts/identityRegistry.ts'
import { reportFaultFigure } from '../../harness/faults/reportFaultFigure.ts'
import { alterEachByte } from '../../harness/values/alterEachByte.ts'
import { eventsOf, revertOf } from '../callOutcome.ts'
import { deployContractWallet } from '../deployContractWallet.ts'
import { type Chain, openChain } from '../openChain.ts'
import { type Request, registerForDigest } from './registerForDigest.ts'

const types = {
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

const uri = 'ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG'
const entries: Request['metadata'] = [
  { metadataKey: 'svcId', metadataValue: toHex('SVC-1') },
  { metadataKey: 'fileHash', metadataValue: `0x${'5a'.repeat(32)}` },
]

describe('IdentityRegistry: registerFor', () => {
  let chain: Chain
  before(async () => {
    chain = await openChain()
  })
  after(() => chain.close())

  /** Deploys a registry and creates an owner without funds together with a request to sign; account 0 pays. */
  async function setUp() {
    const registry = await chain.deploy(identityRegistry)
    const owner = privateKeyToAccount(generatePrivateKey())
    const { timestamp } = await chain.client.getBlock()
    const domain = {
      name: 'ERC8004IdentityRegistry',
      version: '1',
      chainId: await chain.client.getChainId(),
      verifyingContract: registry.address,
    }
    const request: Request = {
      owner: owner.address,
      agentURI: uri,
      metadata: entries,
      nonce: 0n,
      deadline: timestamp + 1_000_000_000n,
    }
    const signed = (message: Request, signer = owner) =>
      signer.signTypedData({ domain, types, primaryType: 'RegisterFor', message })
    const argsOf = ({ owner, agentURI, metadata, deadline }: Request, signature: Hex) =>
      [owner, agentURI, metadata, deadline, signature] as const
    const refusal = async (message: Request, signature: Hex) =>
      revertOf(registry.simulate.registerFor(argsOf(message, signature)))
    return { registry, owner, domain, request, signed, argsOf, refusal }
  }

  it('gives token and wallet to the owner while another account pays', async () => {
    const { registry, owner, request, signed, argsOf } = await setUp()
    const receipt = await chain.receipt(registry.write.registerFor(argsOf(request, await signed(request))))
    const metadataSet = (metadataKey: string, metadataValue: string) => [
      'MetadataSet',
      { agentId: 1n, indexedMetadataKey: keccak256(toHex(metadataKey)), metadataKey, metadataValue },
    ]
    expect(eventsOf(identityRegistry.abi, receipt)).to.deep.equal([
      ['Transfer', { from: zeroAddress, to: owner.address, tokenId: 1n }],
      ['MetadataUpdate', { _tokenId: 1n }],
      ['Registered', { agentId: 1n, agentURI: uri, owner: owner.address }],
      metadataSet('agentWallet', owner.address.toLowerCase()),
      ...entries.map(({ metadataKey, metadataValue }) => metadataSet(metadataKey, metadataValue)),
    ])
    expect(await registry.read.ownerOf([1n])).to.equal(owner.address)
    expect(await registry.read.getAgentWallet([1n])).to.equal(owner.address)
    expect(await registry.read.tokenURI([1n])).to.equal(uri)
    expect(await registry.read.isAuthorizedOrOwner([chain.account(0), 1n])).to.equal(false)
  })

  it('returns the id to any submitter, and shares the id sequence with register', async () => {
    const { registry, request, signed, argsOf } = await setUp()
    await registry.write.register()
    const { result } = await registry.simulate.registerFor(argsOf(request, await signed(request)))
    expect(result).to.equal(2n)
  })

  it('accepts an empty URI and no metadata', async () => {
    const { registry, request, signed, argsOf } = await setUp()
    const bare = { ...request, agentURI: '', metadata: [] }
    await registry.write.registerFor(argsOf(bare, await signed(bare)))
    expect(await registry.read.tokenURI([1n])).to.equal('')
  })

  it("accepts a contract's signature (ERC-1271) without calling its receiver hook", async () => {
    const { registry, owner, request, signed, argsOf } = await setUp()
    const wallet = await deployContractWallet(chain, owner.address)
    await wallet.respondWith('Refuse')
    const theirs = { ...request, owner: wallet.address }
    await registry.write.registerFor(argsOf(theirs, await signed(theirs)))
    expect(await registry.read.ownerOf([1n])).to.equal(wallet.address)
  })

  it('rejects a contract whose key did not sign', async () => {
    const { request, signed, refusal } = await setUp()
    const wallet = await deployContractWallet(chain, chain.account(5))
    const theirs = { ...request, owner: wallet.address }
    expect(await refusal(theirs, await signed(theirs))).to.deep.equal([
      'InvalidRegistrationSignature',
      wallet.address,
      0n,
    ])
  })

  it('accepts each signature once', async () => {
    const { registry, owner, request, signed, argsOf, refusal } = await setUp()
    expect(await registry.read.nonces([owner.address])).to.equal(0n)
    const signature = await signed(request)
    await registry.write.registerFor(argsOf(request, signature))
    expect(await registry.read.nonces([owner.address])).to.equal(1n)
    expect(await refusal(request, signature)).to.deep.equal([
      'InvalidRegistrationSignature',
      owner.address,
      1n,
    ])

    const next = { ...request, nonce: 1n }
    await registry.write.registerFor(argsOf(next, await signed(next)))
    expect(await registry.read.balanceOf([owner.address])).to.equal(2n)
  })

  it('counts nonces per owner, and does not advance them for a rejected signature', async () => {
    const { registry, owner, request, signed, argsOf, refusal } = await setUp()
    const other = privateKeyToAccount(generatePrivateKey())
    await registry.write.registerFor(argsOf(request, await signed(request)))
    const theirs = { ...request, owner: other.address }
    await refusal(theirs, await signed(theirs, owner))
    await registry.write.registerFor(argsOf(theirs, await signed(theirs, other)))
    expect(await registry.read.nonces([other.address])).to.equal(1n)
  })

  it('accepts a signature in the last second before its deadline and rejects it afterwards', async () => {
    const { registry, request, signed, argsOf } = await setUp()
    const deadline = BigInt(await chain.helpers.time.latest()) + 100n
    const [first, second] = [
      { ...request, deadline },
      { ...request, deadline, nonce: 1n },
    ]
    const late = argsOf(second, await signed(second))
    await chain.helpers.time.setNextBlockTimestamp(deadline)
    await registry.write.registerFor(argsOf(first, await signed(first)), { gas: 500_000n })
    await chain.helpers.time.setNextBlockTimestamp(deadline + 1n)
    await chain.helpers.mine()
    const call = chain.client.simulateContract({
      ...registry,
      functionName: 'registerFor',
      args: late,
      account: chain.account(0),
      blockTag: 'latest',
    })
    expect(await revertOf(call)).to.deep.equal(['RegistrationExpired', deadline, deadline + 1n])
  })

  const changes: [string, (request: Request) => Request][] = [
    ['another owner', (request) => ({ ...request, owner: '0x00000000000000000000000000000000000000aa' })],
    ['another URI', (request) => ({ ...request, agentURI: `${uri}/` })],
    ['another deadline', (request) => ({ ...request, deadline: request.deadline + 1n })],
    ['one entry fewer', (request) => ({ ...request, metadata: entries.slice(1) })],
    ['a duplicated entry', (request) => ({ ...request, metadata: [...entries, ...entries.slice(1)] })],
    ['entries in another order', (request) => ({ ...request, metadata: entries.toReversed() })],
    [
      'another value',
      (request) => ({ ...request, metadata: entries.map((entry) => ({ ...entry, metadataValue: '0x00' })) }),
    ],
    [
      'another key',
      (request) => ({ ...request, metadata: entries.map((entry) => ({ ...entry, metadataKey: 'k' })) }),
    ],
  ]
  for (const [what, change] of changes) {
    it(`rejects ${what} that was not signed`, async () => {
      const { request, signed, refusal } = await setUp()
      const changed = change(request)
      expect(await refusal(changed, await signed(request))).to.deep.equal([
        'InvalidRegistrationSignature',
        getAddress(changed.owner),
        0n,
      ])
    })
  }

  it('rejects a future nonce, another signer and a truncated signature', async () => {
    const { owner, request, signed, refusal } = await setUp()
    const invalid = ['InvalidRegistrationSignature', owner.address, 0n]
    const stranger = privateKeyToAccount(generatePrivateKey())
    const signature = await signed(request)
    expect(await refusal(request, await signed({ ...request, nonce: 1n }))).to.deep.equal(invalid)
    expect(await refusal(request, await signed(request, stranger))).to.deep.equal(invalid)
    expect(await refusal(request, `0x${signature.slice(2, -2)}`)).to.deep.equal(invalid)
    expect(await refusal(request, '0x')).to.deep.equal(invalid)
  })

  it('rejects a signature with any byte changed', async () => {
    const { owner, request, signed, refusal } = await setUp()
    const altered = alterEachByte(Buffer.from((await signed(request)).slice(2), 'hex'))
    for (const [at, bytes] of altered.entries()) {
      const refused = await refusal(request, `0x${bytes.toString('hex')}`)
      expect(refused, `byte ${at}`).to.deep.equal(['InvalidRegistrationSignature', owner.address, 0n])
    }
    reportFaultFigure(
      `consent on chain, one bit flipped in each of the ${altered.length} bytes of its signature: 0 accepted`,
    )
  })

  it('rejects a signature for another registry', async () => {
    const { request, signed } = await setUp()
    const other = await setUp()
    expect(await other.refusal(request, await signed(request))).to.deep.equal([
      'InvalidRegistrationSignature',
      request.owner,
      0n,
    ])
  })

  it('rejects the zero address as owner', async () => {
    const { request, signed, refusal } = await setUp()
    const nobodys = { ...request, owner: zeroAddress }
    expect(await refusal(nobodys, await signed(nobodys))).to.deep.equal([
      'InvalidRegistrationSignature',
      zeroAddress,
      0n,
    ])
  })

  it('rejects the reserved key even if it is signed', async () => {
    const { request, signed, refusal } = await setUp()
    const reserved = {
      ...request,
      metadata: [{ metadataKey: 'agentWallet', metadataValue: '0x01' }] as const,
    }
    expect(await refusal(reserved, await signed(reserved))).to.deep.equal(['Error', 'reserved key'])
  })

  it('verifies the digest that EIP-712 prescribes for the documented types', async () => {
    const { registry, domain, request, argsOf } = await setUp()
    const key = generatePrivateKey()
    const message = { ...request, owner: privateKeyToAccount(key).address }
    const digest = registerForDigest(message, domain.chainId, registry.address)
    expect(digest).to.equal(hashTypedData({ domain, types, primaryType: 'RegisterFor', message }))

    await registry.write.registerFor(
      argsOf(message, await sign({ hash: digest, privateKey: key, to: 'hex' })),
    )
    expect(await registry.read.ownerOf([1n])).to.equal(message.owner)
  })
})
