import { z } from 'zod'
import { actsForOf } from '../../services/actsForOf.ts'
import { eventSchema } from '../activity/activity.ts'
import { prefersText } from '../border/prefersText.ts'
import type { Operation } from '../operation.ts'
import { proofAnswer } from './log.ts'

const recordAnswer = z.object({
  success: z.literal(true),
  record: z.object({ seq: z.int(), recordId: z.string(), entry: z.base64(), event: eventSchema }),
})

/** Source: api.md "Approvals, activity, audit". */
export const getAuditRecord: Operation = {
  summary: 'Shows an audit record to its parties, and its proof to anyone else.',
  answer: z.union([recordAnswer, proofAnswer]),
  errors: ['NOT_FOUND', 'NOT_ANCHORED_YET', 'SERVICE_UNAVAILABLE'],
  handle: (services) => async (call) => {
    const found = await services.audit.readRecord({
      recordId: call.params.id ?? '',
      actsFor: actsForOf(call.principal),
    })
    return { body: 'record' in found ? { success: true, ...found } : { success: true, ...found.proof } }
  },
}

const VARY = { Vary: 'Accept' }

/**
 * JSON, or C2SP `tlog-proof` text to a request that prefers `text/plain`.
 *
 * Source: api.md "Approvals, activity, audit"; onchain.md "What an auditor gets".
 */
export const getAuditRecordProof: Operation = {
  summary: 'Proves that a record stands in the audit log whose head the chain holds.',
  answer: proofAnswer,
  otherAnswers: { 'text/plain': z.string() },
  errors: ['NOT_FOUND', 'NOT_ANCHORED_YET', 'SERVICE_UNAVAILABLE'],
  handle: (services) => async (call) => {
    const recordId = call.params.id ?? ''
    if (prefersText(call.header('accept'))) {
      const body = await services.audit.readTlogProof({ recordId })
      return { headers: VARY, contentType: 'text/plain; charset=utf-8', body }
    }
    return { headers: VARY, body: { success: true, ...(await services.audit.readProof({ recordId })) } }
  },
}

const outcome = {
  recommendation: z.string(),
  accessLevel: z.string(),
  dimensions: z.array(z.string()),
}

/** Source: verification.md "Decisions are reproducible". */
export const postAuditRecordReplay: Operation = {
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
  handle: (services) => async (call) => {
    const actsFor = actsForOf(call.principal)
    return {
      body: {
        success: true,
        ...(await services.replayDecision({ recordId: call.params.id ?? '', actsFor })),
      },
    }
  },
}
