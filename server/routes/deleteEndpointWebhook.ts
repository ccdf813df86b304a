import { z } from 'zod'
import type { Operation } from './operation.ts'
import { webhookSchemas } from './webhookSchemas.ts'

/** Source: api.md "Endpoints" (`…/webhook`). */
export const deleteEndpointWebhook: Operation = {
  summary: 'Ends the webhook of an endpoint, and with it what still waited to be sent.',
  answer: z.object({ success: z.literal(true), webhook: webhookSchemas.webhook }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: (services) => async (call) => {
    const { principal, params, now } = call
    const webhook = await services.webhooks.remove({ id: params.id ?? '', principal, now })
    return { body: { success: true, webhook } }
  },
}
