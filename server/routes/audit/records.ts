import { auditOperations } from '@svc/core/contract/audit.ts'
import { z } from 'zod'
import { actsForOf } from '../../services/actsForOf.ts'
import { type ReadTlogProofDeps, readProof, readTlogProof } from '../../services/audit/readProof.ts'
import { type ReadReceiptDeps, readReceipt } from '../../services/audit/readReceipt.ts'
import { type ReadRecordDeps, readRecord } from '../../services/audit/readRecord.ts'
import { type ReplayDecisionDeps, replayDecision } from '../../services/verification/replayDecision.ts'
import { prefersText } from '../border/prefersText.ts'
import { operation } from '../operation.ts'

export const getAuditRecord = operation({
  summary: 'Returns an audit record to its parties, and its proof to anyone else.',
  answer: auditOperations['GET /api/audit/records/:id'].answer,
  errors: ['NOT_FOUND', 'NOT_ANCHORED_YET', 'SERVICE_UNAVAILABLE'],
  isPublicDocument: true,
  handle: (parts: { audit: ReadRecordDeps }) => async (call) => {
    const found = await readRecord(parts.audit, {
      recordId: call.params.id ?? '',
      actsFor: actsForOf(call.principal),
    })
    return { body: 'record' in found ? { success: true, ...found } : { success: true, ...found.proof } }
  },
})

const VARY = { Vary: 'Accept' }

/**
 * JSON, or C2SP `tlog-proof` text if the request prefers `text/plain`.
 *
 * Source: docs/auditing.md.
 */
export const getAuditRecordProof = operation({
  summary: 'Returns the proof that a record is in the audit log whose head is stored on chain.',
  answer: auditOperations['GET /api/audit/records/:id/proof'].answer,
  otherMediaTypes: { 'text/plain': z.string() },
  errors: ['NOT_FOUND', 'NOT_ANCHORED_YET', 'SERVICE_UNAVAILABLE'],
  isPublicDocument: true,
  handle: (parts: { audit: ReadTlogProofDeps }) => async (call) => {
    const recordId = call.params.id ?? ''
    if (prefersText(call.header('accept'))) {
      const body = await readTlogProof(parts.audit, { recordId })
      return { headers: VARY, contentType: 'text/plain; charset=utf-8', body }
    }
    return { headers: VARY, body: { success: true, ...(await readProof(parts.audit.proofs, { recordId })) } }
  },
})

export const getAuditRecordReceipt = operation({
  summary: 'Returns the receipt of a decision with the proof that it is in the audit log, to its parties.',
  answer: auditOperations['GET /api/audit/records/:id/receipt'].answer,
  errors: ['NOT_FOUND', 'GONE', 'NOT_ANCHORED_YET', 'SERVICE_UNAVAILABLE'],
  isPublicDocument: true,
  handle: (parts: { audit: ReadReceiptDeps }) => async (call) => {
    const actsFor = actsForOf(call.principal)
    const found = await readReceipt(parts.audit, { recordId: call.params.id ?? '', actsFor })
    return { body: { success: true, ...found } }
  },
})

export const postAuditRecordReplay = operation({
  summary: 'Recomputes a recorded decision from its stored inputs, for its parties.',
  answer: auditOperations['POST /api/audit/records/:id/replay'].answer,
  errors: ['NOT_FOUND', 'GONE', 'INVALID_STATE', 'SERVICE_UNAVAILABLE'],
  handle: (parts: { verification: ReplayDecisionDeps }) => async (call) => {
    const actsFor = actsForOf(call.principal)
    return {
      body: {
        success: true,
        ...(await replayDecision(parts.verification, { recordId: call.params.id ?? '', actsFor })),
      },
    }
  },
})
