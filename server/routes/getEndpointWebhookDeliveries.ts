import type { Operation } from './operation.ts'
import { PAGE_QUERY, pageAnswer, readPage, writePage } from './pagination.ts'
import { webhookSchemas } from './webhookSchemas.ts'

/** The log of deliveries. Source: api.md "Endpoints", "Webhook signature". */
export const getEndpointWebhookDeliveries: Operation = {
  summary: 'Lists what was sent to the webhook of an own endpoint, newest first.',
  query: PAGE_QUERY,
  answer: pageAnswer(webhookSchemas.delivery),
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  handle: (services) => async (call) => {
    const page = readPage(call.query)
    const { principal, params } = call
    return { body: writePage(await services.webhooks.deliveries({ id: params.id ?? '', principal, page })) }
  },
}
