import { z } from 'zod'
import type { Operation } from './operation.ts'

/** Source: api.md "Endpoints" (`…/rotate-secret`). */
export const postEndpointRotateSecret: Operation = {
  summary: 'Answers a new webhook secret once; for 24 hours the one before signs too.',
  answer: z.object({
    success: z.literal(true),
    webhookSecret: z.string(),
    previousSecretUntil: z.string(),
  }),
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  repeatable: true,
  handle: (services) => async (call) => {
    const { principal, params, now } = call
    const rotated = await services.webhooks.rotateSecret({ id: params.id ?? '', principal, now })
    return { body: { success: true, ...rotated } }
  },
}
