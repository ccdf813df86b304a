import { expect } from 'chai'
import { type Address, keccak256, toHex, zeroAddress } from 'viem'
import { identityRegistry } from '../../../server/chain/artifacts/identityRegistry.ts'
import { eventsOf, revertOf } from '../callOutcome.ts'
import { deployContractWallet } from '../deployContractWallet.ts'
import { type Chain, openChain } from '../openChain.ts'

const types = {
  AgentWalletSet: [
    { name: 'agentId', type: 'uint256' },
    { name: 'newWallet', type: 'address' },
    { name: 'owner', type: 'address' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

/** Far enough from both limits that block times do not matter. */
const inOneMinute = 60n

describe('IdentityRegistry: wallet of an agent', () => {
  let chain: Chain
  before(async () => {
    chain = await openChain()
  })
  after(() => chain.close())

  /** Registers agent 1 for account 0; `consent` signs as account 1, its future wallet, unless stated otherwise. */
  async function setUp() {
    const registry = await chain.deploy(identityRegistry)
    await registry.write.register()
    const now = (await chain.client.getBlock()).timestamp
    const chainId = await chain.client.getChainId()

    async function consent(
      change: { newWallet?: Address; owner?: Address; deadline?: bigint; signer?: number } = {},
    ) {
      const { newWallet = chain.account(1), owner = chain.account(0), deadline = now + inOneMinute } = change
      const signature = await chain.walletOf(change.signer ?? 1).signTypedData({
        domain: {
          name: 'ERC8004IdentityRegistry',
          version: '1',
          chainId,
          verifyingContract: registry.address,
        },
        types,
        primaryType: 'AgentWalletSet',
        message: { agentId: 1n, newWallet, owner, deadline },
      })
      return [1n, newWallet, deadline, signature] as const
    }
    return { registry, now, consent }
  }

  const walletSet = (metadataValue: string) => [
    'MetadataSet',
    {
      agentId: 1n,
      indexedMetadataKey: keccak256(toHex('agentWallet')),
      metadataKey: 'agentWallet',
      metadataValue: metadataValue.toLowerCase(),
    },
  ]

  describe('setAgentWallet', () => {
    it('accepts a wallet that signed', async () => {
      const { registry, consent } = await setUp()
      const receipt = await chain.receipt(registry.write.setAgentWallet(await consent()))
      expect(eventsOf(identityRegistry.abi, receipt)).to.deep.equal([walletSet(chain.account(1))])
      expect(await registry.read.getAgentWallet([1n])).to.equal(chain.account(1))
      expect(await registry.read.getMetadata([1n, 'agentWallet'])).to.equal(chain.account(1).toLowerCase())
    })

    it('accepts a contract that signed (ERC-1271)', async () => {
      const { registry, consent } = await setUp()
      const { address } = await deployContractWallet(chain, chain.account(2))
      await registry.write.setAgentWallet(await consent({ newWallet: address, signer: 2 }))
      expect(await registry.read.getAgentWallet([1n])).to.equal(address)
    })

    it('accepts the key of an account that delegates to code (EIP-7702)', async () => {
      const { registry, consent } = await setUp()
      await chain.helpers.setCode(chain.account(9), `0xef0100${'11'.repeat(20)}`)
      await registry.write.setAgentWallet(await consent({ newWallet: chain.account(9), signer: 9 }))
      expect(await registry.read.getAgentWallet([1n])).to.equal(chain.account(9))
    })

    it('accepts owner, operator and approved account only', async () => {
      const { registry, consent } = await setUp()
      await registry.write.setApprovalForAll([chain.account(2), true])
      await registry.write.approve([chain.account(3), 1n])
      const args = await consent()
      for (const number of [0, 2, 3]) {
        await registry.simulate.setAgentWallet(args, { account: chain.account(number) })
      }
      const refusal = await revertOf(registry.simulate.setAgentWallet(args, { account: chain.account(1) }))
      expect(refusal).to.deep.equal(['Error', 'Not authorized'])
    })

    it('rejects an unknown agent', async () => {
      const { registry, consent } = await setUp()
      const [, ...rest] = await consent()
      expect(await revertOf(registry.simulate.setAgentWallet([2n, ...rest]))).to.deep.equal([
        'ERC721NonexistentToken',
        2n,
      ])
    })

    it('rejects the zero address', async () => {
      const { registry, consent } = await setUp()
      const args = await consent({ newWallet: zeroAddress })
      expect(await revertOf(registry.simulate.setAgentWallet(args))).to.deep.equal(['Error', 'bad wallet'])
    })

    it('accepts a consent in the last second before its deadline and rejects it afterwards', async () => {
      const { registry, now, consent } = await setUp()
      const args = await consent({ deadline: now + inOneMinute })
      await chain.helpers.time.setNextBlockTimestamp(now + inOneMinute + 1n)
      await chain.helpers.mine()
      expect(await revertOf(registry.simulate.setAgentWallet(args))).to.deep.equal(['Error', 'expired'])

      const later = await consent({ deadline: now + 2n * inOneMinute })
      await chain.helpers.time.setNextBlockTimestamp(now + 2n * inOneMinute)
      await registry.write.setAgentWallet(later, { gas: 200_000n })
      expect(await registry.read.getAgentWallet([1n])).to.equal(chain.account(1))
    })

    it('accepts a deadline up to five minutes ahead', async () => {
      const { registry, now, consent } = await setUp()
      const nextBlock = now + 10n
      const [atMost, beyond] = [
        await consent({ deadline: nextBlock + 300n }),
        await consent({ deadline: nextBlock + 301n }),
      ]
      await chain.helpers.time.setNextBlockTimestamp(nextBlock)
      await registry.write.setAgentWallet(atMost, { gas: 200_000n })
      const call = chain.client.simulateContract({
        ...registry,
        functionName: 'setAgentWallet',
        args: beyond,
        account: chain.account(0),
        blockTag: 'latest',
      })
      expect(await revertOf(call)).to.deep.equal(['Error', 'deadline too far'])
      expect(await registry.read.getAgentWallet([1n])).to.equal(chain.account(1))
    })

    const forgeries = [
      ['signed by another account', { signer: 2 }],
      ['for another owner', { owner: '0x00000000000000000000000000000000000000aa' }],
      ['for another wallet', { newWallet: '0x00000000000000000000000000000000000000bb' }],
    ] as const
    for (const [what, change] of forgeries) {
      it(`rejects a consent ${what}`, async () => {
        const { registry, consent } = await setUp()
        const args = await consent(change)
        expect(await revertOf(registry.simulate.setAgentWallet(args))).to.deep.equal([
          'Error',
          'invalid wallet sig',
        ])
      })
    }

    it('rejects a consent with another deadline, for another agent, or truncated', async () => {
      const { registry, consent } = await setUp()
      await registry.write.register()
      const [agentId, newWallet, deadline, signature] = await consent()
      const forged = [
        [agentId, newWallet, deadline + 1n, signature],
        [2n, newWallet, deadline, signature],
        [agentId, newWallet, deadline, '0x'],
        [agentId, newWallet, deadline, `0x${signature.slice(2, -2)}`],
      ] as const
      for (const args of forged) {
        expect(await revertOf(registry.simulate.setAgentWallet(args))).to.deep.equal([
          'Error',
          'invalid wallet sig',
        ])
      }
    })

    it('rejects a contract whose key did not sign', async () => {
      const { registry, consent } = await setUp()
      const { address } = await deployContractWallet(chain, chain.account(2))
      const args = await consent({ newWallet: address, signer: 3 })
      expect(await revertOf(registry.simulate.setAgentWallet(args))).to.deep.equal([
        'Error',
        'invalid wallet sig',
      ])
    })

    it('rejects a consent given to a previous owner', async () => {
      const { registry, consent } = await setUp()
      const args = await consent()
      await registry.write.transferFrom([chain.account(0), chain.account(3), 1n])
      const call = registry.simulate.setAgentWallet(args, { account: chain.account(3) })
      expect(await revertOf(call)).to.deep.equal(['Error', 'invalid wallet sig'])
    })
  })

  describe('unsetAgentWallet', () => {
    it('leaves the agent without a wallet', async () => {
      const { registry } = await setUp()
      const receipt = await chain.receipt(registry.write.unsetAgentWallet([1n]))
      expect(eventsOf(identityRegistry.abi, receipt)).to.deep.equal([walletSet('0x')])
      expect(await registry.read.getAgentWallet([1n])).to.equal(zeroAddress)
      expect(await registry.read.getMetadata([1n, 'agentWallet'])).to.equal('0x')
    })
  })
})
