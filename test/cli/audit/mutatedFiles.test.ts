import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ConsistencyDocument,
  consistencyDocument,
  proofDocument,
} from '@svc/core/audit/proofDocument.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import type { AnchoredBatch } from '../../../cli/audit/anchoredBatch.ts'
import { findGrowthFault } from '../../../cli/audit/findGrowthFault.ts'
import { type AuditChain, openAuditChain } from '../../../cli/audit/openAuditChain.ts'
import { parseVerifierKey, type VerifierKey } from '../../../cli/audit/parseVerifierKey.ts'
import { readRecord } from '../../../cli/audit/readDocuments.ts'
import { verifyDocument } from '../../../cli/audit/verifyDocument.ts'
import { verifyReadDocument } from '../../../cli/audit/verifyReadDocument.ts'
import { createNoteSigner } from '../../../server/external/keys/noteSigner.ts'
import { readEd25519Key } from '../../../server/external/keys/readEd25519Key.ts'
import { proveConsistency } from '../../../server/services/audit/proveConsistency.ts'
import { readLogKey } from '../../../server/services/audit/readCheckpoint.ts'
import { readProof, readTlogProof } from '../../../server/services/audit/readProof.ts'
import { buildNumberedRecord } from '../../builders/buildNumberedRecord.ts'
import { type AnchoredLog, openAnchoredLog } from '../../harness/chain/openAnchoredLog.ts'
import { faultMode } from '../../harness/faults/faultMode.ts'
import { reportFaultFigure } from '../../harness/faults/reportFaultFigure.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'

const BATCHES = [7, 14, 12]
const SIZE = 33
const MUTATIONS = { none: 300, short: 10_000, full: 30_000 }[faultMode]
const ROW_MUTATIONS = { none: 16, short: 80, full: 400 }[faultMode]

/**
 * One way to forge a text: flip a bit, insert a character, truncate it, remove, repeat or swap lines, or take a line from
 * another text.
 */
const textMutation: fc.Arbitrary<(text: string, other: string) => string> = fc.oneof(
  fc.tuple(fc.nat(), fc.nat({ max: 7 })).map(([place, bit]) => (text: string) => {
    const bytes = Buffer.from(text)
    const i = place % bytes.length
    bytes[i] = (bytes[i] ?? 0) ^ (1 << bit)
    return bytes.toString('latin1') === text ? text : bytes.toString()
  }),
  fc.tuple(fc.nat(), fc.constantFrom(...'\n =+/A0—')).map(([place, character]) => (text: string) => {
    const i = place % (text.length + 1)
    return text.slice(0, i) + character + text.slice(i)
  }),
  fc.nat().map((place) => (text: string) => text.slice(0, place % text.length)),
  fc.nat().map((place) => (text: string) => lines(text, (all) => all.toSpliced(place % all.length, 1))),
  fc
    .nat()
    .map(
      (place) => (text: string) =>
        lines(text, (all) => all.toSpliced(place % all.length, 0, all[place % all.length] ?? '')),
    ),
  fc.tuple(fc.nat(), fc.nat()).map(
    ([a, b]) =>
      (text: string) =>
        lines(text, (all) => {
          const [i, j] = [a % all.length, b % all.length]
          return all.with(i, all[j] ?? '').with(j, all[i] ?? '')
        }),
  ),
  fc
    .nat()
    .map(
      (place) => (text: string, other: string) =>
        lines(text, (all) => all.with(place % all.length, other.split('\n')[place % all.length] ?? '')),
    ),
)
const lines = (text: string, change: (all: string[]) => string[]) => change(text.split('\n')).join('\n')

const flip = (hex: string, bit: number) => {
  const bytes = Buffer.from(hex.slice(2), 'hex')
  const i = Math.floor(bit / 8) % bytes.length
  bytes[i] = (bytes[i] ?? 0) ^ (1 << (bit % 8))
  return `0x${bytes.toString('hex')}`
}

