import type { AuditEntryFields } from '@svc/core/audit/auditEntry.ts'

/** The fields of a granted request; a test passes what it varies. */
export function buildAuditEntryFields(varied: Partial<AuditEntryFields> = {}): AuditEntryFields {
  return {
    type: 'verification.completed',
    recordId: '0199c1a0-0000-7000-8000-000000000007',
    agentId: 'SVC-0123456789abcdefghijkl',
    endpointId: 'SVCE-0123456789abcdefghijkl',
    sessionId: '7b1f4a52-6a0c-4b61-9f5c-0d0f3a1e2b3c',
    decision: 'grant',
    dimensions: [],
    inputsHash: `0x${'ab'.repeat(32)}`,
    policyHashes: { agent: `0x${'cd'.repeat(32)}`, endpoint: null },
    time: '2025-11-20T10:00:00.000Z',
    salt: '000102030405060708090a0b0c0d0e0f',
    ...varied,
  }
}
