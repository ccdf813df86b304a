import { randomBytes } from 'node:crypto'
import { createAuditRecord } from '../../server/services/audit/createAuditRecord.ts'
import type { NewAuditRecord } from '../../server/store/audit/newAuditRecord.ts'

/** Builds a grant of some agent at some endpoint; the test sets the fields it cares about. */
export function buildRecord(
  fields: Partial<Parameters<typeof createAuditRecord>[0]> = {},
  now = Date.UTC(2026, 0, 5),
): NewAuditRecord {
  return createAuditRecord(
    {
      eventType: 'verification.completed',
      ownerId: 'SVCD-0000000000000000000001',
      counterpartyOwnerId: 'SVCO-0000000000000000000001',
      agentId: 'SVC-0000000000000000000001',
      endpointId: '00000000-0000-7000-8000-000000000001',
      decision: 'grant',
      eventData: { recommendation: 'grant' },
      ...fields,
    },
    now,
    (length) => randomBytes(length),
  )
}