/** Flips one bit of bytes or of a hash, or the lowest bit of one character of an entry. */
const flipValue = (value: Buffer | string, nth: number): Buffer | string => {
  if (typeof value !== 'string')
    return Buffer.from(flip(`0x${value.toString('hex')}`, nth * 31).slice(2), 'hex')
  if (value.startsWith('0x')) return flip(value, nth * 31)
  const bytes = Buffer.from(value)
  bytes[(nth * 31) % bytes.length] = (bytes[(nth * 31) % bytes.length] ?? 0) ^ 1
  return bytes.toString()
}

/** One way to forge a consistency proof. */
const growthMutation: fc.Arbitrary<(document: ConsistencyDocument, other: ConsistencyDocument) => object> =
  fc.oneof(
    fc
      .tuple(fc.constantFrom('fromRoot', 'toRoot', 'logId', 'contract'), fc.nat({ max: 255 }))
      .map(([member, bit]) => (d: ConsistencyDocument) => ({
        ...d,
        [member]: flip(d[member as 'logId'], bit),
      })),
    fc
      .tuple(fc.constantFrom('fromSize', 'toSize', 'chainId'), fc.integer({ min: -40, max: 40 }))
      .map(([member, by]) => (d: ConsistencyDocument) => ({ ...d, [member]: d[member as 'toSize'] + by })),
    fc.tuple(fc.nat(), fc.nat({ max: 255 })).map(([place, bit]) => (d: ConsistencyDocument) => {
      const i = place % d.consistencyProof.length
      return { ...d, consistencyProof: d.consistencyProof.with(i, flip(d.consistencyProof[i] ?? '', bit)) }
    }),
    fc.nat().map((place) => (d: ConsistencyDocument) => {
      const i = place % d.consistencyProof.length
      return { ...d, consistencyProof: d.consistencyProof.toSpliced(i, 1) }
    }),
    fc.tuple(fc.nat(), fc.nat()).map(([a, b]) => (d: ConsistencyDocument) => {
      const [i, j] = [a % d.consistencyProof.length, b % (d.consistencyProof.length + 1)]
      return { ...d, consistencyProof: d.consistencyProof.toSpliced(j, 0, d.consistencyProof[i] ?? '') }
    }),
    fc
      .constantFrom('fromSize', 'fromRoot', 'toSize', 'toRoot', 'consistencyProof')
      .map((member) => (d: ConsistencyDocument, other: ConsistencyDocument) => ({
        ...d,
        [member]: other[member as 'toSize'],
      })),
  )

