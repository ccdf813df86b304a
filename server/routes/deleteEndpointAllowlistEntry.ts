import { z } from 'zod'
import type { Operation } from './operation.ts'

/** Source: api.md "Endpoints". */
export const deleteEndpointAllowlistEntry: Operation = {
  summary: 'Takes an entry off the allowlist of an own endpoint.',
  answer: z.object({ success: z.literal(true), id: z.string() }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: (services) => async (call) => {
    const { id = '', entryId = '' } = call.params
    await services.endpoints.removeAllowlistEntry({ id, entryId, principal: call.principal, now: call.now })
    return { body: { success: true, id: entryId } }
  },
}
