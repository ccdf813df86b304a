import { CREDENTIAL_TYPES } from '@svc/core/credentials/credentialLookupKey.ts'
import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { credentialSchema } from './credentialSchema.ts'
import type { Operation } from './operation.ts'

const body = z.object({
  type: z.enum(CREDENTIAL_TYPES),
  value: z.string().min(1).max(32_768),
  challenge: z.string().min(1).max(100),
  proof: z
    .string()
    .min(1)
    .max(8_192)
    .optional()
    .describe('The holder’s answer to the challenge; an SD-JWT carries it in itself'),
})

/** Source: api.md "Agents"; verification.md "Third-party credentials". */
export const postAgentCredentials: Operation = {
  summary: 'Stores a third-party credential whose holder has signed the challenge for this agent.',
  body,
  status: 201,
  answer: z.object({ success: z.literal(true), credential: credentialSchema }),
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE', 'CREDENTIAL_TAKEN'],
  repeatable: true,
  handle: (services) => async (call) => {
    const offered = parseInput(body, call.body)
    const { principal, now } = call
    const credential = await services.credentials.add({ id: call.params.id ?? '', principal, offered, now })
    return { status: 201, body: { success: true, credential } }
  },
}
