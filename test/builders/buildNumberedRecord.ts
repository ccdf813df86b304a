import { createHash } from 'node:crypto'
import { writeAuditEntry } from '@svc/core/audit/auditEntry.ts'
import type { NewAuditRecord } from '../../server/store/audit/newAuditRecord.ts'

type Overrides = Partial<Omit<NewAuditRecord, 'eventData' | 'entry'>> & {
  eventData?: Record<string, unknown>
  /** Its place in the log, which makes its entry one of version 1. */
  seq?: number
}

export const AGENT_OWNER = 'SVCD-agentowner000000000000'
export const ENDPOINT_OWNER = 'SVCO-endpointowner0000000000'

/** Builds a grant of one agent at one endpoint; `nth` makes it unique and reproducible. */
export function buildNumberedRecord(nth: number, { seq, ...overrides }: Overrides = {}): NewAuditRecord {
  const digits = createHash('sha256').update(`record ${nth}`).digest('hex')
  const recordedAt = overrides.recordedAt ?? Date.UTC(2026, 10, 21) + nth
  const base = {
    recordId: `01938000-0000-7000-8000-${String(nth).padStart(12, '0')}`,
    recordedAt,
    eventType: 'verification.completed',
    ownerId: AGENT_OWNER,
    counterpartyOwnerId: ENDPOINT_OWNER,
    agentId: 'SVC-agent00000000000000000',
    endpointId: '01938000-0000-7000-8000-00000000e0e0',
    sessionId: `session-${digits.slice(0, 16)}`,
    inputs: '{}',
    inputsSalt: digits.slice(0, 32),
    ...overrides,
  }
  return {
    ...base,
    eventData: JSON.stringify(overrides.eventData ?? { recommendation: 'grant', trustScoreAtRequest: 55 }),
    entry: writeAuditEntry({
      ...(seq === undefined ? {} : { seq }),
      type: base.eventType,
      recordId: base.recordId,
      agentId: base.agentId,
      endpointId: base.endpointId,
      sessionId: base.sessionId,
      decision: 'grant',
      dimensions: [],
      inputsHash: `0x${digits}`,
      policyHashes: { agent: null, endpoint: null },
      time: new Date(recordedAt).toISOString(),
      salt: digits.slice(32),
    }),
  }
}
