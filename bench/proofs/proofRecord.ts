import { createHash } from 'node:crypto'
import { writeAuditEntry } from '@svc/core/audit/auditEntry.ts'
import type { NewAuditRecord } from '../../server/store/audit/newAuditRecord.ts'

/** Number of parties that the records are spread over, so that no index of the feed has one long list. */
const PARTIES = 500

/** Returns the id of the `nth` record; ids are in random order, like UUIDs version 7 of one millisecond. */
export function proofRecordId(nth: number): string {
  const digits = createHash('sha256').update(`record ${nth}`).digest('hex')
  return `0199c1a0-${digits.slice(0, 4)}-7${digits.slice(4, 7)}-8${digits.slice(7, 10)}-${digits.slice(10, 22)}`
}

/** Builds a verification as the service would record it, with an entry of typical length; deterministic. */
export function proofRecord(nth: number): NewAuditRecord {
  const recordId = proofRecordId(nth)
  const hash = `0x${'5a'.repeat(32)}`
  const recordedAt = Date.UTC(2026, 0, 1) + nth
  const base = {
    recordId,
    recordedAt,
    eventType: 'verification.completed',
    ownerId: `SVCD-owner${String(nth % PARTIES).padStart(17, '0')}`,
    counterpartyOwnerId: `SVCO-owner${String((nth * 7) % PARTIES).padStart(17, '0')}`,
    agentId: `SVC-agent${String(nth % PARTIES).padStart(17, '0')}`,
    endpointId: `SVCE-point${String((nth * 7) % PARTIES).padStart(16, '0')}`,
    sessionId: `session-${nth}`,
  }
  return {
    ...base,
    eventData: '{"recommendation":"grant","trustScoreAtRequest":55}',
    inputs: '{}',
    inputsSalt: '000102030405060708090a0b0c0d0e0f',
    entry: writeAuditEntry({
      ...{ type: base.eventType, recordId, agentId: base.agentId, endpointId: base.endpointId },
      sessionId: base.sessionId,
      decision: 'grant',
      dimensions: [],
      inputsHash: hash,
      policyHashes: { agent: hash, endpoint: hash },
      time: new Date(recordedAt).toISOString(),
      salt: recordId.replaceAll('-', ''),
    }),
  }
}
