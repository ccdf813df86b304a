import { readPurpose } from './readPurpose.ts'
import { verificationBodySchema } from './verificationBody.ts'
import { namesCounterparty } from './verificationRequest.ts'

/** The fields of a verification request that need not name a counterparty (local evaluator). */
export const requestFieldsSchema = verificationBodySchema.refine(
  (body) => readPurpose(body.purpose, body.action) !== undefined,
  {
    path: ['action'],
    message: 'names a different category from purpose',
    params: { code: 'contradictory' },
  },
)

/**
 * The body of a verification request.
 *
 * Unknown fields are ignored. `agentId` may come in a header instead; without it the request is anonymous. Any text is a
 * valid resource: it is the decision that refuses an ambiguous one. Spec: POST /api/agents/verify-access.
 */
export const verificationRequestSchema = requestFieldsSchema.refine(namesCounterparty, {
  message: 'one of counterpartyId and counterpartyUrl is required',
  params: { code: 'required' },
})
