import { leafHash } from '@svc/core/audit/merkleHash.ts'
import { expect } from 'chai'
import { type Hex, toHex, zeroHash } from 'viem'
import { auditLog } from '../../../server/chain/artifacts/auditLog.ts'
import { naiveTree } from '../../core/audit/naiveTree.ts'
import { eventsOf } from '../eventsOf.ts'
import { type Chain, openChain } from '../openChain.ts'
import { refusalOf } from '../refusalOf.ts'

const logId = toHex('a log', { size: 32 })
const uint64Max = 2n ** 64n - 1n

const leafAt = (index: number) => leafHash(`entry ${index}`)
const tree = naiveTree(leafAt)
const rootOf = (size: number) => toHex(tree.root(size))
const proofOf = (prevSize: number, newSize: number) =>
  prevSize === 0 ? [] : tree.consistency(prevSize, newSize).map((hash) => toHex(hash))

type Anchor = { batch: bigint; prevSize: bigint; newSize: bigint; root: Hex; proof: Hex[] }

describe('AuditLog: anchoring', () => {
  let chain: Chain
  before(async () => {
    chain = await openChain()
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

  /** A log of account 0 that has grown to each of these sizes in turn. */
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
      refusal: (batch: Anchor) => refusalOf(contract.simulate.anchor(argsOf(batch))),
    }
  }

  it('moves the head to the batch and tells what it adds', async () => {
    const log = await logOf(5, 13)
    const receipt = await chain.receipt(log.anchor(batchOf(3, 13, 37)))
    expect(eventsOf(auditLog.abi, receipt)).to.deep.equal([
      ['BatchAnchored', { logId, batch: 3n, prevSize: 13n, newSize: 37n, root: rootOf(37) }],
    ])
    const { timestamp } = await chain.client.getBlock({ blockHash: receipt.blockHash })
    expect(await log.head()).to.deep.equal([3n, 37n, timestamp, rootOf(37), chain.account(0)])
  })

  it('takes a log from nothing to any size at once', async () => {
    const log = await logOf()
    const everything = { ...batchOf(1, 0, 1), newSize: uint64Max }
    await log.anchor(everything)
    expect((await log.head()).slice(0, 2)).to.deep.equal([1n, uint64Max])
  })

  it('keeps logs apart', async () => {
    const log = await logOf(5)
    const otherLogId = toHex('another log', { size: 32 })
    await log.contract.write.openLog([otherLogId])
    await log.contract.write.anchor([otherLogId, 1n, 0n, 7n, rootOf(7), []])
    expect((await log.head()).slice(0, 2)).to.deep.equal([1n, 5n])
    expect((await log.contract.read.head([otherLogId])).slice(0, 2)).to.deep.equal([1n, 7n])
  })

  describe('what does not follow the head is refused with the head', () => {
    const stale = ['StaleHead', logId, 2n, 13n, rootOf(13)]
    const cases: [string, Anchor][] = [
      ['the last batch again', batchOf(2, 5, 13)],
      ['an earlier batch again', batchOf(1, 0, 5)],
      ['a gap in the batches', batchOf(4, 13, 37)],
      ['a gap in the entries', batchOf(3, 14, 37)],
      ['a fork of an earlier size', batchOf(3, 5, 37)],
      ['the last batch with more entries', batchOf(2, 13, 37)],
      ['batch zero', batchOf(0, 13, 37)],
      ['the last batch there can be', { ...batchOf(3, 13, 37), batch: uint64Max }],
      ['a beginning from nothing', batchOf(3, 0, 37)],
    ]
    for (const [what, batch] of cases) {
      it(what, async () => {
        const log = await logOf(5, 13)
        expect(await log.refusal(batch)).to.deep.equal(stale)
      })
    }

    it('an empty log, with an empty head', async () => {
      const log = await logOf()
      expect(await log.refusal(batchOf(2, 5, 13))).to.deep.equal(['StaleHead', logId, 0n, 0n, zeroHash])
    })
  })

  describe('what adds nothing is refused', () => {
    for (const newSize of [13, 12, 0]) {
      it(`from 13 entries to ${newSize}`, async () => {
        const log = await logOf(5, 13)
        const batch = { ...batchOf(3, 13, 37), newSize: BigInt(newSize) }
        expect(await log.refusal(batch)).to.deep.equal(['SizeNotIncreased', 13n, BigInt(newSize)])
      })
    }

    it('from nothing to nothing', async () => {
      const log = await logOf()
      expect(await log.refusal({ ...batchOf(1, 0, 1), newSize: 0n })).to.deep.equal([
        'SizeNotIncreased',
        0n,
        0n,
      ])
    })
  })

  describe('what rewrites is refused', () => {
    const batch = batchOf(3, 13, 37)
    const flipped = (hash: Hex): Hex => toHex(BigInt(hash) ^ 1n, { size: 32 })
    const changes: [string, Partial<Anchor>][] = [
      ['another root', { root: flipped(batch.root) }],
      ['a size of another shape', { newSize: 70n }],
      ['no proof', { proof: [] }],
      ['a proof cut at its end', { proof: batch.proof.slice(0, -1) }],
      ['a proof cut at its beginning', { proof: batch.proof.slice(1) }],
      ['a proof with one hash more', { proof: [...batch.proof, zeroHash] }],
      ['a proof in another order', { proof: batch.proof.toReversed() }],
      ['the proof of another growth', { proof: proofOf(12, 37) }],
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

    it('a proof with any of its hashes tampered', async () => {
      const log = await logOf(5, 13)
      for (const [at, hash] of batch.proof.entries()) {
        const proof = batch.proof.with(at, flipped(hash))
        expect((await log.refusal({ ...batch, proof }))[0]).to.equal('InvalidConsistencyProof')
      }
    })

    it('a log whose entry 3 was another, with the honest proof of that log', async () => {
      const log = await logOf(5, 13)
      const fork = naiveTree((index) => (index === 3 ? leafHash('another entry') : leafAt(index)))
      const proof = fork.consistency(13, 37).map((hash) => toHex(hash))
      expect((await log.refusal({ ...batch, root: toHex(fork.root(37)), proof }))[0]).to.equal(
        'InvalidConsistencyProof',
      )
    })

    it('a first batch with a proof, since there is nothing to prove', async () => {
      const log = await logOf()
      const first = { ...batchOf(1, 0, 5), proof: [rootOf(5)] }
      expect(await log.refusal(first)).to.deep.equal(['InvalidConsistencyProof', 0n, zeroHash, 5n, rootOf(5)])
    })
  })

  it('leaves the head where it was after a refusal', async () => {
    const log = await logOf(5, 13)
    const before = await log.head()
    const sent = log.contract.write.anchor(argsOf({ ...batchOf(3, 13, 37), root: zeroHash }), {
      gas: 200_000n,
    })
    await sent.catch(() => undefined)
    expect(await log.head()).to.deep.equal(before)
  })
})
