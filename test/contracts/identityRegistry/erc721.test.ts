import { expect } from 'chai'
import { type Address, encodeFunctionData, type Hex, zeroAddress } from 'viem'
import { identityRegistry } from '../../../server/chain/artifacts/identityRegistry.ts'
import { eventsOf, revertOf } from '../callOutcome.ts'
import { type Chain, openChain } from '../openChain.ts'
import { deployWithAgents, type RegistryWithAgents, ROLES } from './deployWithAgents.ts'

const { OWNER, OPERATOR, APPROVED, OTHER } = ROLES

const UNKNOWN = 13n

describe('IdentityRegistry as an ERC-721', () => {
  let chain: Chain
  before(async () => {
    chain = await openChain()
  })
  after(() => chain.close())

  const account = (number: number) => chain.account(number)
  const as = (number: number) => ({ account: account(number) })

  const registryWithAgents = () => deployWithAgents(chain)

  describe('balanceOf and ownerOf', () => {
    it('return what an account owns, and nothing for other accounts', async () => {
      const registry = await registryWithAgents()
      expect(await registry.read.balanceOf([account(OWNER)])).to.equal(2n)
      expect(await registry.read.balanceOf([account(OTHER)])).to.equal(0n)
      expect(await registry.read.ownerOf([2n])).to.equal(account(OWNER))
    })

    it('reject the zero address and unknown agents', async () => {
      const registry = await registryWithAgents()
      expect(await revertOf(registry.read.balanceOf([zeroAddress]))).to.deep.equal([
        'ERC721InvalidOwner',
        zeroAddress,
      ])
      for (const id of [0n, UNKNOWN]) {
        expect(await revertOf(registry.read.ownerOf([id]))).to.deep.equal(['ERC721NonexistentToken', id])
      }
    })
  })

  /** The three ways to transfer a token, each as a call with the same arguments. */
  const WAYS = {
    transferFrom: (args: readonly [Address, Address, bigint], from: number) =>
      ['transferFrom', args, as(from)] as const,
    'safeTransferFrom without data': (args: readonly [Address, Address, bigint], from: number) =>
      ['safeTransferFrom', args, as(from)] as const,
    'safeTransferFrom with data': ([from, to, id]: readonly [Address, Address, bigint], caller: number) =>
      ['safeTransferFrom', [from, to, id, '0x42'], as(caller)] as const,
  }
  type Way = (typeof WAYS)[keyof typeof WAYS]

  const send = (registry: RegistryWithAgents, [name, args, options]: ReturnType<Way>): Promise<Hex> =>
    (registry.write[name] as (args: unknown, options: unknown) => Promise<Hex>)(args, options)
  const tryOut = (registry: RegistryWithAgents, [name, args, options]: ReturnType<Way>): Promise<unknown> =>
    (registry.simulate[name] as (args: unknown, options: unknown) => Promise<unknown>)(args, options)

  for (const [name, way] of Object.entries(WAYS)) {
    describe(name, () => {
      for (const [who, caller] of [
        ['the owner', OWNER],
        ['the operator', OPERATOR],
        ['the approved account', APPROVED],
      ] as const) {
        it(`by ${who} changes owner and balances only, and removes the approval`, async () => {
          const registry = await registryWithAgents()
          const receipt = await chain.receipt(
            send(registry, way([account(OWNER), account(OTHER), 1n], caller)),
          )
          expect(eventsOf(identityRegistry.abi, receipt).at(-1)).to.deep.equal([
            'Transfer',
            { from: account(OWNER), to: account(OTHER), tokenId: 1n },
          ])
          expect(receipt.logs.length).to.equal(2)
          expect(await registry.read.ownerOf([1n])).to.equal(account(OTHER))
          expect(await registry.read.ownerOf([2n])).to.equal(account(OWNER))
          expect(await registry.read.balanceOf([account(OWNER)])).to.equal(1n)
          expect(await registry.read.balanceOf([account(OTHER)])).to.equal(1n)
          expect(await registry.read.getApproved([1n])).to.equal(zeroAddress)
          expect(await registry.read.isApprovedForAll([account(OWNER), account(OPERATOR)])).to.equal(true)
        })
      }

      it('by an operator transfers a token without an approved account', async () => {
        const registry = await registryWithAgents()
        await send(registry, way([account(OWNER), account(OTHER), 2n], OPERATOR))
        expect(await registry.read.ownerOf([2n])).to.equal(account(OTHER))
      })

      it('to the owner itself changes neither owner nor balance, and removes approval and wallet', async () => {
        const registry = await registryWithAgents()
        const receipt = await chain.receipt(send(registry, way([account(OWNER), account(OWNER), 1n], OWNER)))
        expect(eventsOf(identityRegistry.abi, receipt).map(([event]) => event)).to.deep.equal([
          'MetadataSet',
          'Transfer',
        ])
        expect(await registry.read.ownerOf([1n])).to.equal(account(OWNER))
        expect(await registry.read.balanceOf([account(OWNER)])).to.equal(2n)
        expect(await registry.read.getApproved([1n])).to.equal(zeroAddress)
        expect(await registry.read.getAgentWallet([1n])).to.equal(zeroAddress)
      })

      it('rejects a wrong sender, an unauthorised caller, an unknown agent and the zero address', async () => {
        const registry = await registryWithAgents()
        const refusal = (args: readonly [Address, Address, bigint], caller: number) =>
          revertOf(tryOut(registry, way(args, caller)))
        expect(await refusal([account(OTHER), account(OTHER), 1n], OWNER)).to.deep.equal([
          'ERC721IncorrectOwner',
          account(OTHER),
          1n,
          account(OWNER),
        ])
        expect(await refusal([account(OWNER), account(OTHER), 1n], OTHER)).to.deep.equal([
          'ERC721InsufficientApproval',
          account(OTHER),
          1n,
        ])
        expect(await refusal([account(OWNER), account(OTHER), 2n], APPROVED)).to.deep.equal([
          'ERC721InsufficientApproval',
          account(APPROVED),
          2n,
        ])
        expect(await refusal([account(OWNER), account(OTHER), UNKNOWN], OWNER)).to.deep.equal([
          'ERC721NonexistentToken',
          UNKNOWN,
        ])
        expect(await refusal([account(OWNER), zeroAddress, 1n], OWNER)).to.deep.equal([
          'ERC721InvalidReceiver',
          zeroAddress,
        ])
        expect(await registry.read.ownerOf([1n])).to.equal(account(OWNER))
      })
    })
  }

  describe('approve', () => {
    for (const [what, from, to] of [
      ['an account for a token without one', zeroAddress, 'APPROVED'],
      ['another account instead', 'APPROVED', 'OTHER'],
      ['the same account again', 'APPROVED', 'APPROVED'],
      ['the zero address, which removes the approval', 'APPROVED', zeroAddress],
      ['the zero address for a token without an approval', zeroAddress, zeroAddress],
    ] as const) {
      it(`accepts ${what}, and emits an event`, async () => {
        const registry = await registryWithAgents()
        const addressOf = (name: string) =>
          name === 'APPROVED' ? account(APPROVED) : name === 'OTHER' ? account(OTHER) : zeroAddress
        await registry.write.approve([addressOf(from), 2n])
        const receipt = await chain.receipt(registry.write.approve([addressOf(to), 2n]))
        expect(eventsOf(identityRegistry.abi, receipt)).to.deep.equal([
          ['Approval', { owner: account(OWNER), approved: addressOf(to), tokenId: 2n }],
        ])
        expect(await registry.read.getApproved([2n])).to.equal(addressOf(to))
        expect(await registry.read.getApproved([1n])).to.equal(account(APPROVED))
      })
    }

    it('accepts the owner and its operators, not the approved account or other accounts', async () => {
      const registry = await registryWithAgents()
      await registry.write.approve([account(OTHER), 1n], as(OPERATOR))
      expect(await registry.read.getApproved([1n])).to.equal(account(OTHER))
      for (const caller of [APPROVED, OTHER]) {
        const refusal = await revertOf(registry.simulate.approve([account(APPROVED), 1n], as(caller)))
        expect(refusal).to.deep.equal(['ERC721InvalidApprover', account(caller)])
      }
    })

    it('rejects unknown agents, as does getApproved', async () => {
      const registry = await registryWithAgents()
      const refusal = ['ERC721NonexistentToken', UNKNOWN]
      expect(await revertOf(registry.simulate.approve([account(OTHER), UNKNOWN]))).to.deep.equal(refusal)
      expect(await revertOf(registry.read.getApproved([UNKNOWN]))).to.deep.equal(refusal)
    })
  })

  describe('setApprovalForAll', () => {
    it('adds, confirms and removes an operator, with an event each time', async () => {
      const registry = await chain.deploy(identityRegistry)
      for (const approved of [true, true, false, false]) {
        const receipt = await chain.receipt(registry.write.setApprovalForAll([account(OTHER), approved]))
        expect(eventsOf(identityRegistry.abi, receipt)).to.deep.equal([
          ['ApprovalForAll', { owner: account(OWNER), operator: account(OTHER), approved }],
        ])
        expect(await registry.read.isApprovedForAll([account(OWNER), account(OTHER)])).to.equal(approved)
      }
    })

    it('accepts the owner itself and rejects the zero address', async () => {
      const registry = await chain.deploy(identityRegistry)
      await registry.write.setApprovalForAll([account(OWNER), true])
      expect(await registry.read.isApprovedForAll([account(OWNER), account(OWNER)])).to.equal(true)
      expect(await revertOf(registry.simulate.setApprovalForAll([zeroAddress, true]))).to.deep.equal([
        'ERC721InvalidOperator',
        zeroAddress,
      ])
    })
  })

  describe('token URI (ERC-721 metadata, ERC-4906)', () => {
    it('returns the URI, empty if none was set, and rejects an unknown agent', async () => {
      const registry = await registryWithAgents()
      expect(await registry.read.tokenURI([1n])).to.equal('ipfs://one')
      expect(await registry.read.tokenURI([2n])).to.equal('')
      expect(await revertOf(registry.read.tokenURI([UNKNOWN]))).to.deep.equal([
        'ERC721NonexistentToken',
        UNKNOWN,
      ])
    })

    it('emits MetadataUpdate whenever the URI is set, and never on transfer', async () => {
      const registry = await registryWithAgents()
      const updatesIn = async (hash: Promise<Hex>) =>
        eventsOf(identityRegistry.abi, await chain.receipt(hash)).filter(
          ([event]) => event === 'MetadataUpdate',
        )
      const update = (id: bigint) => [['MetadataUpdate', { _tokenId: id }]]
      expect(await updatesIn(registry.write.setAgentURI([2n, 'ipfs://two']))).to.deep.equal(update(2n))
      expect(await updatesIn(registry.write.setAgentURI([2n, '']))).to.deep.equal(update(2n))
      expect(await updatesIn(registry.write.register(['ipfs://three']))).to.deep.equal(update(3n))
      const call = WAYS.transferFrom([account(OWNER), account(OTHER), 3n], OWNER)
      expect(await updatesIn(send(registry, call))).to.deep.equal([])
      expect(await registry.read.tokenURI([3n])).to.equal('ipfs://three')
    })
  })

  it('answers ERC-165 within the limit of 30,000 gas', async () => {
    const registry = await chain.deploy(identityRegistry)
    const ids = ['0x01ffc9a7', '0x80ac58cd', '0x5b5e139f', '0x49064906', '0xffffffff'] as const
    for (const id of ids) {
      const data = encodeFunctionData({
        abi: identityRegistry.abi,
        functionName: 'supportsInterface',
        args: [id],
      })
      const gas = await chain.client.estimateGas({ account: account(OWNER), to: registry.address, data })
      expect(Number(gas) - 21_000).to.be.below(30_000)
    }
  })
})
