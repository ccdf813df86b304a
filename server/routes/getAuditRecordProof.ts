import type { Operation } from './operation.ts'
import { proofAnswer } from './proofAnswer.ts'

/** Source: api.md "Approvals, activity, audit"; onchain.md "What an auditor gets". */
export const getAuditRecordProof: Operation = {
  summary: 'Proves that a record stands in the audit log whose head the chain holds.',
  answer: proofAnswer,
  errors: ['NOT_FOUND', 'NOT_ANCHORED_YET', 'SERVICE_UNAVAILABLE'],
  handle: (services) => async (call) => {
    const proof = await services.audit.readProof({ recordId: call.params.id ?? '' })
    return { body: { success: true, ...proof } }
  },
}
