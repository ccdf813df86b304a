import { expect } from 'chai'
import fc from 'fast-check'
import { type Address, encodeFunctionData, getAddress, keccak256, toHex, zeroHash } from 'viem'
import { revertOf } from '../callOutcome.ts'
import { type Chain, openChain } from '../openChain.ts'
import { deployReputationRegistry } from './deployReputationRegistry.ts'

type Given = {
  client: number
  value: bigint
  decimals: number
  tag1: string
  tag2: string
  isRevoked: boolean
}
type Query = { clients: number[]; tag1: string; tag2: string }

const int128Max = 2n ** 127n - 1n
const clientNumbers = [3, 4, 5]
/** Alone or in pairs, they share a slot, take one each, or do not fit into one. */
const tags = [
  '',
  'a',
  'ab',
  'b',
  'x'.repeat(16),
  'y'.repeat(31),
  'z'.repeat(32),
  'a tag that does not fit in one slot',
]

/** Computes the summary by definition, in fractions of 10^18. */
function naiveSummary(given: Given[], { clients, tag1, tag2 }: Query): readonly [bigint, bigint, number] {
  const counted = given.filter(
    (one) =>
      !one.isRevoked &&
      clients.includes(one.client) &&
      (tag1 === '' || one.tag1 === tag1) &&
      (tag2 === '' || one.tag2 === tag2),
  )
  if (counted.length === 0) return [0n, 0n, 0]
  const sum = counted.reduce((total, { value, decimals }) => total + value * 10n ** BigInt(18 - decimals), 0n)
  const frequencyOf = (decimals: number) => counted.filter((one) => one.decimals === decimals).length
  const all = Array.from({ length: 19 }, (_, decimals) => decimals)
  const highest = Math.max(...all.map(frequencyOf))
  const mode = all.findIndex((decimals) => frequencyOf(decimals) === highest)
  const meanAt = (decimals: number) => sum / BigInt(counted.length) / 10n ** BigInt(18 - decimals)
  const fitting = all.filter(
    (decimals) => decimals <= mode && meanAt(decimals) <= int128Max && meanAt(decimals) >= -int128Max - 1n,
  )
  const decimals = Math.max(...fitting)
  return [BigInt(counted.length), meanAt(decimals), decimals]
}