describe('forged files', () => {
  const folder = createTemporaryFolder()
  const checkpoints = {
    signer: createNoteSigner(readEd25519Key(join(folder.path, 'key.json'))),
    publicUrl: 'https://registry.example',
    cosignatures: async () => [],
  }
  let log: AnchoredLog
  let chain: AuditChain
  let logKey: VerifierKey
  const texts: string[] = []
  const recordIds = Array.from({ length: SIZE }, (_, nth) => buildNumberedRecord(nth).recordId)
  const proofs = () => ({ ...log, batchSeconds: 5 })

  before(async () => {
    log = await openAnchoredLog()
    for (const count of BATCHES) await log.anchorRecords(count)
    for (const recordId of recordIds)
      texts.push(await readTlogProof({ proofs: proofs(), checkpoints }, { recordId }))
    logKey = parseVerifierKey(
      (await readLogKey({ ...checkpoints, logId: async () => log.logId })).verifierKey,
    )
    chain = await openAuditChain({ rpc: log.rpcUrl, contract: log.contract, logId: log.logId })
  })

  after(async () => {
    await log.close()
    folder.remove()
  })

  const isProven = async (text: string): Promise<boolean> => {
    const file = join(folder.path, 'forged.tlog-proof')
    writeFileSync(file, text)
    return (await verifyReadDocument(chain, await readRecord(file), logKey)).ok
  }

  it('in tlog-proof format are accepted if nothing was forged', async () => {
    for (const text of texts) expect(await isProven(text)).to.equal(true)
  })

  it(`in tlog-proof format are all detected, ${MUTATIONS} of ${MUTATIONS}`, async () => {
    let applied = 0
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), textMutation, async (place, another, apply) => {
        const text = texts[place % SIZE] ?? ''
        const forged = apply(text, texts[another % SIZE] ?? '')
        fc.pre(forged !== text && !texts.includes(forged))
        applied += 1
        expect(await isProven(forged), forged).to.equal(false)
      }),
      { numRuns: MUTATIONS },
    )
    expect(applied).to.equal(MUTATIONS)
    reportFaultFigure(`${MUTATIONS} forged proof files: ${applied} detected`)
  })

  it(`with a consistency proof are all detected, ${MUTATIONS} of ${MUTATIONS}`, async () => {
    const batches: AnchoredBatch[] = []
    for (let number = 1; number <= BATCHES.length; number += 1) {
      const batch = await chain.batch(number, Number.MAX_SAFE_INTEGER)
      if (batch !== null) batches.push(batch)
    }
    const pairs = batches.flatMap((from, i) => batches.slice(i + 1).map((to) => ({ from, to })))
    const documents: ConsistencyDocument[] = []
    for (const { from, to } of pairs) {
      const served = await proveConsistency(proofs(), { from: from.newSize, to: to.newSize })
      documents.push(consistencyDocument.parse(served))
      expect(findGrowthFault(chain, { from, to }, served)).to.equal(null)
    }
    let applied = 0
    fc.assert(
      fc.property(fc.nat(), fc.nat(), growthMutation, (place, another, apply) => {
        const [i, j] = [place % pairs.length, another % pairs.length]
        const [pair, document, other] = [pairs[i], documents[i], documents[j]]
        if (pair === undefined || document === undefined || other === undefined) throw new Error('no pair')
        const forged = apply(document, other)
        fc.pre(JSON.stringify(forged) !== JSON.stringify(document))
        applied += 1
        const parsed = consistencyDocument.safeParse(forged)
        if (parsed.success)
          expect(findGrowthFault(chain, pair, parsed.data), JSON.stringify(forged)).to.be.a('string')
      }),
      { numRuns: MUTATIONS },
    )
    expect(applied).to.equal(MUTATIONS)
    reportFaultFigure(`${MUTATIONS} forged consistency proofs: ${applied} detected`)
  })

  it(`served from altered rows are all detected, ${ROW_MUTATIONS} times`, async () => {
    const served = () =>
      Promise.all(
        recordIds.map(async (recordId) => proofDocument.parse(await readProof(proofs(), { recordId }))),
      )
    const honest = await served()
    const changes: [table: string, key: string, column: string][] = [
      ['audit_records', 'seq', 'entry'],
      ['feed.tree_nodes', 'position', 'hash'],
      ['audit_batches', 'number', 'root'],
      ['audit_batches', 'number', 'transaction_hash'],
    ]
    let found = 0
    for (let nth = 0; nth < ROW_MUTATIONS; nth += 1) {
      const [table, key, column] = changes[nth % changes.length] ?? ['', '', '']
      const rows = await log.db.query(table).select(key, column).orderBy(key)
      const row = rows[(nth * 7919) % rows.length]
      const forged = flipValue(row[column ?? ''], nth)
      await log.db
        .query(table)
        .where({ [key]: row[key] })
        .update({ [column]: forged })
      for (const [index, document] of (await served()).entries()) {
        const isHonest = JSON.stringify(document) === JSON.stringify(honest[index])
        const verdict = await verifyDocument(chain, document)
        expect(verdict.ok, `${table}.${column} ${row[key]}, record ${index}`).to.equal(isHonest)
        if (!verdict.ok) found += 1
      }
      await log.db
        .query(table)
        .where({ [key]: row[key] })
        .update({ [column]: row[column] })
    }
    expect(found).to.be.greaterThan(ROW_MUTATIONS)
    reportFaultFigure(
      `${ROW_MUTATIONS} altered rows: detected in all ${found} proofs they affect, no false alarm about the others`,
    )
  })
})
