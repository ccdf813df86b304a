import { expect } from 'chai'
import { keccak256, toHex, zeroAddress } from 'viem'
import { auditLog } from '../../../server/chain/artifacts/auditLog.ts'
import { identityRegistry } from '../../../server/chain/artifacts/identityRegistry.ts'
import { eventsOf, revertOf } from '../callOutcome.ts'
import { deployContractWallet } from '../deployContractWallet.ts'
import { type Chain, openChain } from '../openChain.ts'

const uri = 'ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG'
const entries = [
  { metadataKey: 'model', metadataValue: toHex('m-7') },
  { metadataKey: 'empty', metadataValue: '0x' },
  { metadataKey: 'model', metadataValue: toHex('m-8') },
] as const

describe('IdentityRegistry: registration', () => {
  let chain: Chain
  before(async () => {
    chain = await openChain()
  })
  after(() => chain.close())

  const deploy = () => chain.deploy(identityRegistry)
  const walletSet = (agentId: bigint, value: string) => [
    'MetadataSet',
    {
      agentId,
      indexedMetadataKey: keccak256(toHex('agentWallet')),
      metadataKey: 'agentWallet',
      metadataValue: value.toLowerCase(),
    },
  ]

  describe('register()', () => {
    it('mints id 1 to the caller, with the caller as wallet and no URI', async () => {
      const registry = await deploy()
      const receipt = await chain.receipt(registry.write.register())
      const owner = chain.account(0)
      expect(eventsOf(identityRegistry.abi, receipt)).to.deep.equal([
        ['Transfer', { from: zeroAddress, to: owner, tokenId: 1n }],
        ['Registered', { agentId: 1n, agentURI: '', owner }],
        walletSet(1n, owner),
      ])
      expect(await registry.read.ownerOf([1n])).to.equal(owner)
      expect(await registry.read.balanceOf([owner])).to.equal(1n)
      expect(await registry.read.getAgentWallet([1n])).to.equal(owner)
      expect(await registry.read.tokenURI([1n])).to.equal('')
    })

    it('assigns consecutive ids', async () => {
      const registry = await deploy()
      await registry.write.register()
      await registry.write.register([uri])
      expect((await registry.simulate.register([uri, []])).result).to.equal(3n)
    })
  })

  describe('register(agentURI)', () => {
    it('emits MetadataUpdate between Transfer and Registered', async () => {
      const registry = await deploy()
      const receipt = await chain.receipt(registry.write.register([uri], { account: chain.account(1) }))
      const owner = chain.account(1)
      expect(eventsOf(identityRegistry.abi, receipt)).to.deep.equal([
        ['Transfer', { from: zeroAddress, to: owner, tokenId: 1n }],
        ['MetadataUpdate', { _tokenId: 1n }],
        ['Registered', { agentId: 1n, agentURI: uri, owner }],
        walletSet(1n, owner),
      ])
      expect(await registry.read.tokenURI([1n])).to.equal(uri)
    })
  })

  describe('register(agentURI, metadata)', () => {
    it('stores the entries in order, after the wallet', async () => {
      const registry = await deploy()
      const receipt = await chain.receipt(registry.write.register([uri, entries]))
      const owner = chain.account(0)
      expect(eventsOf(identityRegistry.abi, receipt)).to.deep.equal([
        ['Transfer', { from: zeroAddress, to: owner, tokenId: 1n }],
        ['MetadataUpdate', { _tokenId: 1n }],
        ['Registered', { agentId: 1n, agentURI: uri, owner }],
        walletSet(1n, owner),
        ...entries.map((entry) => [
          'MetadataSet',
          { agentId: 1n, indexedMetadataKey: keccak256(toHex(entry.metadataKey)), ...entry },
        ]),
      ])
      expect(await registry.read.getMetadata([1n, 'model'])).to.equal(toHex('m-8'))
      expect(await registry.read.getMetadata([1n, 'empty'])).to.equal('0x')
    })

    it('rejects the reserved key', async () => {
      const registry = await deploy()
      const reserved = { metadataKey: 'agentWallet', metadataValue: chain.account(1) }
      expect(await revertOf(registry.simulate.register([uri, [reserved]]))).to.deep.equal([
        'Error',
        'reserved key',
      ])
    })
  })

  describe('registration by a contract', () => {
    it('shows the contract a complete agent when it receives the token', async () => {
      const registry = await deploy()
      const wallet = await deployContractWallet(chain)
      await wallet.call(registry, 'register', [uri, entries])
      expect(await registry.read.ownerOf([1n])).to.equal(wallet.address)
      expect(await wallet.seen()).to.deep.equal({
        wallet: wallet.address,
        uri,
        metadata: toHex('m-8'),
      })
    })

    it('fails if the contract rejects the token', async () => {
      const registry = await deploy()
      const wallet = await deployContractWallet(chain)
      await wallet.respondWith('Refuse')
      const refusal = ['ERC721InvalidReceiver', wallet.address]
      for (const args of [[], [uri], [uri, entries]]) {
        expect(await revertOf(wallet.tryCall(registry, 'register', args))).to.deep.equal(refusal)
      }
      await wallet.respondWith('Revert')
      expect(await revertOf(wallet.tryCall(registry, 'register', []))).to.deep.equal(['Unwelcome', 1n])
    })

    it('fails if the contract cannot receive tokens', async () => {
      const registry = await deploy()
      const { address } = await chain.deploy(auditLog)
      expect(await revertOf(registry.simulate.register({ account: address }))).to.deep.equal([
        'ERC721InvalidReceiver',
        address,
      ])
    })
  })

  describe('constants', () => {
    it('are the name AgentIdentity, the symbol AGENT and version 2.0.0', async () => {
      const registry = await deploy()
      expect(await registry.read.name()).to.equal('AgentIdentity')
      expect(await registry.read.symbol()).to.equal('AGENT')
      expect(await registry.read.getVersion()).to.equal('2.0.0')
    })

    it('include the EIP-712 domain ERC8004IdentityRegistry, version 1', async () => {
      const registry = await deploy()
      expect(await registry.read.eip712Domain()).to.deep.equal([
        '0x0f',
        'ERC8004IdentityRegistry',
        '1',
        BigInt(await chain.client.getChainId()),
        registry.address,
        `0x${'00'.repeat(32)}`,
        [],
      ])
    })

    it('declare ERC-165, ERC-721, its metadata and ERC-4906, and nothing else', async () => {
      const registry = await deploy()
      const ids = [
        '0x01ffc9a7',
        '0x80ac58cd',
        '0x5b5e139f',
        '0x49064906',
        '0xffffffff',
        '0x780e9d63',
      ] as const
      const answers = await Promise.all(ids.map((id) => registry.read.supportsInterface([id])))
      expect(answers).to.deep.equal([true, true, true, true, false, false])
    })
  })
})
