import { z } from 'zod'
import type { Operation } from './operation.ts'

/** Source: verification.md "Third-party credentials". */
export const postAgentCredentialsChallenge: Operation = {
  summary: 'Hands out what the holder of a third-party credential signs before it is stored for an agent.',
  status: 201,
  answer: z.object({
    success: z.literal(true),
    challenge: z.string().describe('`nonce` of the token that is the proof'),
    audience: z.string().describe('`aud` of the token that is the proof'),
    message: z.string().describe('What the holder of an Ethereum address signs instead (EIP-191)'),
    expiresAt: z.string(),
  }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: (services) => async (call) => {
    const { principal, now } = call
    const challenge = await services.credentials.challenge({ id: call.params.id ?? '', principal, now })
    return { status: 201, body: { success: true, ...challenge } }
  },
}
