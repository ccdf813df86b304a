import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { accountSchemas } from './accountSchemas.ts'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'

const body = z.object({ name: accountSchemas.name, organizationId: z.string().min(1).max(64).nullish() })

/** Source: api.md "Identifiers", "Accounts". */
export const postApiKeys: Operation = {
  summary: 'Creates an API key, personal or of an organisation, and shows it once.',
  body,
  status: 201,
  answer: z.object({ success: z.literal(true), ...accountSchemas.apiKey.shape, key: z.string() }),
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  repeatable: true,
  handle: (services) => async (call) => {
    const { name, organizationId } = parseInput(body, call.body)
    const created = await services.accounts.createApiKey({
      principal: callerOf(call, 'session'),
      name,
      organizationId: organizationId ?? null,
      now: call.now,
    })
    return { status: 201, body: { success: true, ...created } }
  },
}
