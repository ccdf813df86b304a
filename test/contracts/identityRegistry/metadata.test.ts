import { expect } from 'chai'
import fc from 'fast-check'
import { type Hex, keccak256, toHex, zeroAddress } from 'viem'
import { identityRegistry } from '../../../server/chain/artifacts/identityRegistry.ts'
import { anyText } from '../../harness/values/anyText.ts'
import { eventsOf, revertOf } from '../callOutcome.ts'
import { type Chain, openChain } from '../openChain.ts'

describe('IdentityRegistry: metadata and token URI', () => {
  let chain: Chain
  before(async () => {
    chain = await openChain()
  })
  after(() => chain.close())

  /**
   * Deploys a registry with agent 1 of account 0; account 1 is its operator, account 2 approved, account 3 unrelated.
   */
  async function registryWithAgent() {
    const registry = await chain.deploy(identityRegistry)
    await registry.write.register(['ipfs://first'])
    await registry.write.setApprovalForAll([chain.account(1), true])
    await registry.write.approve([chain.account(2), 1n])
    return registry
  }

  describe('setMetadata', () => {
    it('stores, replaces and clears a value, and emits an event each time', async () => {
      const registry = await registryWithAgent()
      for (const metadataValue of [toHex('short'), toHex('a'.repeat(100)), '0x'] as const) {
        const receipt = await chain.receipt(registry.write.setMetadata([1n, 'key', metadataValue]))
        expect(eventsOf(identityRegistry.abi, receipt)).to.deep.equal([
          [
            'MetadataSet',
            { agentId: 1n, indexedMetadataKey: keccak256(toHex('key')), metadataKey: 'key', metadataValue },
          ],
        ])
        expect(await registry.read.getMetadata([1n, 'key'])).to.equal(metadataValue)
      }
    })

    it('stores any value under any key except the reserved one', async () => {
      const registry = await registryWithAgent()
      const bytes = fc.uint8Array({ maxLength: 70 }).map((value): Hex => toHex(value))
      const keys = anyText({ maxLength: 40 }).filter((key) => key !== 'agentWallet')
      await fc.assert(
        fc.asyncProperty(keys, bytes, async (key, value) => {
          await registry.write.setMetadata([1n, key, value])
          expect(await registry.read.getMetadata([1n, key])).to.equal(value)
        }),
        { numRuns: 25 },
      )
      expect(await registry.read.getAgentWallet([1n])).to.equal(chain.account(0))
    })

    it('keeps agents independent', async () => {
      const registry = await registryWithAgent()
      await registry.write.register()
      await registry.write.setMetadata([1n, 'key', '0x01'])
      expect(await registry.read.getMetadata([2n, 'key'])).to.equal('0x')
    })

    it('rejects the reserved key, even from the owner', async () => {
      const registry = await registryWithAgent()
      const refusal = await revertOf(registry.simulate.setMetadata([1n, 'agentWallet', chain.account(3)]))
      expect(refusal).to.deep.equal(['Error', 'reserved key'])
    })
  })

  describe('setAgentURI', () => {
    it('replaces the URI and emits MetadataUpdate before URIUpdated', async () => {
      const registry = await registryWithAgent()
      const updatedBy = chain.account(1)
      const receipt = await chain.receipt(
        registry.write.setAgentURI([1n, 'ipfs://second'], { account: updatedBy }),
      )
      expect(eventsOf(identityRegistry.abi, receipt)).to.deep.equal([
        ['MetadataUpdate', { _tokenId: 1n }],
        ['URIUpdated', { agentId: 1n, newURI: 'ipfs://second', updatedBy }],
      ])
      expect(await registry.read.tokenURI([1n])).to.equal('ipfs://second')
    })
  })

  describe('write access', () => {
    const writes = [
      ['setMetadata', [1n, 'key', '0x01']],
      ['setAgentURI', [1n, 'ipfs://second']],
      ['unsetAgentWallet', [1n]],
    ] as const

    for (const [functionName, args] of writes) {
      it(`${functionName} accepts owner, operator and approved account only`, async () => {
        const registry = await registryWithAgent()
        const call = (number: number) =>
          chain.client.simulateContract({ ...registry, functionName, args, account: chain.account(number) })
        for (const authorised of [0, 1, 2]) await call(authorised)
        expect(await revertOf(call(3))).to.deep.equal(['Error', 'Not authorized'])
      })

      it(`${functionName} rejects an unknown agent`, async () => {
        const registry = await chain.deploy(identityRegistry)
        const call = chain.client.simulateContract({
          ...registry,
          functionName,
          args,
          account: chain.account(0),
        })
        expect(await revertOf(call)).to.deep.equal(['ERC721NonexistentToken', 1n])
      })
    }
  })

  describe('isAuthorizedOrOwner', () => {
    it('is true for owner, operator and approved account only', async () => {
      const registry = await registryWithAgent()
      const spenders = [...[0, 1, 2, 3].map(chain.account), zeroAddress]
      const answers = await Promise.all(
        spenders.map((spender) => registry.read.isAuthorizedOrOwner([spender, 1n])),
      )
      expect(answers).to.deep.equal([true, true, true, false, false])
    })
  })

  describe('an unknown agent', () => {
    it('has no metadata and no wallet', async () => {
      const registry = await registryWithAgent()
      expect(await registry.read.getMetadata([2n, 'key'])).to.equal('0x')
      expect(await registry.read.getMetadata([2n, 'agentWallet'])).to.equal('0x')
      expect(await registry.read.getAgentWallet([2n])).to.equal(zeroAddress)
    })

    it('has no owner, no URI and no authorised account', async () => {
      const registry = await registryWithAgent()
      const reads = [
        registry.read.ownerOf([0n]),
        registry.read.tokenURI([0n]),
        registry.read.isAuthorizedOrOwner([chain.account(0), 0n]),
      ]
      const refusals = await Promise.all(reads.map((read) => revertOf(read)))
      for (const refusal of refusals) expect(refusal).to.deep.equal(['ERC721NonexistentToken', 0n])
    })
  })
})
