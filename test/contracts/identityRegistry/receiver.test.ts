import { expect } from 'chai'
import { type Address, zeroAddress } from 'viem'
import { auditLog } from '../../../server/chain/artifacts/auditLog.ts'
import { identityRegistry } from '../../../server/chain/artifacts/identityRegistry.ts'
import { eventsOf, revertOf } from '../callOutcome.ts'
import { deployTokenReceiver, type ReceiverResponse } from '../deployTokenReceiver.ts'
import { type Chain, openChain } from '../openChain.ts'
import { deployWithAgents, ROLES } from './deployWithAgents.ts'

const { OWNER, OPERATOR, APPROVED, OTHER } = ROLES

describe('IdentityRegistry: token receivers', () => {
  let chain: Chain
  before(async () => {
    chain = await openChain()
  })
  after(() => chain.close())

  const account = (number: number) => chain.account(number)

  describe('onERC721Received', () => {
    it('receives operator, previous owner, token id and data', async () => {
      const registry = await deployWithAgents(chain)
      const receiver = await deployTokenReceiver(chain)
      const from = account(OWNER)
      const eventsFrom = async (hash: Promise<`0x${string}`>) =>
        eventsOf(receiver.abi, await chain.receipt(hash))
      const [operator, approved] = [account(OPERATOR), account(APPROVED)]
      const withData = [from, receiver.address, 1n, '0x42'] as const
      expect(
        await eventsFrom(registry.write.safeTransferFrom(withData, { account: approved })),
      ).to.deep.equal([['Received', { operator: approved, from, tokenId: 1n, data: '0x42' }]])
      const withoutData = [from, receiver.address, 2n] as const
      expect(
        await eventsFrom(registry.write.safeTransferFrom(withoutData, { account: operator })),
      ).to.deep.equal([['Received', { operator, from, tokenId: 2n, data: '0x' }]])
    })

    it('receives its own registration as a transfer from the zero address', async () => {
      const registry = await deployWithAgents(chain)
      const receiver = await deployTokenReceiver(chain)
      const receipt = await chain.receipt(receiver.call(registry.address, 'register', ['ipfs://three']))
      const told = { operator: receiver.address, from: zeroAddress, tokenId: 3n, data: '0x' }
      expect(eventsOf(receiver.abi, receipt)).to.deep.equal([['Received', told]])
    })

    it('is not called by transferFrom', async () => {
      const registry = await deployWithAgents(chain)
      const receiver = await deployTokenReceiver(chain)
      await receiver.prepare('NoReason')
      await registry.write.transferFrom([account(OWNER), receiver.address, 1n])
      expect(await registry.read.ownerOf([1n])).to.equal(receiver.address)
    })

    const refusals: [ReceiverResponse, (receiver: Address) => unknown[]][] = [
      ['OtherValue', (receiver) => ['ERC721InvalidReceiver', receiver]],
      ['CustomError', () => ['Unwelcome', 1n]],
      ['Reason', () => ['Error', 'not today']],
      ['NoReason', (receiver) => ['ERC721InvalidReceiver', receiver]],
      ['Panic', () => ['Panic', 1n]],
    ]
    for (const [response, expected] of refusals) {
      it(`rejects the token with ${response}, which the sender sees`, async () => {
        const registry = await deployWithAgents(chain)
        const receiver = await deployTokenReceiver(chain)
        await receiver.prepare(response)
        const args = [account(OWNER), receiver.address, 1n] as const
        for (const call of [
          () => registry.simulate.safeTransferFrom(args),
          () => registry.simulate.safeTransferFrom([...args, '0x42']),
        ]) {
          expect(await revertOf(call())).to.deep.equal(expected(receiver.address))
        }
      })
    }

    it('must exist for a contract to receive a token', async () => {
      const registry = await deployWithAgents(chain)
      const ignorant = await chain.deploy(auditLog)
      const call = registry.simulate.safeTransferFrom([account(OWNER), ignorant.address, 1n])
      expect(await revertOf(call)).to.deep.equal(['ERC721InvalidReceiver', ignorant.address])
    })
  })

  describe('re-entrant calls', () => {
    it('can transfer the token onwards', async () => {
      const registry = await deployWithAgents(chain)
      const receiver = await deployTokenReceiver(chain)
      await receiver.prepare('Accept', ['transferFrom', [receiver.address, account(OTHER), 1n]])
      await registry.write.safeTransferFrom([account(OWNER), receiver.address, 1n, '0x42'])
      expect(await registry.read.ownerOf([1n])).to.equal(account(OTHER))
      expect(await registry.read.balanceOf([receiver.address])).to.equal(0n)
      expect(await registry.read.balanceOf([account(OTHER)])).to.equal(1n)
      expect(await registry.read.getAgentWallet([1n])).to.equal(zeroAddress)
    })

    it("cannot change the previous owner's other agents while that owner is sending", async () => {
      const registry = await deployWithAgents(chain)
      const receiver = await deployTokenReceiver(chain)
      await receiver.prepare('Accept', ['transferFrom', [account(OWNER), receiver.address, 2n]])
      const call = registry.simulate.safeTransferFrom([account(OWNER), receiver.address, 1n])
      expect(await revertOf(call)).to.deep.equal(['ERC721InsufficientApproval', receiver.address, 2n])
    })

    it('can register again, which yields two complete agents', async () => {
      const registry = await deployWithAgents(chain)
      const receiver = await deployTokenReceiver(chain)
      await receiver.prepare('Accept', ['register', ['ipfs://inner']])
      const receipt = await chain.receipt(receiver.call(registry.address, 'register', ['ipfs://outer']))
      const registered = eventsOf(identityRegistry.abi, receipt).filter(([event]) => event === 'Registered')
      expect(registered.map(([, args]) => args)).to.deep.equal([
        { agentId: 3n, agentURI: 'ipfs://outer', owner: receiver.address },
        { agentId: 4n, agentURI: 'ipfs://inner', owner: receiver.address },
      ])
      for (const [id, uri] of [
        [3n, 'ipfs://outer'],
        [4n, 'ipfs://inner'],
      ] as const) {
        expect(await registry.read.ownerOf([id])).to.equal(receiver.address)
        expect(await registry.read.tokenURI([id])).to.equal(uri)
        expect(await registry.read.getAgentWallet([id])).to.equal(receiver.address)
      }
      expect(await registry.read.balanceOf([receiver.address])).to.equal(2n)
    })

    it('can transfer the agent during its registration, which removes its wallet', async () => {
      const registry = await deployWithAgents(chain)
      const receiver = await deployTokenReceiver(chain)
      await receiver.prepare('Accept', ['transferFrom', [receiver.address, account(OTHER), 3n]])
      await receiver.call(registry.address, 'register', [])
      expect(await registry.read.ownerOf([3n])).to.equal(account(OTHER))
      expect(await registry.read.getAgentWallet([3n])).to.equal(zeroAddress)
    })
  })
})
