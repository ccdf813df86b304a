import { expect } from 'chai'
import fc from 'fast-check'
import { type Hex, toHex, zeroHash } from 'viem'
import { type Chain, openChain } from '../openChain.ts'
import { deployValidationRegistry } from './deployValidationRegistry.ts'

type Request = { agentId: bigint; validator: number; response: number | undefined; tag: string }
type Query = { validators: number[]; tag: string }

const tags = ['', 'soft', 'hard', 'a tag that does not fit in a slot of storage']
const validatorNumbers = [5, 6, 7]
const hashOf = (i: number): Hex => toHex(i + 1, { size: 32 })

/** Computes the summary by definition. */
function naiveSummary(asked: Request[], { validators, tag }: Query): readonly [bigint, number] {
  const responses = asked
    .filter((one) => one.agentId === 1n && (tag === '' || one.tag === tag))
    .filter((one) => validators.length === 0 || validators.includes(one.validator))
    .flatMap(({ response }) => (response === undefined ? [] : [response]))
  const sum = responses.reduce((total, response) => total + response, 0)
  return [BigInt(responses.length), responses.length === 0 ? 0 : Math.floor(sum / responses.length)]
}

describe('ValidationRegistry: lists and summaries', () => {
  let chain: Chain
  before(async () => {
    chain = await openChain()
  })
  after(() => chain.close())

  async function registryWith(asked: Request[]) {
    const registry = await deployValidationRegistry(chain)
    for (const [i, { agentId, validator, response, tag }] of asked.entries()) {
      const account = chain.account(validator)
      await registry.write.validationRequest([account, agentId, 'ipfs://request', hashOf(i)])
      if (response === undefined) continue
      await registry.write.validationResponse([hashOf(i), response, '', zeroHash, tag], { account })
    }
    return registry
  }

  const one = (validator: number, response?: number, agentId = 1n): Request => {
    return { agentId, validator, response, tag: '' }
  }

  describe('getSummary', () => {
    it('counts a failed validation, but not a pending request', async () => {
      const registry = await registryWith([one(5, 0), one(5), one(6, 100)])
      expect(await registry.read.getSummary([1n, [], ''])).to.deep.equal([2n, 50])
    })

    it('ignores a duplicate validator', async () => {
      const registry = await registryWith([one(5, 10), one(6, 40)])
      const validators = [5, 6, 5, 5].map(chain.account)
      expect(await registry.read.getSummary([1n, validators, ''])).to.deep.equal([2n, 25])
    })

    it('returns zeros without a response', async () => {
      const registry = await registryWith([one(5)])
      expect(await registry.read.getSummary([1n, [], ''])).to.deep.equal([0n, 0])
      expect(await registry.read.getSummary([2n, [], ''])).to.deep.equal([0n, 0])
    })

    it('agrees with its definition for any responses and any query', async () => {
      const tag = fc.constantFrom(...tags)
      const asked = fc.record({
        agentId: fc.constantFrom(1n, 1n, 1n, 2n),
        validator: fc.constantFrom(...validatorNumbers),
        response: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
        tag,
      })
      const question = fc.record({
        validators: fc.array(fc.constantFrom(...validatorNumbers, 9), { maxLength: 5 }),
        tag,
      })
      const run = fc.asyncProperty(
        fc.array(asked, { maxLength: 10 }),
        fc.array(question, { minLength: 3, maxLength: 8 }),
        async (requests, questions) => {
          const registry = await registryWith(requests)
          for (const { validators, tag } of [{ validators: [], tag: '' }, ...questions]) {
            const answer = await registry.read.getSummary([1n, validators.map(chain.account), tag])
            expect(answer).to.deep.equal(naiveSummary(requests, { validators, tag }))
          }
        },
      )
      await fc.assert(run, { numRuns: 20 })
    })
  })

  describe('getAgentValidations and getValidatorRequests', () => {
    const registryInUse = () => registryWith([one(5), one(6), one(5, 1, 2n), one(5, 100)])
    const all = [0, 1, 3].map(hashOf)

    it('returns the requests about an agent in order, and those to a validator', async () => {
      const registry = await registryInUse()
      expect(await registry.read.getAgentValidations([1n])).to.deep.equal(all)
      expect(await registry.read.getValidatorRequests([chain.account(5)])).to.deep.equal(
        [0, 2, 3].map(hashOf),
      )
    })

    it('returns pages that add up to the whole list', async () => {
      const registry = await registryInUse()
      for (let offset = 0; offset <= 4; offset++) {
        for (let limit = 0; limit <= 4; limit++) {
          const page = await registry.read.getAgentValidations([1n, BigInt(offset), BigInt(limit)])
          expect(page).to.deep.equal(all.slice(offset, offset + limit))
          const requests = await registry.read.getValidatorRequests([
            chain.account(5),
            BigInt(offset),
            BigInt(limit),
          ])
          expect(requests).to.deep.equal([0, 2, 3].map(hashOf).slice(offset, offset + limit))
        }
      }
    })

    it('accepts any offset and limit', async () => {
      const registry = await registryInUse()
      const max = 2n ** 256n - 1n
      expect(await registry.read.getAgentValidations([1n, 1n, max])).to.deep.equal(all.slice(1))
      expect(await registry.read.getAgentValidations([1n, max, max])).to.deep.equal([])
    })
  })
})
