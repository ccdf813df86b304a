import { z } from 'zod'
import { actsForOf } from '../../services/actsForOf.ts'
import { readProof } from '../../services/audit/readProof.ts'
import { type ReadRecordDeps, readRecord } from '../../services/audit/readRecord.ts'
import { type ReadTlogProofDeps, readTlogProof } from '../../services/audit/readTlogProof.ts'
import { type ReplayDecisionDeps, replayDecision } from '../../services/verification/replayDecision.ts'
import { eventSchema } from '../activity/activity.ts'
import { prefersText } from '../border/prefersText.ts'
import { operation } from '../operation.ts'
import { proofAnswer } from './log.ts'

const recordAnswer = z.object({
  success: z.literal(true),
  record: z.object({ seq: z.int(), recordId: z.string(), entry: z.base64(), event: eventSchema }),
})

/** Source: api.md "Approvals, activity, audit". */
export const getAuditRecord = operation({
  summary: 'Shows an audit record to its parties, and its proof to anyone else.',
  answer: z.union([recordAnswer, proofAnswer]),
  errors: ['NOT_FOUND', 'NOT_ANCHORED_YET', 'SERVICE_UNAVAILABLE'],
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
 * JSON, or C2SP `tlog-proof` text to a request that prefers `text/plain`.
 *
 * Source: api.md "Approvals, activity, audit"; onchain.md "What an auditor gets".
 */
export const getAuditRecordProof = operation({
  summary: 'Proves that a record stands in the audit log whose head the chain holds.',
  answer: proofAnswer,
  otherAnswers: { 'text/plain': z.string() },
  errors: ['NOT_FOUND', 'NOT_ANCHORED_YET', 'SERVICE_UNAVAILABLE'],
  handle: (parts: { audit: ReadTlogProofDeps }) => async (call) => {
    const recordId = call.params.id ?? ''
    if (prefersText(call.header('accept'))) {
      const body = await readTlogProof(parts.audit, { recordId })
      return { headers: VARY, contentType: 'text/plain; charset=utf-8', body }
    }
    return { headers: VARY, body: { success: true, ...(await readProof(parts.audit.proofs, { recordId })) } }
  },
})

const outcome = {
  recommendation: z.string(),
  accessLevel: z.string(),
  dimensions: z.array(z.string()),
}

/** Source: verification.md "Decisions are reproducible". */
export const postAuditRecordReplay = operation({
  summary: 'Makes a recorded decision again from its kept inputs, for its parties.',
  answer: z.object({
    success: z.literal(true),
    recordId: z.string(),
    reproduced: z.boolean(),
    inputsMatch: z.boolean(),
    recorded: z.object(outcome),
    replayed: z.object({ ...outcome, access: z.unknown(), recommendationReasons: z.array(z.string()) }),
  }),
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
