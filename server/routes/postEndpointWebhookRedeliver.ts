import { z } from 'zod'
import type { Operation } from './operation.ts'
import { webhookSchemas } from './webhookSchemas.ts'

/** Source: api.md "Webhook signature" (Delivery). */
export const postEndpointWebhookRedeliver: Operation = {
  summary: 'Sends an event once more that is no longer on its way: the same id, the same bytes.',
  status: 201,
  answer: z.object({ success: z.literal(true), delivery: webhookSchemas.delivery }),
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  repeatable: true,
  handle: (services) => async (call) => {
    const { principal, params, now } = call
    const { id = '', deliveryId = '' } = params
    const delivery = await services.webhooks.redeliver({ id, deliveryId, principal, now })
    return { status: 201, body: { success: true, delivery } }
  },
}
