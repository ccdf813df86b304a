import { hashLeaf } from '@svc/core/audit/merkleHash.ts'
import { expect } from 'chai'
import { type Hex, toHex, zeroHash } from 'viem'
import { auditLog } from '../../../server/chain/artifacts/auditLog.ts'
import { buildNaiveTree } from '../../core/audit/buildNaiveTree.ts'
import { eventsOf, revertOf } from '../callOutcome.ts'
import { type Chain, openChain } from '../openChain.ts'
import { logIdOf } from './logIdOf.ts'

const uint64Max = 2n ** 64n - 1n

const leafAt = (index: number) => hashLeaf(`entry ${index}`)
const tree = buildNaiveTree(leafAt)
const rootOf = (size: number) => toHex(tree.root(size))
const proofOf = (prevSize: number, newSize: number) =>
  prevSize === 0 ? [] : tree.consistency(prevSize, newSize).map((hash) => toHex(hash))

type Anchor = { batch: bigint; prevSize: bigint; newSize: bigint; root: Hex; proof: Hex[] }

describe('AuditLog: anchoring', () => {
  let chain: Chain
  let logId: Hex
  before(async () => {
    chain = await openChain()
    logId = logIdOf(chain.account(0), 'a log')
  })
  after(() => chain.close())

  const batchOf = (batch: number, prevSize: number, newSize: number): Anchor => ({
    batch: BigInt(batch),
    prevSize: BigInt(prevSize),
    newSize: BigInt(newSize),
    root: rootOf(newSize),
    proof: proofOf(prevSize, newSize),
  })
  const argsOf = ({ batch, prevSize, newSize, root, proof }: Anchor) =>
    [logId, batch, prevSize, newSize, root, proof] as const

  /** Opens a log as account 0 and anchors one batch up to each of these sizes. */
  async function logOf(...sizes: number[]) {
    const contract = await chain.deploy(auditLog)
    await contract.write.openLog([logId])
    for (const [index, size] of sizes.entries()) {
      await contract.write.anchor(argsOf(batchOf(index + 1, sizes[index - 1] ?? 0, size)))
    }
    return {
      contract,
      head: () => contract.read.head([logId]),
      anchor: (batch: Anchor) => contract.write.anchor(argsOf(batch)),
      refusal: (batch: Anchor) => revertOf(contract.simulate.anchor(argsOf(batch))),
    }
  }

  it('moves the head to the batch and emits an event describing it', async () => {
    const log = await logOf(5, 13)
    const receipt = await chain.receipt(log.anchor(batchOf(3, 13, 37)))
    expect(eventsOf(auditLog.abi, receipt)).to.deep.equal([
      ['BatchAnchored', { logId, batch: 3n, prevSize: 13n, newSize: 37n, root: rootOf(37) }],
    ])
    const { timestamp } = await chain.client.getBlock({ blockHash: receipt.blockHash })
    expect(await log.head()).to.deep.equal([3n, 37n, timestamp, rootOf(37), chain.account(0)])
  })

  it('anchors a first batch of any size', async () => {
    const log = await logOf()
    const everything = { ...batchOf(1, 0, 1), newSize: uint64Max }
    await log.anchor(everything)
    expect((await log.head()).slice(0, 2)).to.deep.equal([1n, uint64Max])
  })

  it('keeps logs independent', async () => {
    const log = await logOf(5)
    const otherLogId = logIdOf(chain.account(0), 'another log')
    await log.contract.write.openLog([otherLogId])
    await log.contract.write.anchor([otherLogId, 1n, 0n, 7n, rootOf(7), []])
    expect((await log.head()).slice(0, 2)).to.deep.equal([1n, 5n])
    expect((await log.contract.read.head([otherLogId])).slice(0, 2)).to.deep.equal([1n, 7n])
  })

  describe('rejects a batch that does not follow the head, and returns the head', () => {
    const cases: [string, Anchor][] = [
      ['the last batch again', batchOf(2, 5, 13)],
      ['an earlier batch again', batchOf(1, 0, 5)],
      ['a batch number that skips one', batchOf(4, 13, 37)],
      ['a previous size that skips an entry', batchOf(3, 14, 37)],
      ['a fork from an earlier size', batchOf(3, 5, 37)],
      ['the last batch with more entries', batchOf(2, 13, 37)],
      ['batch zero', batchOf(0, 13, 37)],
      ['the last possible batch number', { ...batchOf(3, 13, 37), batch: uint64Max }],
      ['a restart from the empty tree', batchOf(3, 0, 37)],
    ]
    for (const [what, batch] of cases) {
      it(what, async () => {
        const log = await logOf(5, 13)
        expect(await log.refusal(batch)).to.deep.equal(['StaleHead', logId, 2n, 13n, rootOf(13)])
      })
    }

    it('any batch but the first on an empty log', async () => {
      const log = await logOf()
      expect(await log.refusal(batchOf(2, 5, 13))).to.deep.equal(['StaleHead', logId, 0n, 0n, zeroHash])
    })
  })

  describe('rejects a batch that adds no entry', () => {
    for (const newSize of [13, 12, 0]) {
      it(`from 13 entries to ${newSize}`, async () => {
        const log = await logOf(5, 13)
        const batch = { ...batchOf(3, 13, 37), newSize: BigInt(newSize) }
        expect(await log.refusal(batch)).to.deep.equal(['SizeNotIncreased', 13n, BigInt(newSize)])
      })
    }

    it('from the empty log to the empty log', async () => {
      const log = await logOf()
      expect(await log.refusal({ ...batchOf(1, 0, 1), newSize: 0n })).to.deep.equal([
        'SizeNotIncreased',
        0n,
        0n,
      ])
    })
  })

  describe('rejects a batch that rewrites history', () => {
    const batch = batchOf(3, 13, 37)
    const flipped = (hash: Hex): Hex => toHex(BigInt(hash) ^ 1n, { size: 32 })
    const changes: [string, Partial<Anchor>][] = [
      ['another root', { root: flipped(batch.root) }],
      ['a size whose proof has another shape', { newSize: 70n }],
      ['no proof', { proof: [] }],
      ['a proof without its last hash', { proof: batch.proof.slice(0, -1) }],
      ['a proof without its first hash', { proof: batch.proof.slice(1) }],
      ['a proof with an extra hash', { proof: [...batch.proof, zeroHash] }],
      ['a proof in reverse order', { proof: batch.proof.toReversed() }],
      ['a proof for another pair of sizes', { proof: proofOf(12, 37) }],
    ]
    for (const [what, change] of changes) {
      it(what, async () => {
        const log = await logOf(5, 13)
        const { newSize, root } = { ...batch, ...change }
        expect(await log.refusal({ ...batch, ...change })).to.deep.equal([
          'InvalidConsistencyProof',
          13n,
          rootOf(13),
          newSize,
          root,
        ])
      })
    }

    it('a proof with any one hash altered', async () => {
      const log = await logOf(5, 13)
      for (const [at, hash] of batch.proof.entries()) {
        const proof = batch.proof.with(at, flipped(hash))
        expect((await log.refusal({ ...batch, proof }))[0]).to.equal('InvalidConsistencyProof')
      }
    })

    it('a log whose entry 3 differs, with the valid proof of that log', async () => {
      const log = await logOf(5, 13)
      const fork = buildNaiveTree((index) => (index === 3 ? hashLeaf('another entry') : leafAt(index)))
      const proof = fork.consistency(13, 37).map((hash) => toHex(hash))
      expect((await log.refusal({ ...batch, root: toHex(fork.root(37)), proof }))[0]).to.equal(
        'InvalidConsistencyProof',
      )
    })

    it('a first batch with a proof, although there is nothing to prove', async () => {
      const log = await logOf()
      const first = { ...batchOf(1, 0, 5), proof: [rootOf(5)] }
      expect(await log.refusal(first)).to.deep.equal(['InvalidConsistencyProof', 0n, zeroHash, 5n, rootOf(5)])
    })
  })

  it('leaves the head unchanged after a rejection', async () => {
    const log = await logOf(5, 13)
    const before = await log.head()
    const sent = log.contract.write.anchor(argsOf({ ...batchOf(3, 13, 37), root: zeroHash }), {
      gas: 200_000n,
    })
    await sent.catch(() => undefined)
    expect(await log.head()).to.deep.equal(before)
  })
})
