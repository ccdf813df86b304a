import { z } from 'zod'
import type { Operation } from './operation.ts'
import { prefersText } from './prefersText.ts'
import { proofAnswer } from './proofAnswer.ts'

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
