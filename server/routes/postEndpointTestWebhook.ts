import { z } from 'zod'
import type { Operation } from './operation.ts'
import { webhookSchemas } from './webhookSchemas.ts'

/** Source: api.md "Endpoints" (`…/test-webhook`). */
export const postEndpointTestWebhook: Operation = {
  summary: 'Sends a test event to the webhook of an endpoint now and answers how it was taken.',
  answer: z.object({ success: z.literal(true), delivered: z.boolean(), delivery: webhookSchemas.delivery }),
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  repeatable: true,
  handle: (services) => async (call) => {
    const { principal, params, now } = call
    const delivery = await services.webhooks.test({ id: params.id ?? '', principal, now })
    return { body: { success: true, delivered: delivery.status === 'delivered', delivery } }
  },
}
