import { z } from 'zod'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'

/** Source: api.md "Agents". */
export const postAgentToken: Operation = {
  summary: 'Gives an agent a token of 15 minutes for a request signed with its own key.',
  answer: z.object({ success: z.literal(true), agentToken: z.string(), expiresIn: z.number() }),
  errors: [
    'invalid_signature',
    'signature_expired',
    'nonce_reused',
    'FORBIDDEN',
    'NOT_FOUND',
    'INVALID_STATE',
  ],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'signature')
    const id = call.params.id ?? ''
    return {
      body: { success: true, ...(await services.agents.issueToken({ id, principal, now: call.now })) },
    }
  },
}
