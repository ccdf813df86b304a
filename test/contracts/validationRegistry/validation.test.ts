import { expect } from 'chai'
import { keccak256, toHex, zeroAddress, zeroHash } from 'viem'
import { validationRegistry } from '../../../server/chain/artifacts/validationRegistry.ts'
import { eventsOf, revertOf } from '../callOutcome.ts'
import { type Chain, openChain } from '../openChain.ts'
import { renderComparableAbi } from '../renderComparableAbi.ts'
import {
  deployValidationRegistry,
  deployValidationRegistryOf,
  validationRegistryAbi,
} from './deployValidationRegistry.ts'

const requestHash = keccak256(toHex('a request'))
const otherHash = keccak256(toHex('another request'))
const responseHash = keccak256(toHex('a response'))
const long = 'a tag that does not fit in a slot of storage'

describe('ValidationRegistry: requests and responses', () => {
  let chain: Chain
  before(async () => {
    chain = await openChain()
  })
  after(() => chain.close())

  const as = (number: number) => ({ account: chain.account(number) })
  const now = async () => (await chain.client.getBlock()).timestamp
  const request = (hash = requestHash, agentId = 1n) =>
    [chain.account(5), agentId, 'ipfs://request', hash] as const
  const response = (value = 100, tag = '', hash = requestHash) =>
    [hash, value, 'ipfs://response', responseHash, tag] as const

  /** Deploys a registry in which account 5 was asked to validate work of agent 1. */
  async function registryWithRequest() {
    const registry = await deployValidationRegistry(chain)
    await registry.write.validationRequest(request())
    return registry
  }

  describe('the interface', () => {
    it('equals the reference plus the paged views', () => {
      expect(renderComparableAbi(validationRegistry.abi)).to.deep.equal(
        renderComparableAbi(validationRegistryAbi),
      )
    })

    it('returns its version and its identity registry', async () => {
      const registry = await deployValidationRegistryOf(chain, chain.account(9))
      expect(await registry.read.getVersion()).to.equal('2.0.0')
      expect(await registry.read.getIdentityRegistry()).to.equal(chain.account(9))
    })

    it('rejects the zero address as identity registry', async () => {
      const message = await deployValidationRegistryOf(chain, zeroAddress).then(
        () => '',
        (error: Error) => error.message,
      )
      expect(message).to.contain("'bad identity'")
    })
  })

  describe('validationRequest', () => {
    it('stores the request under agent and validator, and emits it', async () => {
      const registry = await deployValidationRegistry(chain)
      const receipt = await chain.receipt(registry.write.validationRequest(request()))
      expect(eventsOf(registry.abi, receipt)).to.deep.equal([
        [
          'ValidationRequest',
          { validatorAddress: chain.account(5), agentId: 1n, requestURI: 'ipfs://request', requestHash },
        ],
      ])
      const status = await registry.read.getValidationStatus([requestHash])
      expect(status).to.deep.equal([chain.account(5), 1n, 0, zeroHash, '', await now()])
      expect(await registry.read.getAgentValidations([1n])).to.deep.equal([requestHash])
      expect(await registry.read.getValidatorRequests([chain.account(5)])).to.deep.equal([requestHash])
      expect(await registry.read.getAgentValidations([2n])).to.deep.equal([])
      expect(await registry.read.getValidatorRequests([chain.account(0)])).to.deep.equal([])
    })

    it('accepts owner, operator and approved account, each for the agents it may transfer', async () => {
      const registry = await deployValidationRegistry(chain)
      for (const number of [0, 1, 2]) await registry.simulate.validationRequest(request(), as(number))
      for (const [number, agentId] of [
        [3, 1n],
        [5, 1n],
        [2, 2n],
      ] as const) {
        const call = registry.simulate.validationRequest(request(requestHash, agentId), as(number))
        expect(await revertOf(call)).to.deep.equal(['Error', 'Not authorized'])
      }
    })

    it('rejects the zero address as validator', async () => {
      const registry = await deployValidationRegistry(chain)
      const call = registry.simulate.validationRequest([zeroAddress, 1n, 'ipfs://request', requestHash])
      expect(await revertOf(call)).to.deep.equal(['Error', 'bad validator'])
    })

    it('rejects a hash in use, for any agent and with or without a response', async () => {
      const registry = await registryWithRequest()
      const again = () => revertOf(registry.simulate.validationRequest(request(requestHash, 2n)))
      expect(await again()).to.deep.equal(['Error', 'exists'])
      await registry.write.validationResponse(response(0), as(5))
      expect(await again()).to.deep.equal(['Error', 'exists'])
    })

    it('rejects an unknown agent', async () => {
      const registry = await deployValidationRegistry(chain)
      const call = registry.simulate.validationRequest(request(requestHash, 3n))
      expect(await revertOf(call)).to.deep.equal(['ERC721NonexistentToken', 3n])
    })
  })

  describe('validationResponse', () => {
    it('replaces an earlier response, with an event each time', async () => {
      const registry = await registryWithRequest()
      for (const [value, tag] of [
        [40, 'soft'],
        [100, long],
        [0, ''],
      ] as const) {
        const receipt = await chain.receipt(registry.write.validationResponse(response(value, tag), as(5)))
        expect(eventsOf(registry.abi, receipt)).to.deep.equal([
          [
            'ValidationResponse',
            {
              validatorAddress: chain.account(5),
              agentId: 1n,
              requestHash,
              response: value,
              responseURI: 'ipfs://response',
              responseHash,
              tag,
            },
          ],
        ])
        const status = await registry.read.getValidationStatus([requestHash])
        expect(status).to.deep.equal([chain.account(5), 1n, value, responseHash, tag, await now()])
      }
    })

    it('accepts responses from the validator only', async () => {
      const registry = await registryWithRequest()
      for (const number of [0, 1, 6]) {
        const call = registry.simulate.validationResponse(response(), as(number))
        expect(await revertOf(call)).to.deep.equal(['Error', 'not validator'])
      }
    })

    it('accepts responses up to 100', async () => {
      const registry = await registryWithRequest()
      const call = registry.simulate.validationResponse(response(101), as(5))
      expect(await revertOf(call)).to.deep.equal(['Error', 'resp>100'])
    })

    it('rejects an unknown request', async () => {
      const registry = await registryWithRequest()
      const call = registry.simulate.validationResponse(response(1, '', otherHash), as(5))
      expect(await revertOf(call)).to.deep.equal(['Error', 'unknown'])
    })
  })

  describe('order of the checks', () => {
    it('matches the reference', async () => {
      const registry = await registryWithRequest()
      const ask = (validator: `0x${string}`, hash: `0x${string}`) =>
        registry.simulate.validationRequest([validator, 1n, '', hash], as(6))
      const respond = (hash: `0x${string}`, number: number) =>
        registry.simulate.validationResponse([hash, 101, '', zeroHash, ''], as(number))
      for (const [call, reason] of [
        [() => ask(zeroAddress, requestHash), 'bad validator'],
        [() => ask(chain.account(5), requestHash), 'exists'],
        [() => ask(chain.account(5), otherHash), 'Not authorized'],
        [() => respond(otherHash, 6), 'unknown'],
        [() => respond(requestHash, 6), 'not validator'],
        [() => respond(requestHash, 5), 'resp>100'],
      ] as const) {
        expect(await revertOf(call())).to.deep.equal(['Error', reason])
      }
    })
  })

  describe('getValidationStatus', () => {
    it('rejects an unknown request', async () => {
      const registry = await registryWithRequest()
      const call = registry.read.getValidationStatus([otherHash])
      expect(await revertOf(call)).to.deep.equal(['Error', 'unknown'])
    })
  })
})
