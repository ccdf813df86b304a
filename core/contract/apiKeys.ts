import { z } from 'zod'
import { accountSchemas } from './accounts.ts'
import { pageAnswer, success } from './envelope.ts'

export const postApiKeysBody = z.object({
  name: accountSchemas.name,
  organizationId: z.string().min(1).max(64).nullish(),
})

/** Request and response schemas of the operations, by method and path. */
export const apiKeyOperations = {
  'POST /api/api-keys': {
    body: postApiKeysBody,
    answer: success({ ...accountSchemas.apiKey.shape, key: z.string() }),
  },
  'GET /api/api-keys': { answer: pageAnswer(accountSchemas.apiKey) },
  'DELETE /api/api-keys/:id': { answer: success({ id: z.string(), revokedAt: z.string() }) },
} as const
