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

  /** Accounts 3, 4, 5, 3, 4 say 1 to 5 of agent 1, tagged by turns; the third takes it back. */
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
    it('tells all clients one after the other, without what was taken back', async () => {
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

    it('tells what was taken back when asked to', async () => {
      const registry = await registryInUse()
      const [, , values, , , , revoked] = await registry.read.readAllFeedback([1n, [], '', '', true])
      expect(values).to.deep.equal([1n, 4n, 2n, 5n, 3n])
      expect(revoked).to.deep.equal([false, false, false, false, true])
    })

    it('keeps the order of the given clients and tells each once', async () => {
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
      it(`tells what is tagged "${tag1}" and "${tag2}", the empty tag meaning any`, async () => {
        const registry = await registryInUse()
        const [, , values] = await registry.read.readAllFeedback([1n, [], tag1, tag2, false])
        expect(values).to.deep.equal(expected)
      })
    }

    it('is empty for an agent without feedback', async () => {
      const registry = await registryInUse()
      const none = await registry.read.readAllFeedback([2n, [], '', '', true])
      expect(none).to.deep.equal([[], [], [], [], [], [], []])
    })
  })

  describe('getClients', () => {
    it('tells each client once, in the order of their first feedback', async () => {
      const registry = await registryInUse()
      expect(await registry.read.getClients([1n])).to.deep.equal([3, 4, 5].map(chain.account))
      expect(await registry.read.getClients([2n])).to.deep.equal([])
    })

    it('tells pages that together are the whole', async () => {
      const registry = await registryInUse()
      const all = [3, 4, 5].map(chain.account)
      for (let offset = 0; offset <= 4; offset++) {
        for (let limit = 0; limit <= 4; limit++) {
          const page = await registry.read.getClients([1n, BigInt(offset), BigInt(limit)])
          expect(page).to.deep.equal(all.slice(offset, offset + limit))
        }
      }
    })

    it('takes any offset and limit', async () => {
      const registry = await registryInUse()
      const max = 2n ** 256n - 1n
      expect(await registry.read.getClients([1n, 1n, max])).to.deep.equal([4, 5].map(chain.account))
      expect(await registry.read.getClients([1n, max, max])).to.deep.equal([])
    })
  })

  describe('getResponseCount', () => {
    /** Responses: to the first of account 3 by 0, 0 and 6, to its second by 6, to the first of account 4 by 0. */
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

    it('counts for one feedback, one client or all clients', async () => {
      const registry = await registryWithResponses()
      const client = chain.account(3)
      expect(await registry.read.getResponseCount([1n, client, 1n, []])).to.equal(3n)
      expect(await registry.read.getResponseCount([1n, client, 0n, []])).to.equal(4n)
      expect(await registry.read.getResponseCount([1n, zeroAddress, 0n, []])).to.equal(5n)
      expect(await registry.read.getResponseCount([1n, zeroAddress, 2n, []])).to.equal(5n)
    })

    it('counts the given responders, each once', async () => {
      const registry = await registryWithResponses()
      const client = chain.account(3)
      const [a, b] = [chain.account(0), chain.account(6)]
      expect(await registry.read.getResponseCount([1n, client, 1n, [a]])).to.equal(2n)
      expect(await registry.read.getResponseCount([1n, client, 0n, [b, a, b, a]])).to.equal(4n)
      expect(await registry.read.getResponseCount([1n, zeroAddress, 0n, [a, zeroAddress]])).to.equal(3n)
    })

    it('is zero for what does not exist', async () => {
      const registry = await registryWithResponses()
      expect(await registry.read.getResponseCount([1n, chain.account(3), 3n, []])).to.equal(0n)
      expect(await registry.read.getResponseCount([2n, zeroAddress, 0n, []])).to.equal(0n)
    })
  })
})
