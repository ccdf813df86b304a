import { expect } from 'chai'
import { type Address, zeroAddress } from 'viem'
import { auditLog } from '../../../server/chain/artifacts/auditLog.ts'
import { identityRegistry } from '../../../server/chain/artifacts/identityRegistry.ts'
import { deployTokenReceiver, type ReceiverAnswer } from '../deployTokenReceiver.ts'
import { eventsOf } from '../eventsOf.ts'
import { type Chain, openChain } from '../openChain.ts'
import { refusalOf } from '../refusalOf.ts'
import { deployWithAgents, ROLES } from './deployWithAgents.ts'

const { OWNER, OPERATOR, APPROVED, OTHER } = ROLES

describe('IdentityRegistry: contracts that a token arrives at', () => {
  let chain: Chain
  before(async () => {
    chain = await openChain()
  })
  after(() => chain.close())

  const account = (number: number) => chain.account(number)

  describe('onERC721Received', () => {
    it('is told who sent it, from whom, which, and the data', async () => {
      const registry = await deployWithAgents(chain)
      const receiver = await deployTokenReceiver(chain)
      const from = account(OWNER)
      const toldBy = async (hash: Promise<`0x${string}`>) => eventsOf(receiver.abi, await chain.receipt(hash))
      const [operator, approved] = [account(OPERATOR), account(APPROVED)]
      const withData = [from, receiver.address, 1n, '0x42'] as const
      expect(await toldBy(registry.write.safeTransferFrom(withData, { account: approved }))).to.deep.equal([
        ['Received', { operator: approved, from, tokenId: 1n, data: '0x42' }],
      ])
      const withoutData = [from, receiver.address, 2n] as const
      expect(await toldBy(registry.write.safeTransferFrom(withoutData, { account: operator }))).to.deep.equal(
        [['Received', { operator, from, tokenId: 2n, data: '0x' }]],
      )
    })

    it('is told of its own registration as coming from nobody', async () => {
      const registry = await deployWithAgents(chain)
      const receiver = await deployTokenReceiver(chain)
      const receipt = await chain.receipt(receiver.call(registry.address, 'register', ['ipfs://three']))
      const told = { operator: receiver.address, from: zeroAddress, tokenId: 3n, data: '0x' }
      expect(eventsOf(receiver.abi, receipt)).to.deep.equal([['Received', told]])
    })

    it('is not asked by transferFrom', async () => {
      const registry = await deployWithAgents(chain)
      const receiver = await deployTokenReceiver(chain)
      await receiver.prepare('NoReason')
      await registry.write.transferFrom([account(OWNER), receiver.address, 1n])
      expect(await registry.read.ownerOf([1n])).to.equal(receiver.address)
    })

    const refusals: [ReceiverAnswer, (receiver: Address) => unknown[]][] = [
      ['OtherValue', (receiver) => ['ERC721InvalidReceiver', receiver]],
      ['CustomError', () => ['Unwelcome', 1n]],
      ['Reason', () => ['Error', 'not today']],
      ['NoReason', (receiver) => ['ERC721InvalidReceiver', receiver]],
      ['Panic', () => ['Panic', 1n]],
    ]
    for (const [answer, expected] of refusals) {
      it(`refuses it with ${answer}, and says so to the sender`, async () => {
        const registry = await deployWithAgents(chain)
        const receiver = await deployTokenReceiver(chain)
        await receiver.prepare(answer)
        const args = [account(OWNER), receiver.address, 1n] as const
        for (const call of [
          () => registry.simulate.safeTransferFrom(args),
          () => registry.simulate.safeTransferFrom([...args, '0x42']),
        ]) {
          expect(await refusalOf(call())).to.deep.equal(expected(receiver.address))
        }
      })
    }

    it('that knows nothing of tokens gets none', async () => {
      const registry = await deployWithAgents(chain)
      const ignorant = await chain.deploy(auditLog)
      const call = registry.simulate.safeTransferFrom([account(OWNER), ignorant.address, 1n])
      expect(await refusalOf(call)).to.deep.equal(['ERC721InvalidReceiver', ignorant.address])
    })
  })

  describe('calling back in the middle of the arrival', () => {
    it('may pass the token on at once', async () => {
      const registry = await deployWithAgents(chain)
      const receiver = await deployTokenReceiver(chain)
      await receiver.prepare('Accept', ['transferFrom', [receiver.address, account(OTHER), 1n]])
      await registry.write.safeTransferFrom([account(OWNER), receiver.address, 1n, '0x42'])
      expect(await registry.read.ownerOf([1n])).to.equal(account(OTHER))
      expect(await registry.read.balanceOf([receiver.address])).to.equal(0n)
      expect(await registry.read.balanceOf([account(OTHER)])).to.equal(1n)
      expect(await registry.read.getAgentWallet([1n])).to.equal(zeroAddress)
    })

    it('may not move what the former owner keeps, though that one is sending', async () => {
      const registry = await deployWithAgents(chain)
      const receiver = await deployTokenReceiver(chain)
      await receiver.prepare('Accept', ['transferFrom', [account(OWNER), receiver.address, 2n]])
      const call = registry.simulate.safeTransferFrom([account(OWNER), receiver.address, 1n])
      expect(await refusalOf(call)).to.deep.equal(['ERC721InsufficientApproval', receiver.address, 2n])
    })

    it('may register again, and gets two agents, each complete', async () => {
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

    it('may hand its agent on while it is being registered, which leaves no wallet', async () => {
      const registry = await deployWithAgents(chain)
      const receiver = await deployTokenReceiver(chain)
      await receiver.prepare('Accept', ['transferFrom', [receiver.address, account(OTHER), 3n]])
      await receiver.call(registry.address, 'register', [])
      expect(await registry.read.ownerOf([3n])).to.equal(account(OTHER))
      expect(await registry.read.getAgentWallet([3n])).to.equal(zeroAddress)
    })
  })
})
