import { expect } from 'chai'
import { zeroAddress, zeroHash } from 'viem'
import { type Chain, openChain } from '../openChain.ts'
import { deployReputationRegistry } from './deployReputationRegistry.ts'

describe('ReputationRegistry: reading lists', () => {
  let chain: Chain
  before(async () => {
    chain = await openChain()
  })
  after(() => chain.close())

  /** Accounts 3, 4, 5, 3, 4 give agent 1 the values 1 to 5 with alternating tags; the third one is revoked. */
  async function registryInUse() {
    const registry = await deployReputationRegistry(chain)
    for (const [i, number] of [3, 4, 5, 3, 4].entries()) {
      const [tag1, tag2] = [i % 2 === 0 ? 'even' : 'odd', i < 3 ? 'early' : '']
      await registry.write.giveFeedback([1n, BigInt(i + 1), i, tag1, tag2, '', '', zeroHash], {
        account: chain.account(number),
      })
    }
    await registry.write.revokeFeedback([1n, 1n], { account: chain.account(5) })
    return registry
  }

  describe('readAllFeedback', () => {
    it('returns feedback grouped by client, without revoked feedback', async () => {
      const registry = await registryInUse()
      const [a, b] = [chain.account(3), chain.account(4)]
      expect(await registry.read.readAllFeedback([1n, [], '', '', false])).to.deep.equal([
        [a, a, b, b],
        [1n, 2n, 1n, 2n],
        [1n, 4n, 2n, 5n],
        [0, 3, 1, 4],
        ['even', 'odd', 'odd', 'even'],
        ['early', '', 'early', ''],
        [false, false, false, false],
      ])
    })

    it('returns revoked feedback on request', async () => {
      const registry = await registryInUse()
      const [, , values, , , , revoked] = await registry.read.readAllFeedback([1n, [], '', '', true])
      expect(values).to.deep.equal([1n, 4n, 2n, 5n, 3n])
      expect(revoked).to.deep.equal([false, false, false, false, true])
    })

    it('keeps the order of the given clients and ignores duplicates', async () => {
      const registry = await registryInUse()
      const clients = [5, 4, 3, 4, 5, 3, 9].map(chain.account)
      const [, , values] = await registry.read.readAllFeedback([1n, clients, '', '', true])
      expect(values).to.deep.equal([3n, 2n, 5n, 1n, 4n])
    })

    for (const [tag1, tag2, expected] of [
      ['even', '', [1n, 5n]],
      ['', 'early', [1n, 2n]],
      ['odd', 'early', [2n]],
      ['evenearly', '', []],
      ['ev', 'enearly', []],
    ] as const) {
      it(`filters by the tags "${tag1}" and "${tag2}", where empty means any`, async () => {
        const registry = await registryInUse()
        const [, , values] = await registry.read.readAllFeedback([1n, [], tag1, tag2, false])
        expect(values).to.deep.equal(expected)
      })
    }

    it('returns nothing for an agent without feedback', async () => {
      const registry = await registryInUse()
      const none = await registry.read.readAllFeedback([2n, [], '', '', true])
      expect(none).to.deep.equal([[], [], [], [], [], [], []])
    })
  })

  describe('getClients', () => {
    it('returns each client once, in the order of their first feedback', async () => {
      const registry = await registryInUse()
      expect(await registry.read.getClients([1n])).to.deep.equal([3, 4, 5].map(chain.account))
      expect(await registry.read.getClients([2n])).to.deep.equal([])
    })

    it('returns pages that add up to the whole list', async () => {
      const registry = await registryInUse()
      const all = [3, 4, 5].map(chain.account)
      for (let offset = 0; offset <= 4; offset++) {
        for (let limit = 0; limit <= 4; limit++) {
          const page = await registry.read.getClients([1n, BigInt(offset), BigInt(limit)])
          expect(page).to.deep.equal(all.slice(offset, offset + limit))
        }
      }
    })

    it('accepts any offset and limit', async () => {
      const registry = await registryInUse()
      const max = 2n ** 256n - 1n
      expect(await registry.read.getClients([1n, 1n, max])).to.deep.equal([4, 5].map(chain.account))
      expect(await registry.read.getClients([1n, max, max])).to.deep.equal([])
    })
  })

  describe('getResponseCount', () => {
    /**
     * Responses: by accounts 0, 0 and 6 to account 3's first feedback, by 6 to its second, by 0 to account 4's first.
     */
    async function registryWithResponses() {
      const registry = await registryInUse()
      for (const [client, index, responder] of [
        [3, 1n, 0],
        [3, 1n, 0],
        [3, 1n, 6],
        [3, 2n, 6],
        [4, 1n, 0],
      ] as const) {
        await registry.write.appendResponse([1n, chain.account(client), index, 'ipfs://answer', zeroHash], {
          account: chain.account(responder),
        })
      }
      return registry
    }

    it('counts responses to one feedback entry, one client or all clients', async () => {
      const registry = await registryWithResponses()
      const client = chain.account(3)
      expect(await registry.read.getResponseCount([1n, client, 1n, []])).to.equal(3n)
      expect(await registry.read.getResponseCount([1n, client, 0n, []])).to.equal(4n)
      expect(await registry.read.getResponseCount([1n, zeroAddress, 0n, []])).to.equal(5n)
      expect(await registry.read.getResponseCount([1n, zeroAddress, 2n, []])).to.equal(5n)
    })

    it('counts only the given responders, ignoring duplicates', async () => {
      const registry = await registryWithResponses()
      const client = chain.account(3)
      const [a, b] = [chain.account(0), chain.account(6)]
      expect(await registry.read.getResponseCount([1n, client, 1n, [a]])).to.equal(2n)
      expect(await registry.read.getResponseCount([1n, client, 0n, [b, a, b, a]])).to.equal(4n)
      expect(await registry.read.getResponseCount([1n, zeroAddress, 0n, [a, zeroAddress]])).to.equal(3n)
    })

    it('returns zero for unknown feedback', async () => {
      const registry = await registryWithResponses()
      expect(await registry.read.getResponseCount([1n, chain.account(3), 3n, []])).to.equal(0n)
      expect(await registry.read.getResponseCount([2n, zeroAddress, 0n, []])).to.equal(0n)
    })
  })
})
