import { z } from 'zod'
import { credentialSchema } from './credentialSchema.ts'
import type { Operation } from './operation.ts'

/** Source: api.md "Agents". */
export const getAgentCredentials: Operation = {
  summary: 'Lists the third-party credentials of an own agent.',
  answer: z.object({ success: z.literal(true), items: z.array(credentialSchema) }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: (services) => async (call) => {
    const { principal, now } = call
    const items = await services.credentials.list({ id: call.params.id ?? '', principal, now })
    return { body: { success: true, items } }
  },
}
