import { expect } from 'chai'
import { keccak256, toHex, zeroAddress } from 'viem'
import { auditLog } from '../../../server/chain/artifacts/auditLog.ts'
import { identityRegistry } from '../../../server/chain/artifacts/identityRegistry.ts'
import { eventsOf, revertOf } from '../callOutcome.ts'
import { deployContractWallet } from '../deployContractWallet.ts'
import { type Chain, openChain } from '../openChain.ts'

describe('IdentityRegistry: token of an agent', () => {
  let chain: Chain
  before(async () => {
    chain = await openChain()
  })
  after(() => chain.close())

  /** Registers agent 1 with metadata for account 0; account 1 is an operator, account 2 approved. */
  async function registryWithAgent() {
    const registry = await chain.deploy(identityRegistry)
    await registry.write.register(['ipfs://file', [{ metadataKey: 'model', metadataValue: '0x07' }]])
    await registry.write.setApprovalForAll([chain.account(1), true])
    await registry.write.approve([chain.account(2), 1n])
    return registry
  }

  const walletCleared = {
    agentId: 1n,
    indexedMetadataKey: keccak256(toHex('agentWallet')),
    metadataKey: 'agentWallet',
    metadataValue: '0x',
  }

  it('loses wallet and approval on transfer, and keeps URI and metadata', async () => {
    const registry = await registryWithAgent()
    const [from, to] = [chain.account(0), chain.account(3)]
    const receipt = await chain.receipt(registry.write.transferFrom([from, to, 1n]))
    expect(eventsOf(identityRegistry.abi, receipt)).to.deep.equal([
      ['MetadataSet', walletCleared],
      ['Transfer', { from, to, tokenId: 1n }],
    ])
    expect(await registry.read.ownerOf([1n])).to.equal(to)
    expect([await registry.read.balanceOf([from]), await registry.read.balanceOf([to])]).to.deep.equal([
      0n,
      1n,
    ])
    expect(await registry.read.getApproved([1n])).to.equal(zeroAddress)
    expect(await registry.read.getAgentWallet([1n])).to.equal(zeroAddress)
    expect(await registry.read.getMetadata([1n, 'agentWallet'])).to.equal('0x')
    expect(await registry.read.tokenURI([1n])).to.equal('ipfs://file')
    expect(await registry.read.getMetadata([1n, 'model'])).to.equal('0x07')
  })

  it('loses its wallet even when transferred to its own owner, as in the reference', async () => {
    const registry = await registryWithAgent()
    const owner = chain.account(0)
    await registry.write.transferFrom([owner, owner, 1n])
    expect(await registry.read.getAgentWallet([1n])).to.equal(zeroAddress)
  })

  it('can be transferred by its owner, an operator and the approved account only', async () => {
    const registry = await registryWithAgent()
    const args = [chain.account(0), chain.account(3), 1n] as const
    for (const number of [0, 1, 2])
      await registry.simulate.transferFrom(args, { account: chain.account(number) })
    expect(await revertOf(registry.simulate.transferFrom(args, { account: chain.account(3) }))).to.deep.equal(
      ['ERC721InsufficientApproval', chain.account(3), 1n],
    )
  })

  it('cannot be transferred to the zero address, from another account, or if it does not exist', async () => {
    const registry = await registryWithAgent()
    const [owner, other] = [chain.account(0), chain.account(3)]
    expect(await revertOf(registry.simulate.transferFrom([owner, zeroAddress, 1n]))).to.deep.equal([
      'ERC721InvalidReceiver',
      zeroAddress,
    ])
    expect(await revertOf(registry.simulate.transferFrom([other, owner, 1n]))).to.deep.equal([
      'ERC721IncorrectOwner',
      other,
      1n,
      owner,
    ])
    expect(await revertOf(registry.simulate.transferFrom([owner, other, 2n]))).to.deep.equal([
      'ERC721NonexistentToken',
      2n,
    ])
  })

  it('can be approved by owner and operator only', async () => {
    const registry = await registryWithAgent()
    const receipt = await chain.receipt(
      registry.write.approve([chain.account(3), 1n], { account: chain.account(1) }),
    )
    expect(eventsOf(identityRegistry.abi, receipt)).to.deep.equal([
      ['Approval', { owner: chain.account(0), approved: chain.account(3), tokenId: 1n }],
    ])
    const refused = registry.simulate.approve([chain.account(2), 1n], { account: chain.account(3) })
    expect(await revertOf(refused)).to.deep.equal(['ERC721InvalidApprover', chain.account(3)])
  })

  it('no longer obeys an operator once the operator is removed', async () => {
    const registry = await registryWithAgent()
    const operator = chain.account(1)
    const receipt = await chain.receipt(registry.write.setApprovalForAll([operator, false]))
    expect(eventsOf(identityRegistry.abi, receipt)).to.deep.equal([
      ['ApprovalForAll', { owner: chain.account(0), operator, approved: false }],
    ])
    expect(await registry.read.isApprovedForAll([chain.account(0), operator])).to.equal(false)
    const call = registry.simulate.setMetadata([1n, 'model', '0x08'], { account: operator })
    expect(await revertOf(call)).to.deep.equal(['Error', 'Not authorized'])
  })

  describe('safeTransferFrom', () => {
    it('reaches accounts and contracts that accept it, which see the wallet removed', async () => {
      const registry = await registryWithAgent()
      const wallet = await deployContractWallet(chain)
      await registry.write.safeTransferFrom([chain.account(0), wallet.address, 1n])
      expect(await registry.read.ownerOf([1n])).to.equal(wallet.address)
      expect(await wallet.seen()).to.deep.equal({ wallet: zeroAddress, uri: 'ipfs://file', metadata: '0x07' })
      await wallet.call(registry, 'safeTransferFrom', [wallet.address, chain.account(3), 1n, '0x01'])
      expect(await registry.read.ownerOf([1n])).to.equal(chain.account(3))
    })

    it('does not reach contracts that reject it or cannot receive tokens', async () => {
      const registry = await registryWithAgent()
      const wallet = await deployContractWallet(chain)
      const ignorant = await chain.deploy(auditLog)
      const send = (to: `0x${string}`) =>
        registry.simulate.safeTransferFrom([chain.account(0), to, 1n, '0x01'])

      await wallet.respondWith('Refuse')
      expect(await revertOf(send(wallet.address))).to.deep.equal(['ERC721InvalidReceiver', wallet.address])
      expect(await revertOf(send(ignorant.address))).to.deep.equal([
        'ERC721InvalidReceiver',
        ignorant.address,
      ])
    })
  })
})
