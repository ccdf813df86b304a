import type { NewAuditRecord } from '../audit/newAuditRecord.ts'
import type { StandingKey } from './standingKey.ts'

/** What a repeated decision would state as still true; each can be withdrawn after the decision. */
export type DecisionGrounds = {
  /** What the standing approval is for that it used: another one for the same, such as for a higher amount, does as well. */
  standingFor: StandingKey | null
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

/** Lists on what the outcome of a decision rests. @param asked The standing approval that was looked for. */
export function groundsOf({ records, standing }: Outcome, asked: StandingKey | null): DecisionGrounds {
  return {
    standingFor: standing ? asked : null,
    sessions: records.flatMap(({ sessionId }) => sessionId ?? []),
    receipts: records.flatMap(({ recordId, receipt }) => (receipt === undefined ? [] : [recordId])),
  }
}
