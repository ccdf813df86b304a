import { expect } from 'chai'
import { keccak256, toHex, zeroAddress, zeroHash } from 'viem'
import { reputationRegistry } from '../../../server/chain/artifacts/reputationRegistry.ts'
import { eventsOf, revertOf } from '../callOutcome.ts'
import { type Chain, openChain } from '../openChain.ts'
import { renderComparableAbi } from '../renderComparableAbi.ts'
import {
  deployReputationRegistry,
  deployReputationRegistryOf,
  reputationRegistryAbi,
} from './deployReputationRegistry.ts'

const hash = keccak256(toHex('a file'))
const long = 'a tag that does not fit in a slot of storage'

describe('ReputationRegistry: feedback and responses', () => {
  let chain: Chain
  before(async () => {
    chain = await openChain()
  })
  after(() => chain.close())

  const as = (number: number) => ({ account: chain.account(number) })
  const feedback = (tag1 = '', tag2 = '', value = 87n, decimals = 2, agentId = 1n) =>
    [agentId, value, decimals, tag1, tag2, 'https://a.example/mcp', 'ipfs://file', hash] as const

  /** Deploys a registry with one feedback entry from account 3 on agent 1. */
  async function registryWithFeedback() {
    const registry = await deployReputationRegistry(chain)
    await registry.write.giveFeedback(feedback('quality', 'speed'), as(3))
    return registry
  }

  describe('the interface', () => {
    it('equals the reference plus the paged view', () => {
      expect(renderComparableAbi(reputationRegistry.abi)).to.deep.equal(
        renderComparableAbi(reputationRegistryAbi),
      )
    })

    it('returns its version and its identity registry', async () => {
      const registry = await deployReputationRegistryOf(chain, chain.account(9))
      expect(await registry.read.getVersion()).to.equal('2.0.0')
      expect(await registry.read.getIdentityRegistry()).to.equal(chain.account(9))
    })

    it('rejects the zero address as identity registry', async () => {
      const deployment = deployReputationRegistryOf(chain, zeroAddress)
      const message = await deployment.then(
        () => '',
        (error: Error) => error.message,
      )
      expect(message).to.contain("'bad identity'")
    })
  })

  describe('giveFeedback', () => {
    it('stores the feedback under the next index, from 1, and emits all of it', async () => {
      const registry = await deployReputationRegistry(chain)
      for (const feedbackIndex of [1n, 2n]) {
        const receipt = await chain.receipt(registry.write.giveFeedback(feedback('quality', 'speed'), as(3)))
        expect(eventsOf(registry.abi, receipt)).to.deep.equal([
          [
            'NewFeedback',
            {
              agentId: 1n,
              clientAddress: chain.account(3),
              feedbackIndex,
              value: 87n,
              valueDecimals: 2,
              indexedTag1: keccak256(toHex('quality')),
              tag1: 'quality',
              tag2: 'speed',
              endpoint: 'https://a.example/mcp',
              feedbackURI: 'ipfs://file',
              feedbackHash: hash,
            },
          ],
        ])
        expect(await registry.read.getLastIndex([1n, chain.account(3)])).to.equal(feedbackIndex)
      }
      expect(await registry.read.getLastIndex([2n, chain.account(3)])).to.equal(0n)
      expect(await registry.read.getLastIndex([1n, chain.account(4)])).to.equal(0n)
    })

    for (const [tag1, tag2] of [
      ['', ''],
      ['quality', ''],
      ['', 'speed'],
      ['sixteen letters.', 'fifteen letters'],
      ['sixteen letters.', 'sixteen letters.'],
      [long, 'é'],
      ['é', long],
    ] as const) {
      it(`stores the tags "${tag1}" and "${tag2}" unchanged`, async () => {
        const registry = await deployReputationRegistry(chain)
        await registry.write.giveFeedback(feedback(tag1, tag2, -5n, 0), as(3))
        const read = await registry.read.readFeedback([1n, chain.account(3), 1n])
        expect(read).to.deep.equal([-5n, 0, tag1, tag2, false])
      })
    }

    it('accepts values from -1e38 to 1e38 with up to 18 decimals only', async () => {
      const registry = await deployReputationRegistry(chain)
      const max = 10n ** 38n
      const give = (value: bigint, decimals: number) =>
        registry.simulate.giveFeedback(feedback('', '', value, decimals), as(3))
      await give(max, 18)
      await give(-max, 18)
      expect(await revertOf(give(max + 1n, 18))).to.deep.equal(['Error', 'value too large'])
      expect(await revertOf(give(-max - 1n, 0))).to.deep.equal(['Error', 'value too large'])
      expect(await revertOf(give(1n, 19))).to.deep.equal(['Error', 'too many decimals'])
    })

    it('rejects owner, operator and approved account, each for the agents it may transfer', async () => {
      const registry = await deployReputationRegistry(chain)
      for (const number of [0, 1, 2]) {
        const call = registry.simulate.giveFeedback(feedback(), as(number))
        expect(await revertOf(call)).to.deep.equal(['Error', 'Self-feedback not allowed'])
      }
      await registry.simulate.giveFeedback(feedback('', '', 1n, 0, 2n), as(2))
    })

    it('rejects an unknown agent', async () => {
      const registry = await deployReputationRegistry(chain)
      const call = registry.simulate.giveFeedback(feedback('', '', 1n, 0, 3n), as(3))
      expect(await revertOf(call)).to.deep.equal(['ERC721NonexistentToken', 3n])
    })
  })

  describe('order of the checks', () => {
    it('matches the reference', async () => {
      const registry = await deployReputationRegistry(chain)
      const give = (value: bigint, decimals: number) =>
        registry.simulate.giveFeedback(feedback('', '', value, decimals), as(0))
      const tooLarge = 10n ** 38n + 1n
      for (const [call, reason] of [
        [() => give(tooLarge, 19), 'too many decimals'],
        [() => give(tooLarge, 18), 'value too large'],
        [() => give(1n, 18), 'Self-feedback not allowed'],
        [() => registry.simulate.appendResponse([1n, zeroAddress, 0n, '', zeroHash]), 'index must be > 0'],
        [() => registry.simulate.appendResponse([1n, zeroAddress, 1n, '', zeroHash]), 'Empty URI'],
      ] as const) {
        expect(await revertOf(call())).to.deep.equal(['Error', reason])
      }
    })
  })

  describe('revokeFeedback', () => {
    it('marks the feedback as revoked and emits an event', async () => {
      const registry = await registryWithFeedback()
      const receipt = await chain.receipt(registry.write.revokeFeedback([1n, 1n], as(3)))
      expect(eventsOf(registry.abi, receipt)).to.deep.equal([
        ['FeedbackRevoked', { agentId: 1n, clientAddress: chain.account(3), feedbackIndex: 1n }],
      ])
      const read = await registry.read.readFeedback([1n, chain.account(3), 1n])
      expect(read).to.deep.equal([87n, 2, 'quality', 'speed', true])
    })

    it('rejects a second revocation', async () => {
      const registry = await registryWithFeedback()
      await registry.write.revokeFeedback([1n, 1n], as(3))
      const call = registry.simulate.revokeFeedback([1n, 1n], as(3))
      expect(await revertOf(call)).to.deep.equal(['Error', 'Already revoked'])
    })

    it("affects the caller's own feedback only", async () => {
      const registry = await registryWithFeedback()
      const call = registry.simulate.revokeFeedback([1n, 1n], as(4))
      expect(await revertOf(call)).to.deep.equal(['Error', 'index out of bounds'])
    })
  })

  describe('feedback index', () => {
    it('ranges from 1 to the last index', async () => {
      const registry = await registryWithFeedback()
      const client = chain.account(3)
      for (const [index, reason] of [
        [0n, 'index must be > 0'],
        [2n, 'index out of bounds'],
      ] as const) {
        const calls = [
          () => registry.simulate.revokeFeedback([1n, index], as(3)),
          () => registry.simulate.appendResponse([1n, client, index, 'ipfs://answer', zeroHash]),
          () => registry.read.readFeedback([1n, client, index]),
        ]
        for (const call of calls) expect(await revertOf(call())).to.deep.equal(['Error', reason])
      }
    })
  })

  describe('appendResponse', () => {
    it('accepts responses from anyone, counts them and emits them', async () => {
      const registry = await registryWithFeedback()
      for (const number of [0, 3, 5]) {
        const write = registry.write.appendResponse(
          [1n, chain.account(3), 1n, 'ipfs://answer', hash],
          as(number),
        )
        expect(eventsOf(registry.abi, await chain.receipt(write))).to.deep.equal([
          [
            'ResponseAppended',
            {
              agentId: 1n,
              clientAddress: chain.account(3),
              feedbackIndex: 1n,
              responder: chain.account(number),
              responseURI: 'ipfs://answer',
              responseHash: hash,
            },
          ],
        ])
      }
      expect(await registry.read.getResponseCount([1n, chain.account(3), 1n, []])).to.equal(3n)
    })

    it('leaves the feedback unchanged, and revoking leaves the responses unchanged', async () => {
      const registry = await registryWithFeedback()
      await registry.write.appendResponse([1n, chain.account(3), 1n, 'ipfs://answer', hash])
      await registry.write.revokeFeedback([1n, 1n], as(3))
      await registry.write.appendResponse([1n, chain.account(3), 1n, 'ipfs://answer', hash])
      const read = await registry.read.readFeedback([1n, chain.account(3), 1n])
      expect(read).to.deep.equal([87n, 2, 'quality', 'speed', true])
      expect(await registry.read.getResponseCount([1n, chain.account(3), 1n, []])).to.equal(2n)
    })

    it('requires a URI, and checks it before looking up the feedback', async () => {
      const registry = await registryWithFeedback()
      for (const index of [1n, 2n]) {
        const call = registry.simulate.appendResponse([1n, chain.account(3), index, '', hash])
        expect(await revertOf(call)).to.deep.equal(['Error', 'Empty URI'])
      }
    })
  })
})
