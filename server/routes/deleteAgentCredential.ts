import { z } from 'zod'
import type { Operation } from './operation.ts'

/** Source: api.md "Agents". */
export const deleteAgentCredential: Operation = {
  summary: 'Takes a third-party credential away from an own agent.',
  answer: z.object({ success: z.literal(true), id: z.string() }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: (services) => async (call) => {
    const { id = '', credentialId = '' } = call.params
    const { principal, now } = call
    await services.credentials.remove({ id, credentialId, principal, now })
    return { body: { success: true, id: credentialId } }
  },
}
