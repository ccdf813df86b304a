import { allowlistEntrySchema } from '@svc/core/access/allowlist.ts'
import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { allowlistEntryAnswer } from './allowlistEntryAnswer.ts'
import type { Operation } from './operation.ts'

/** Source: `Spec: POST /api/endpoints/:id/allowlist`. */
export const postEndpointAllowlist: Operation = {
  summary: 'Admits the agents of an owner; from the first entry on, all others are refused.',
  body: allowlistEntrySchema,
  status: 201,
  answer: z.object({ success: z.literal(true), entry: allowlistEntryAnswer }),
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  repeatable: true,
  handle: (services) => async (call) => {
    const entry = await services.endpoints.addAllowlistEntry({
      id: call.params.id ?? '',
      principal: call.principal,
      entry: parseInput(allowlistEntrySchema, call.body),
      now: call.now,
    })
    return { status: 201, body: { success: true, entry } }
  },
}
