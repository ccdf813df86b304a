import type { ProofDocument } from '@svc/core/audit/proofDocument.ts'
import { proofDocument } from '@svc/core/audit/proofDocument.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { type AuditChain, openAuditChain } from '../../../cli/audit/openAuditChain.ts'
import { verifyDocument } from '../../../cli/audit/verifyDocument.ts'
import { readProof } from '../../../server/services/audit/readProof.ts'
import { buildNumberedRecord } from '../../builders/buildNumberedRecord.ts'
import { type AnchoredLog, openAnchoredLog } from '../../harness/chain/openAnchoredLog.ts'
import { faultMode } from '../../harness/faults/faultMode.ts'
import { reportFaultFigure } from '../../harness/faults/reportFaultFigure.ts'

const SIZE = 33
const MUTATIONS = { none: 300, short: 10_000, full: 30_000 }[faultMode]

type Mutation = { name: string; apply(document: ProofDocument, others: ProofDocument[]): ProofDocument }

/** Flips one bit of hexadecimal bytes. */
const flipHex = (hex: string, bit: number) => {
  const bytes = Buffer.from(hex.slice(2), 'hex')
  bytes[Math.floor(bit / 8) % bytes.length] =
    (bytes[Math.floor(bit / 8) % bytes.length] ?? 0) ^ (1 << (bit % 8))
  return `0x${bytes.toString('hex')}`
}
const flipBase64 = (text: string, bit: number) => {
  const bytes = Buffer.from(text, 'base64')
  return Buffer.from(flipHex(`0x${bytes.toString('hex')}`, bit).slice(2), 'hex').toString('base64')
}
const at = <Item>(list: readonly Item[], place: number): number => place % Math.max(1, list.length)

const HASHES = ['leafHash', 'root', 'logId', 'contract', 'transactionHash'] as const
const NUMBERS = ['index', 'treeSize', 'batch', 'chainId', 'blockNumber'] as const

/**
 * One way to forge a document: flip a bit, change a number, remove, repeat or swap hashes, or take a member from another
 * record.
 */
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.nat({ max: 1e6 }).map((bit) => ({
    name: `bit ${bit} of the entry`,
    apply: (d: ProofDocument) => ({ ...d, entry: flipBase64(d.entry, bit) }),
  })),
  fc.tuple(fc.constantFrom(...HASHES), fc.nat({ max: 255 })).map(([member, bit]) => ({
    name: `bit ${bit} of ${member}`,
    apply: (d: ProofDocument) => ({ ...d, [member]: flipHex(d[member], bit) }),
  })),
  fc
    .tuple(
      fc.constantFrom(...NUMBERS),
      fc.integer({ min: -40, max: 40 }).filter((by) => by !== 0),
    )
    .map(([member, by]) => ({
      name: `${member} changed by ${by}`,
      apply: (d: ProofDocument) => ({ ...d, [member]: Math.abs(d[member] + by) }),
    })),
  fc.tuple(fc.nat(), fc.nat({ max: 255 })).map(([place, bit]) => ({
    name: `bit ${bit} of hash ${place} of the proof`,
    apply: (d: ProofDocument) => {
      const i = at(d.inclusionProof, place)
      return { ...d, inclusionProof: d.inclusionProof.with(i, flipHex(d.inclusionProof[i] ?? '', bit)) }
    },
  })),
  fc.nat().map((place) => ({
    name: `hash ${place} of the proof removed`,
    apply: (d: ProofDocument) => ({
      ...d,
      inclusionProof: d.inclusionProof.toSpliced(at(d.inclusionProof, place), 1),
    }),
  })),
  fc.nat().map((place) => ({
    name: `hash ${place} of the proof repeated`,
    apply: (d: ProofDocument) => {
      const i = at(d.inclusionProof, place)
      return { ...d, inclusionProof: d.inclusionProof.toSpliced(i, 0, d.inclusionProof[i] ?? '') }
    },
  })),
  fc.tuple(fc.nat(), fc.nat()).map(([a, b]) => ({
    name: `hashes ${a} and ${b} of the proof swapped`,
    apply: (d: ProofDocument) => {
      const [i, j] = [at(d.inclusionProof, a), at(d.inclusionProof, b)]
      const swapped = d.inclusionProof.with(i, d.inclusionProof[j] ?? '').with(j, d.inclusionProof[i] ?? '')
      return { ...d, inclusionProof: swapped }
    },
  })),
  fc
    .tuple(fc.nat(), fc.constantFrom('entry', 'leafHash', 'index', 'inclusionProof', 'root', 'batch'))
    .map(([place, member]) => ({
      name: `${member} of record ${place}`,
      apply: (d: ProofDocument, others: ProofDocument[]) => ({
        ...d,
        [member]: others[at(others, place)]?.[member as keyof ProofDocument],
      }),
    })),
)

describe('forged proof documents', () => {
  let log: AnchoredLog
  let chain: AuditChain
  /** For each record, a proof against the first batch that contains it and one against the last batch. */
  const documents: ProofDocument[] = []

  before(async () => {
    log = await openAnchoredLog()
    for (const count of [SIZE - 12, 12]) {
      await log.anchorRecords(count)
      const { length } = documents
      for (let nth = 0; nth < (length === 0 ? SIZE - 12 : SIZE); nth += 1) {
        const proof = await readProof(
          { ...log, batchSeconds: 5 },
          { recordId: buildNumberedRecord(nth).recordId },
        )
        documents.push(proofDocument.parse(proof))
      }
    }
    chain = await openAuditChain({ rpc: log.rpcUrl, contract: log.contract, logId: log.logId })
  })

  after(() => log.close())

  it('are accepted if nothing was forged', async () => {
    for (const document of documents) {
      const verdict = await verifyDocument(chain, document)
      expect(verdict.ok, verdict.ok ? '' : verdict.reason).to.equal(true)
    }
  })

  it(`are all detected, ${MUTATIONS} of ${MUTATIONS}`, async () => {
    let applied = 0
    await fc.assert(
      fc.asyncProperty(fc.nat(), mutation, async (place, { name, apply }) => {
        const original = documents[at(documents, place)]
        if (original === undefined) throw new Error('no document')
        const forged = apply(original, documents)
        fc.pre(JSON.stringify(forged) !== JSON.stringify(original))
        applied += 1
        const parsed = proofDocument.safeParse(forged)
        if (!parsed.success) return
        const verdict = await verifyDocument(chain, parsed.data)
        expect(verdict.ok, `${name} of record ${original.index} went unnoticed`).to.equal(false)
      }),
      { numRuns: MUTATIONS },
    )
    expect(applied).to.equal(MUTATIONS)
    reportFaultFigure(`${MUTATIONS} forged proof documents: ${applied} detected`)
  })
})
