import type { ConsistencyDocument } from '@svc/core/audit/proofDocument.ts'
import type { AnchoredBatch } from './anchoredBatch.ts'
import type { AuditReport } from './createTextReport.ts'
import { fetchGrowth, readGrowth } from './fetchGrowth.ts'
import { findGrowthFault } from './findGrowthFault.ts'
import { namedLogOf } from './findProofLogFault.ts'
import type { AuditChain } from './openAuditChain.ts'
import type { AuditTask, PointSource } from './parseAuditArguments.ts'
import type { VerifierKey } from './parseVerifierKey.ts'
import { readPoint, type SavedPoint } from './readPoint.ts'

type GrowthTask = Extract<AuditTask, { kind: 'growth' }>
/** A batch, and whether a document with a signature names it. */
type FoundBatch = { ok: true; value: AnchoredBatch; isSigned: boolean } | { ok: false; reason: string }

/**
 * Checks that the log at one point in time is a prefix of the log at another. Both heads come from the chain, whatever the
 * documents say, and the consistency proof between them is recomputed.
 */
export async function auditGrowth(
  chain: AuditChain,
  { task, logKey }: { task: GrowthTask; logKey: VerifierKey | null },
  report: AuditReport,
): Promise<boolean> {
  const refuted = (reason: string): false => {
    report.failed(`NOT proven: ${reason}.`)
    return false
  }
  if (chain.head.batch === 0) return refuted('nothing is anchored yet')
  const saved = task.proof.kind === 'document' ? await readGrowth(task.proof.source) : null
  if (saved?.ok === false) return refuted(saved.reason)

  const from = await findBatch(chain, task.from, logKey, saved === null ? null : pointOf(saved.value, 'from'))
  if (!from.ok) return refuted(from.reason)
  const head: PointSource = { kind: 'batch', batch: chain.head.batch }
  const later = task.to ?? (saved === null ? head : null)
  const to = await findBatch(chain, later, logKey, saved === null ? null : pointOf(saved.value, 'to'))
  if (!to.ok) return refuted(to.reason)
  await reportBatch(chain, report, 'earlier', from.value)
  await reportBatch(chain, report, 'later', to.value)
  if (from.value.newSize > to.value.newSize) return refuted('the points in time are in the wrong order')

  const proof =
    saved ??
    (await fetchGrowth(task.proof.source, {
      from: from.value.newSize,
      to: to.value.newSize,
      logId: namedLogOf(chain),
    }))
  if (!proof.ok) return refuted(proof.reason)
  const fault = findGrowthFault(chain, { from: from.value, to: to.value }, proof.value)
  if (fault !== null) return refuted(fault)
  report.passed('both roots are on chain')
  report.passed(
    `the proof leads from one to the other: the first ${from.value.newSize} records of the later log are the earlier log`,
  )
  reportSignatures([from, to].filter(({ isSigned }) => isSigned).length, logKey, report)
  report.proven()
  return true
}

/** @param signed How many of the two points are documents with a signature, which was verified if there is a key. */
function reportSignatures(signed: number, logKey: VerifierKey | null, report: AuditReport): void {
  if (signed > 0 && logKey === null) report.notChecked('the signature of a checkpoint: pass --log-key.')
  if (signed > 0 && logKey !== null) report.passed('the checkpoint is signed with the key of the log')
  if (signed === 0 && logKey !== null)
    report.notChecked('a signature with --log-key: neither point is a document that has one.')
}

/** Finds the batch of a point on chain; without a point, that of `implied`. */
async function findBatch(
  chain: AuditChain,
  source: PointSource | null,
  logKey: VerifierKey | null,
  implied: SavedPoint | null,
): Promise<FoundBatch> {
  if (source?.kind === 'batch') {
    const value = await chain.batch(source.batch, Number.MAX_SAFE_INTEGER)
    return value === null
      ? {
          ok: false,
          reason: `the log on chain has no batch ${source.batch}; its last is ${chain.head.batch}`,
        }
      : { ok: true, value, isSigned: false }
  }
  const name = source === null ? 'the proof' : source.source
  const read =
    source === null
      ? { ok: true as const, point: implied, isSigned: false }
      : await readPoint(source.source, namedLogOf(chain), logKey)
  if (!read.ok) return { ok: false, reason: `${name}: ${read.reason}` }
  const { point, isSigned } = read
  if (point === null) return { ok: false, reason: 'no point in time was given' }
  const logId = namedLogOf(chain)
  // A report of this tool about a mirror names the mirror.
  if (point.logId !== null && point.logId !== logId && point.logId !== chain.logId) {
    return { ok: false, reason: `${name} is about the log ${point.logId}, not about ${logId}` }
  }
  const value = await chain.batchOfSize(point.size)
  if (value === null && chain.mirror !== null)
    throw new Error(`The mirror has no head of ${point.size} records, which is what ${name} is about.`)
  if (value === null)
    return { ok: false, reason: `the log on chain never had ${point.size} records, contrary to ${name}` }
  if (value.root !== point.root) {
    const roots = `the root on chain at ${point.size} records is ${value.root}, but ${name} says ${point.root}`
    return { ok: false, reason: roots }
  }
  // A mirror numbers its own batches, which only a report about it names.
  const isNumbered = chain.mirror === null || point.logId === chain.logId
  if (isNumbered && point.batch !== null && point.batch !== value.number) {
    return {
      ok: false,
      reason: `${point.size} records are batch ${value.number} on chain, but ${name} says ${point.batch}`,
    }
  }
  return { ok: true, value, isSigned }
}

function pointOf(document: ConsistencyDocument, end: 'from' | 'to'): SavedPoint {
  const { logId } = document
  return { size: document[`${end}Size`], root: document[`${end}Root`], batch: null, logId }
}

async function reportBatch(
  chain: AuditChain,
  report: AuditReport,
  name: string,
  batch: AnchoredBatch,
): Promise<void> {
  const at = (await chain.blockTime(batch.blockNumber)).toISOString()
  const location = `batch ${batch.number}, block ${batch.blockNumber}, ${at}`
  report.fact(name, `${batch.newSize} records, root ${batch.root}, ${location}`, { ...batch, anchoredAt: at })
}
