import { writeAuditEntry } from '@svc/core/audit/auditEntry.ts'
import { hashLeaf, hashNode } from '@svc/core/audit/merkleHash.ts'
import { checkProofDocument, proofDocument } from '@svc/core/audit/proofDocument.ts'
import { encodeHex } from '@svc/core/bytes.ts'
import { AGENT, ENDPOINT } from './vectorValues.ts'

const TREE_SIZE = 13
const INDEXES = [0, 4, 7, 12]

/**
 * Builds proof documents of audit records that hold, and copies with one thing changed that do not.
 *
 * Only a chain can show whether their root was anchored. Source: docs/auditing.md; RFC 9162 §2.1.3.
 */
export function buildAuditProofVectors(): object {
  const entries = Array.from({ length: TREE_SIZE }, (_, index) => writeEntry(index))
  const leaves = entries.map((entry) => hashLeaf(entry))
  const good = INDEXES.map((index) => ({
    entry: Buffer.from(entries[index] ?? '').toString('base64'),
    leafHash: encodeHex(leaves[index] ?? new Uint8Array()),
    ...{ index, treeSize: TREE_SIZE },
    inclusionProof: pathOf(index, leaves).map(encodeHex),
    root: encodeHex(rootOf(leaves)),
    ...{ batch: 1, logId: `0x${'01'.repeat(32)}`, chainId: 31337, contract: `0x${'aB'.repeat(20)}` },
    ...{ transactionHash: `0x${'02'.repeat(32)}`, blockNumber: 12 },
  }))
  const [, document = good[0], other] = good
  if (document === undefined || other === undefined) throw new Error('no document')
  const altered = Buffer.from((entries[4] ?? '').replace('"grant"', '"audit"')).toString('base64')
  const proof = document.inclusionProof
  const bad: [name: string, document: object][] = [
    ['another entry', { ...document, entry: altered }],
    [
      'another entry with its own hash',
      { ...document, entry: altered, leafHash: encodeHex(hashLeaf(Buffer.from(altered, 'base64'))) },
    ],
    ['another index', { ...document, index: 5 }],
    ['an index outside the log', { ...document, index: TREE_SIZE }],
    ['another size', { ...document, treeSize: 4 }],
    ['another root', { ...document, root: other.leafHash }],
    ['a proof that is too short', { ...document, inclusionProof: proof.slice(0, -1) }],
    ['a proof that is too long', { ...document, inclusionProof: [...proof, proof[0]] }],
    ['a proof in another order', { ...document, inclusionProof: [...proof].reverse() }],
    ['the proof of another entry', { ...document, inclusionProof: other.inclusionProof }],
  ]
  const cases = [
    ...good.map((one) => ({ name: `the record at ${one.index}`, document: one })),
    ...bad.map(([name, one]) => ({ name, document: one })),
  ]
  return {
    cases: cases.map((one) => ({ ...one, ok: checkProofDocument(proofDocument.parse(one.document)).ok })),
  }
}

function writeEntry(index: number): string {
  return writeAuditEntry({
    type: 'verification.completed',
    recordId: `0199c1a0-0000-7000-8000-${String(index).padStart(12, '0')}`,
    ...{ agentId: AGENT, endpointId: ENDPOINT, sessionId: null, decision: 'grant', dimensions: [] },
    inputsHash: `0x${'ab'.repeat(32)}`,
    policyHashes: { agent: `0x${'cd'.repeat(32)}`, endpoint: null },
    ...{ time: '2026-01-01T00:00:00.000Z', salt: String(index).padStart(32, '0') },
  })
}

/** Source: RFC 9162 §2.1.1. */
function rootOf(leaves: readonly Uint8Array[]): Uint8Array {
  const [only] = leaves
  if (leaves.length === 1 && only !== undefined) return only
  const half = splitOf(leaves.length)
  return hashNode(rootOf(leaves.slice(0, half)), rootOf(leaves.slice(half)))
}

/** Source: RFC 9162 §2.1.3.1. */
function pathOf(index: number, leaves: readonly Uint8Array[]): Uint8Array[] {
  if (leaves.length === 1) return []
  const half = splitOf(leaves.length)
  const [left, right] = [leaves.slice(0, half), leaves.slice(half)]
  return index < half
    ? [...pathOf(index, left), rootOf(right)]
    : [...pathOf(index - half, right), rootOf(left)]
}

/** The largest power of two below a size. */
function splitOf(size: number): number {
  return 2 ** Math.floor(Math.log2(size - 1))
}
