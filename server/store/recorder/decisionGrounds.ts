import type { NewAuditRecord } from '../audit/newAuditRecord.ts'

/** What a repeated decision would state as still true, by identifier; each can be withdrawn after the decision. */
export type DecisionGrounds = {
  /** The standing approval that it used. */
  standing: string | null
  /** The sessions that it opened. */
  sessions: readonly string[]
  /** The records whose receipts it contains. */
  receipts: readonly string[]
}

/** What of an outcome can be withdrawn. */
type Outcome = {
  records: readonly Pick<NewAuditRecord, 'recordId' | 'sessionId' | 'receipt'>[]
  standing?: { id: string } | null
}

/** Lists on what the outcome of a decision rests. */
export function groundsOf({ records, standing }: Outcome): DecisionGrounds {
  return {
    standing: standing?.id ?? null,
    sessions: records.flatMap(({ sessionId }) => sessionId ?? []),
    receipts: records.flatMap(({ recordId, receipt }) => (receipt === undefined ? [] : [recordId])),
  }
}
