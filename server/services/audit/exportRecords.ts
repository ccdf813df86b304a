import type { ProofDocument } from '@svc/core/audit/proofDocument.ts'
import type { ActivityEvent } from '@svc/core/contract/activity.ts'
import type { AuditExportStore } from '../../store/audit/auditExportStore.ts'
import { toEventView } from '../activity/eventView.ts'
import { proofsOf } from './proofsOf.ts'
import type { ReadNodesDeps } from './readNodes.ts'
import { findNewestAnchor, type NewestAnchorDeps } from './sealBatch.ts'

/** Maximum records per export. */
const EXPORT_MAX = 500
/** Number of proofs built before yielding to other requests. */
const PROOFS_AT_ONCE = 50

export type ExportRecordsDeps = NewestAnchorDeps &
  ReadNodesDeps & {
    exports: AuditExportStore
    /** Number of the log. */
    number: number
  }

/** One line of an export: a proof document with the record it proves. */
type ExportLine = ProofDocument & { seq: number; recordId: string; event: ActivityEvent }

/** A page of an export; `nextFrom` is null at the end. */
export type Export = { lines: ExportLine[]; nextFrom: number | null }

/**
 * Exports the caller's records within a range of a log, each with its proof, oldest first.
 *
 * The range is given in log indexes, inclusive: unlike times they are gapless and never run backwards, so consecutive ones
 * prove that nothing was left out. Only records that are final on chain are exported.
 *
 * A page may be empty although there is a next one: with several logs, only a part of a long range is read at once.
 *
 * Source: docs/auditing.md.
 */
export async function exportRecords(
  deps: ExportRecordsDeps,
  input: { actsFor: ReadonlySet<string>; from: number; to: number },
): Promise<Export> {
  const anchor = await findNewestAnchor(deps)
  if (anchor === null) return { lines: [], nextFrom: null }
  await deps.catchUp()
  const range = { from: input.from, to: Math.min(input.to, anchor.batch.newSize - 1) }
  const limit = EXPORT_MAX + 1
  if (range.from > range.to) return { lines: [], nextFrom: null }
  const part = await deps.exports.ofParties([...input.actsFor], range, { log: deps.number, limit })
  const found = part.records
  const records = found.slice(0, EXPORT_MAX)
  const lines: ExportLine[] = []
  for (let at = 0; at < records.length; at += PROOFS_AT_ONCE) {
    const some = records.slice(at, at + PROOFS_AT_ONCE)
    const proofs = await proofsOf(deps, anchor, some)
    for (const [i, proof] of proofs.entries()) {
      const record = some[i]
      if (record === undefined) continue
      lines.push({
        seq: record.index,
        recordId: record.recordId,
        ...proof,
        event: toEventView(record, input.actsFor),
      })
    }
  }
  return { lines, nextFrom: found[EXPORT_MAX]?.index ?? part.next }
}
