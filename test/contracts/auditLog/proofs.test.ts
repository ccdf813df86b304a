import { hashLeaf } from '@svc/core/audit/merkleHash.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { type Address, type ContractFunctionParameters, getAddress, type Hex, toHex, zeroHash } from 'viem'
import { auditLog } from '../../../server/chain/artifacts/auditLog.ts'
import { buildNaiveTree, buildNaiveTreeAround } from '../../core/audit/buildNaiveTree.ts'
import { revertOf } from '../callOutcome.ts'
import { type Chain, openChain } from '../openChain.ts'
import { logIdOf } from './logIdOf.ts'

const smallSize = 64
/** Sizes of trees too large to hash in a test. */
const largeSizes = [
  ['2^20', 2 ** 20],
  ['2^53', Number.MAX_SAFE_INTEGER],
] as const
/** A group is a few hundred bytes, and a call to the chain carries at most 48 KiB. */
const groupsPerCall = 16
const leafAt = (index: number) => hashLeaf(`entry ${index}`)
const hex = (hashes: Uint8Array[]): Hex[] => hashes.map((hash) => toHex(hash))

describe('AuditLog: proofs', function () {
  this.timeout(120_000)
  let chain: Chain
  before(async () => {
    chain = await openChain()
  })
  after(() => chain.close())

  /** Returns the results of groups of calls, batching several groups into one stateless call to the chain. */
  async function multicall(groups: ContractFunctionParameters[][]): Promise<unknown[]> {
    const answers: unknown[] = []
    for (let from = 0; from < groups.length; from += groupsPerCall) {
      const contracts = groups.slice(from, from + groupsPerCall).flat()
      const options = { deployless: true, allowFailure: false, batchSize: 0 } as const
      answers.push(...(await chain.client.multicall({ contracts, ...options })))
    }
    return answers
  }

  /** Returns the account that calls contracts in `multicall`, as the log contract names it in a refusal. */
  async function multicallAddress(address: Address): Promise<Address> {
    const call = { abi: auditLog.abi, address, functionName: 'openLog', args: [zeroHash] }
    const [name, , caller] = await revertOf(multicall([[call]]))
    expect(name).to.equal('NotOpener')
    return getAddress(String(caller))
  }

  type Tree = ReturnType<typeof buildNaiveTree>

  async function deploy() {
    const contract = await chain.deploy(auditLog)
    let logs = 0

    /** Opens a log with one batch of `size` entries and returns the calls that the tests make to it. */
    async function logOf(tree: Tree, size: number) {
      const logId = logIdOf(chain.account(0), ++logs)
      await contract.write.openLog([logId])
      await contract.write.anchor([logId, 1n, 0n, BigInt(size), toHex(tree.root(size)), []])
      return {
        logId,
        extend: (newSize: number, root: Hex, proof: Hex[]) =>
          contract.simulate.anchor([logId, 2n, BigInt(size), BigInt(newSize), root, proof]),
        includes: (leaf: Hex, index: number | bigint, proof: Hex[]) =>
          contract.read.verifyInclusion([logId, leaf, BigInt(index), proof]),
      }
    }
    return { contract, logOf }
  }

  describe(`for all pairs of sizes up to ${smallSize}`, () => {
    const tree = buildNaiveTree(leafAt)

    it('extends a log to each larger size with the proof of the naive twin', async () => {
      const { contract } = await deploy()
      const opener = await multicallAddress(contract.address)
      for (let size = 1; size < smallSize; size++) {
        const sizes = Array.from({ length: smallSize - size }, (_, at) => size + 1 + at)
        const calls = sizes.map((newSize) => {
          const logId = logIdOf(opener, newSize)
          const first = [logId, 1n, 0n, BigInt(size), toHex(tree.root(size)), []]
          const proof = hex(tree.consistency(size, newSize))
          const second = [logId, 2n, BigInt(size), BigInt(newSize), toHex(tree.root(newSize)), proof]
          return [
            { ...contract, functionName: 'openLog', args: [logId] },
            { ...contract, functionName: 'anchor', args: first },
            { ...contract, functionName: 'anchor', args: second },
          ]
        })
        await multicall(calls)
      }
    })

    it('rejects the proof of a neighbouring pair of sizes', async () => {
      const { logOf } = await deploy()
      for (let size = 1; size < smallSize; size += 3) {
        const log = await logOf(tree, size)
        for (let newSize = size + 2; newSize < smallSize; newSize += 5) {
          const proof = hex(tree.consistency(size, newSize - 1))
          const call = log.extend(newSize, toHex(tree.root(newSize)), proof)
          expect((await revertOf(call))[0]).to.equal('InvalidConsistencyProof')
        }
      }
    })

    it('includes each entry at its own index only, with the proof of the naive twin', async () => {
      const { contract, logOf } = await deploy()
      for (let size = 1; size <= smallSize; size++) {
        const { logId } = await logOf(tree, size)
        const calls = Array.from({ length: size }, (_, index) => {
          const leaf = toHex(tree.subtree(0, index))
          const proof = hex(tree.inclusion(index, size))
          return [index, index + 1].map((place) => ({
            ...contract,
            functionName: 'verifyInclusion',
            args: [logId, leaf, BigInt(place), proof],
          }))
        })
        const expected = calls.flatMap(() => [true, false])
        expect(await multicall(calls), `of ${size}`).to.deep.equal(expected)
      }
    })
  })

  for (const [name, largest] of largeSizes) {
    describe(`for random sizes up to ${name}`, () => {
      let deployed: Awaited<ReturnType<typeof deploy>>
      before(async () => {
        deployed = await deploy()
      })
      const pairs = fc
        .tuple(fc.integer({ min: 1, max: largest }), fc.integer({ min: 1, max: largest }))
        .map(([a, b]): [number, number] => (a < b ? [a, b] : [b, a]))

      it('extends a log with the proof of the naive twin and with no altered proof', async () => {
        const growth = pairs.filter(([size, newSize]) => size < newSize)
        await fc.assert(
          fc.asyncProperty(
            growth,
            fc.nat(),
            fc.integer({ min: 0, max: 255 }),
            async ([size, newSize], at, bit) => {
              const tree = buildNaiveTreeAround([size, newSize])
              const log = await deployed.logOf(tree, size)
              const root = toHex(tree.root(newSize))
              const proof = hex(tree.consistency(size, newSize))
              await log.extend(newSize, root, proof)

              const altered = withBitFlipped(proof, at, bit)
              for (const wrong of [altered, proof.slice(0, -1), [...proof, zeroHash]]) {
                const refusal = await revertOf(log.extend(newSize, root, wrong))
                expect(refusal[0]).to.equal('InvalidConsistencyProof')
              }
            },
          ),
          { numRuns: 60 },
        )
      })

      it('includes an entry with the proof of the naive twin and with no altered proof', async () => {
        const places = pairs.map(([index, size]): [number, number] => [index - 1, size])
        await fc.assert(
          fc.asyncProperty(
            places,
            fc.nat(),
            fc.integer({ min: 0, max: 255 }),
            async ([index, size], at, bit) => {
              const tree = buildNaiveTreeAround([index, index + 1, size])
              const log = await deployed.logOf(tree, size)
              const leaf = toHex(tree.subtree(0, index))
              const proof = hex(tree.inclusion(index, size))
              expect(await log.includes(leaf, index, proof)).to.equal(true)

              expect(await log.includes(leaf, index, [...proof, zeroHash])).to.equal(false)
              expect(await log.includes(toHex(BigInt(leaf) ^ 1n, { size: 32 }), index, proof)).to.equal(false)
              if (proof.length === 0) return
              expect(await log.includes(leaf, index, proof.slice(0, -1))).to.equal(false)
              expect(await log.includes(leaf, index, withBitFlipped(proof, at, bit))).to.equal(false)
            },
          ),
          { numRuns: 60 },
        )
      })
    })
  }

  describe('edge cases', () => {
    it('includes nothing in an empty or unknown log, or past the end', async () => {
      const tree = buildNaiveTree(leafAt)
      const { contract, logOf } = await deploy()
      const leaf = toHex(tree.subtree(0, 0))
      const unknown = toHex('unknown', { size: 32 })
      expect(await contract.read.verifyInclusion([unknown, leaf, 0n, []])).to.equal(false)
      expect(await contract.read.verifyInclusion([unknown, zeroHash, 0n, []])).to.equal(false)
      const log = await logOf(tree, 1)
      expect(await log.includes(leaf, 0, [])).to.equal(true)
      expect(await log.includes(leaf, 1, [])).to.equal(false)
      expect(await log.includes(leaf, 2n ** 64n - 1n, [])).to.equal(false)
    })

    it('does not include an inner node as an entry', async () => {
      const tree = buildNaiveTree(leafAt)
      const { logOf } = await deploy()
      const log = await logOf(tree, 4)
      const [left, right] = [toHex(tree.subtree(1, 0)), toHex(tree.subtree(1, 1))]
      for (const index of [0, 1, 2, 3]) expect(await log.includes(left, index, [right])).to.equal(false)
    })

    it('extends a log of 2^64 − 2 entries by one', async () => {
      // 2^64 − 2 leaves form 63 complete subtrees; appending one leaf needs only the smallest one and those above it.
      const { contract } = await deploy()
      const logId = logIdOf(chain.account(0), 'huge')
      const peaks = Array.from({ length: 63 }, (_, at) => hashLeaf(`complete subtree ${at}`))
      const join = (left: Uint8Array, right: Uint8Array) =>
        buildNaiveTree((at) => (at === 0 ? left : right)).root(2)
      const prevRoot = peaks.reduceRight((right, left) => join(left, right))
      const leaf = hashLeaf('the last')
      const newRoot = [...peaks, leaf].reduceRight((right, left) => join(left, right))
      const smallest = peaks.at(-1) ?? leaf
      const proof = hex([smallest, leaf, ...peaks.slice(0, -1).toReversed()])

      await contract.write.openLog([logId])
      await contract.write.anchor([logId, 1n, 0n, 2n ** 64n - 2n, toHex(prevRoot), []])
      await contract.write.anchor([logId, 2n, 2n ** 64n - 2n, 2n ** 64n - 1n, toHex(newRoot), proof])
      expect((await contract.read.head([logId])).slice(0, 2)).to.deep.equal([2n, 2n ** 64n - 1n])
    })
  })
})

function withBitFlipped(proof: readonly Hex[], at: number, bit: number): Hex[] {
  const index = at % proof.length
  const hash = proof[index]
  if (hash === undefined) throw new Error('an empty proof has no bit to flip')
  return proof.with(index, toHex(BigInt(hash) ^ (1n << BigInt(bit)), { size: 32 }))
}
