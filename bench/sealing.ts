import { writeAuditEntry } from '@svc/core/audit/auditEntry.ts'
import { hashLeaf, rootOfPeaks } from '@svc/core/audit/merkleHash.ts'
import { appendLeaves, type MerkleNode } from '@svc/core/audit/merkleTree.ts'
import {
  assembleProof,
  type ProofPlan,
  planConsistencyProof,
  planInclusionProof,
} from '@svc/core/audit/proofPlan.ts'
import { verifyInclusion } from '@svc/core/audit/verifyProof.ts'
import { sha256Hex } from '@svc/core/hash.ts'

/** One figure of a benchmark, with its target in the same unit. */
export type Row = {
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly target?: { readonly atLeast: number } | { readonly atMost: number }
}

type Log = { readonly size: number; readonly root: Uint8Array; read(plan: ProofPlan): MerkleNode[] }

const BATCH_SIZE = 1_024
const LOG_SIZE = 2 ** 20
const PROOFS = 2_000

/**
 * Measures how fast the audit log is sealed and proved, without the database: entries of typical length, batches of 1,024,
 * a log of 2^20 leaves.
 *
 * Leaves and nodes are hashed by the server's own code. The limit is the two SHA-256 per leaf that every Merkle tree needs.
 *
 * Source: docs/performance.md (≥ 200,000 leaves/s, proof ≤ 1 ms).
 */
export async function measureSealing(): Promise<Row[]> {
  const entries = Array.from({ length: BATCH_SIZE }, (_, seq) => buildEntry(seq))
  sealLog(entries, BATCH_SIZE * 32)
  const { log, seconds } = sealLog(entries, LOG_SIZE)
  return [
    {
      name: 'audit entries written',
      value: measureRate(BATCH_SIZE * 64, (i) => buildEntry(i)),
      unit: 'entries/s',
    },
    { name: 'limit: two plain SHA-256 per leaf', value: measureLimit(entries), unit: 'leaves/s' },
    {
      name: 'sealing: leaves hashed and appended',
      value: LOG_SIZE / seconds,
      unit: 'leaves/s',
      target: { atLeast: 200_000 },
    },
    ...measureProofs(log, entries),
  ]
}

function buildEntry(nth: number): string {
  const hash = `0x${'5a'.repeat(32)}`
  return writeAuditEntry({
    type: 'verification.completed',
    recordId: `0199c1a0-0000-7000-8000-${String(nth).padStart(12, '0')}`,
    agentId: 'SVC-0123456789abcdefghijkl',
    endpointId: 'SVCE-0123456789abcdefghijkl',
    sessionId: '7b1f4a52-6a0c-4b61-9f5c-0d0f3a1e2b3c',
    decision: 'deny',
    dimensions: ['pdlss.scope', 'endpoint.purpose'],
    inputsHash: hash,
    policyHashes: { agent: hash, endpoint: hash },
    time: '2025-11-20T10:00:00.000Z',
    salt: '000102030405060708090a0b0c0d0e0f',
  })
}

/** Seals batch after batch; the nodes are stored in one array per level, outside the measured time. */
function sealLog(entries: readonly string[], size: number): { log: Log; seconds: number } {
  const levels: Uint8Array[] = []
  for (let width = 1; width <= size; width *= 2) levels.push(new Uint8Array(Math.floor(size / width) * 32))
  let log = appendLeaves([], 0, [])
  let root = rootOfPeaks(log.peaks)
  let elapsedMs = 0
  while (log.size < size) {
    const begin = performance.now()
    log = appendLeaves(log.peaks, log.size, entries.map(hashLeaf))
    root = rootOfPeaks(log.peaks)
    elapsedMs += performance.now() - begin
    for (const { level, index, hash } of log.nodes) levels[level]?.set(hash, index * 32)
  }
  const read = (plan: ProofPlan): MerkleNode[] =>
    plan.flat().map(({ level, index }) => {
      const hash = levels[level]?.slice(index * 32, index * 32 + 32) ?? new Uint8Array(0)
      return { level, index, hash }
    })
  return { log: { size, root, read }, seconds: elapsedMs / 1_000 }
}

function measureLimit(entries: readonly string[]): number {
  const node = new Uint8Array(65)
  return measureRate(BATCH_SIZE * 64, (i) => {
    sha256Hex(entries[i % BATCH_SIZE] ?? '')
    sha256Hex(node)
  })
}

/** Assembling a proof includes the plan and reading the nodes from memory; a database adds its reads. */
function measureProofs(log: Log, entries: readonly string[]): Row[] {
  // One less than a power of two, which has the most ragged right edge.
  const size = log.size - 1
  const indexAt = (i: number) => (i * 7_919) % size
  const prove = (plan: ProofPlan) => assembleProof(plan, log.read(plan))
  const times: number[] = []
  for (let i = 0; i < PROOFS; i++) {
    const begin = performance.now()
    prove(planInclusionProof(indexAt(i), size))
    times.push((performance.now() - begin) * 1_000)
  }
  times.sort((a, b) => a - b)
  const consistency = measureRate(PROOFS, (i) => prove(planConsistencyProof(indexAt(i) + 1, size)))
  const proof = prove(planInclusionProof(5, log.size))
  const claim = { leafHash: hashLeaf(entries[5] ?? ''), index: 5, treeSize: log.size, proof, root: log.root }
  if (!verifyInclusion(claim)) throw new Error('the measured proof is invalid')
  return [
    {
      name: 'inclusion proof in 2^20 leaves, p50',
      value: times[PROOFS / 2] ?? Number.NaN,
      unit: 'µs',
      target: { atMost: 1_000 },
    },
    {
      name: 'inclusion proof in 2^20 leaves, p99',
      value: times[PROOFS * 0.99] ?? Number.NaN,
      unit: 'µs',
    },
    {
      name: 'consistency proof in 2^20 leaves, mean',
      value: 1_000_000 / consistency,
      unit: 'µs',
      target: { atMost: 1_000 },
    },
    {
      name: 'inclusion proof verified',
      value: measureRate(PROOFS, () => verifyInclusion(claim)),
      unit: 'proofs/s',
    },
  ]
}

function measureRate(count: number, run: (i: number) => unknown): number {
  for (let i = 0; i < count / 4; i++) run(i)
  const begin = performance.now()
  for (let i = 0; i < count; i++) run(i)
  return (count * 1_000) / (performance.now() - begin)
}

function isMet({ value, target }: Row): boolean {
  if (target === undefined) return true
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost
}

function print(row: Row): void {
  const { name, value, unit, target } = row
  const bound = target === undefined ? '' : 'atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`
  const verdict =
    target === undefined
      ? ''
      : `  ${isMet(row) ? 'met' : 'MISSED'} (${bound.replace(/\B(?=(\d{3})+$)/g, ',')})`
  const figure = value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 })
  console.log(`${name.padEnd(42)}${figure.padStart(12)} ${unit}${verdict}`)
}

if (import.meta.main) {
  const rows = await measureSealing()
  for (const row of rows) print(row)
  process.exitCode = rows.every(isMet) ? 0 : 1
}
