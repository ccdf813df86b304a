import { z } from 'zod'
import type { Operation } from './operation.ts'
import { webhookSchemas } from './webhookSchemas.ts'

/** Source: api.md "Endpoints" (`…/webhook`). */
export const getEndpointWebhook: Operation = {
  summary: 'Shows the webhook of an own endpoint.',
  answer: z.object({ success: z.literal(true), webhook: webhookSchemas.webhook }),
  errors: ['NOT_FOUND'],
  handle: (services) => async (call) => {
    const { principal, params, now } = call
    const webhook = await services.webhooks.read({ id: params.id ?? '', principal, now })
    return { body: { success: true, webhook } }
  },
}