describe('ReputationRegistry: getSummary', () => {
  let chain: Chain
  before(async () => {
    chain = await openChain()
  })
  after(() => chain.close())

  async function registryWith(given: Given[]) {
    const registry = await deployReputationRegistry(chain)
    for (const { client, value, decimals, tag1, tag2 } of given) {
      const account = chain.account(client)
      await registry.write.giveFeedback([1n, value, decimals, tag1, tag2, '', '', zeroHash], { account })
    }
    for (const client of clientNumbers) {
      const own = given.filter((one) => one.client === client)
      for (const [i, { isRevoked }] of own.entries()) {
        if (!isRevoked) continue
        await registry.write.revokeFeedback([1n, BigInt(i + 1)], { account: chain.account(client) })
      }
    }
    return registry
  }

  const one = (client: number, value: bigint, decimals: number): Given => {
    return { client, value, decimals, tag1: '', tag2: '', isRevoked: false }
  }
  const addresses = (numbers: number[]): Address[] => numbers.map(chain.account)

  for (const [guarantee, given, expected] of [
    ['returns zeros without feedback', [], [0n, 0n, 0]],
    ['returns the value of a single feedback entry', [one(3, 87n, 2)], [1n, 87n, 2]],
    [
      'scales values to the same number of decimals',
      [one(3, 1n, 0), one(4, 200n, 2), one(5, 300n, 2)],
      [3n, 200n, 2],
    ],
    ['resolves ties to the smaller number of decimals', [one(3, 250n, 2), one(4, 1n, 0)], [2n, 1n, 0]],
    ['rounds towards zero', [one(3, -1n, 0), one(4, -2n, 0)], [2n, -1n, 0]],
    [
      'returns as many decimals as fit into 128 bits',
      [one(3, 10n ** 38n, 0), one(4, 0n, 18), one(5, 0n, 18)],
      [3n, 10n ** 38n / 3n, 0],
    ],
  ] as const) {
    it(guarantee, async () => {
      const registry = await registryWith([...given])
      const summary = await registry.read.getSummary([1n, addresses(clientNumbers), '', ''])
      expect(summary).to.deep.equal(expected)
    })
  }

  it('ignores a duplicate client', async () => {
    const registry = await registryWith([one(3, 10n, 0), one(4, 40n, 0)])
    for (const clients of [
      [3, 3, 4],
      [4, 3, 4, 3, 3],
    ]) {
      const summary = await registry.read.getSummary([1n, addresses(clients), '', ''])
      expect(summary).to.deep.equal([2n, 25n, 0])
    }
  })

  it('counts every client of many once, at a cost in proportion to the list, whatever its order', async () => {
    const registry = await deployReputationRegistry(chain)
    const clients = Array.from({ length: 300 }, (_, i) => getAddress(keccak256(toHex(i)).slice(0, 42)))
    for (const client of clients) {
      await chain.helpers.impersonateAccount(client)
      await chain.helpers.setBalance(client, 10n ** 18n)
      await registry.write.giveFeedback([1n, 7n, 0, '', '', '', '', zeroHash], { account: client })
    }
    const twice = [...clients, ...clients.toReversed()]
    expect(await registry.read.getSummary([1n, twice, '', ''])).to.deep.equal([300n, 7n, 0])
    const [found] = await registry.read.readAllFeedback([1n, twice, '', '', false])
    expect(found).to.deep.equal(clients)

    const gasOf = (list: Address[]) => {
      const data = encodeFunctionData({
        abi: registry.abi,
        functionName: 'getSummary',
        args: [1n, list, '', ''],
      })
      return chain.client.estimateGas({ to: registry.address, data })
    }
    expect(Number(await gasOf(clients)) / Number(await gasOf(clients.slice(0, 100)))).to.be.below(3)
  })

  it('rejects an empty list of clients', async () => {
    const registry = await registryWith([one(3, 10n, 0)])
    const call = registry.read.getSummary([1n, [], '', ''])
    expect(await revertOf(call)).to.deep.equal(['Error', 'clientAddresses required'])
  })

  it('agrees with its definition for any feedback and any query', async () => {
    const tag = fc.constantFrom(...tags)
    const client = fc.constantFrom(...clientNumbers)
    const value = fc.oneof(
      fc.bigInt({ min: -1_000n, max: 1_000n }),
      fc.bigInt({ min: -(10n ** 38n), max: 10n ** 38n }),
      fc.constantFrom(10n ** 38n, -(10n ** 38n)),
    )
    const decimals = fc.oneof(fc.constantFrom(0, 2, 18), fc.integer({ min: 0, max: 18 }))
    const given = fc.record({ client, value, decimals, tag1: tag, tag2: tag, isRevoked: fc.boolean() })
    const question = fc.record({
      clients: fc.array(fc.constantFrom(...clientNumbers, 9), { minLength: 1, maxLength: 6 }),
      tag1: tag,
      tag2: tag,
    })
    const run = fc.asyncProperty(
      fc.array(given, { maxLength: 10 }),
      fc.array(question, { minLength: 4, maxLength: 8 }),
      async (feedback, questions) => {
        const registry = await registryWith(feedback)
        for (const asked of [{ clients: clientNumbers, tag1: '', tag2: '' }, ...questions]) {
          const args = [1n, addresses(asked.clients), asked.tag1, asked.tag2] as const
          expect(await registry.read.getSummary(args)).to.deep.equal(naiveSummary(feedback, asked))
        }
      },
    )
    await fc.assert(run, { numRuns: 25 })
  })
})
