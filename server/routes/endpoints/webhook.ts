import { postEndpointWebhookBody, webhookOperations } from '@svc/core/contract/webhooks.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import { removeWebhook, setWebhook } from '../../services/webhooks/changeWebhook.ts'
import { listDeliveries, readWebhook } from '../../services/webhooks/readWebhook.ts'
import { redeliver } from '../../services/webhooks/redeliver.ts'
import { rotateWebhookSecret } from '../../services/webhooks/rotateWebhookSecret.ts'
import { testWebhook } from '../../services/webhooks/testWebhook.ts'
import type { WebhookDeps } from '../../services/webhooks/webhookDeps.ts'
import { PAGE_QUERY, readPage, writePage } from '../border/pagination.ts'
import { operation } from '../operation.ts'

/** Source: api.md "Endpoints" (`…/webhook`). */
export const getEndpointWebhook = operation({
  summary: 'Shows the webhook of an own endpoint.',
  answer: webhookOperations['GET /api/endpoints/:id/webhook'].answer,
  errors: ['NOT_FOUND'],
  handle: (parts: { webhooks: Parameters<typeof readWebhook>[0] }) => async (call) => {
    const { principal, params, now } = call
    const webhook = await readWebhook(parts.webhooks, { id: params.id ?? '', principal, now })
    return { body: { success: true, webhook } }
  },
})

/** Source: api.md "Endpoints" (`…/webhook`). */
export const postEndpointWebhook = operation({
  summary: 'Has the events of an endpoint sent to an address, from now on.',
  body: webhookOperations['POST /api/endpoints/:id/webhook'].body,
  answer: webhookOperations['POST /api/endpoints/:id/webhook'].answer,
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { webhooks: WebhookDeps }) => async (call) => {
    const { principal, params, now } = call
    const { url } = parseInput(postEndpointWebhookBody, call.body)
    const webhook = await setWebhook(parts.webhooks, { id: params.id ?? '', principal, url, now })
    return { body: { success: true, webhook } }
  },
})

/** Source: api.md "Endpoints" (`…/webhook`). */
export const deleteEndpointWebhook = operation({
  summary: 'Ends the webhook of an endpoint, and with it what still waited to be sent.',
  answer: webhookOperations['DELETE /api/endpoints/:id/webhook'].answer,
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: (parts: { webhooks: WebhookDeps }) => async (call) => {
    const { principal, params, now } = call
    const webhook = await removeWebhook(parts.webhooks, { id: params.id ?? '', principal, now })
    return { body: { success: true, webhook } }
  },
})

/** Source: api.md "Endpoints" (`…/rotate-secret`). */
export const postEndpointRotateSecret = operation({
  summary: 'Answers a new webhook secret once; for 24 hours the one before signs too.',
  answer: webhookOperations['POST /api/endpoints/:id/rotate-secret'].answer,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  repeatable: true,
  handle: (parts: { webhooks: WebhookDeps }) => async (call) => {
    const { principal, params, now } = call
    const rotated = await call.once(() =>
      rotateWebhookSecret(parts.webhooks, { id: params.id ?? '', principal, now }),
    )
    return { body: { success: true, ...rotated } }
  },
})

/** Source: api.md "Endpoints" (`…/test-webhook`). */
export const postEndpointTestWebhook = operation({
  summary: 'Sends a test event to the webhook of an endpoint now and answers how it was taken.',
  answer: webhookOperations['POST /api/endpoints/:id/test-webhook'].answer,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  repeatable: true,
  handle: (parts: { webhooks: WebhookDeps }) => async (call) => {
    const { principal, params, now } = call
    const delivery = await call.once(() =>
      testWebhook(parts.webhooks, { id: params.id ?? '', principal, now }),
    )
    return { body: { success: true, delivered: delivery.status === 'delivered', delivery } }
  },
})

/** The log of deliveries. Source: api.md "Endpoints", "Webhook signature". */
export const getEndpointWebhookDeliveries = operation({
  summary: 'Lists what was sent to the webhook of an own endpoint, newest first.',
  query: PAGE_QUERY,
  answer: webhookOperations['GET /api/endpoints/:id/webhook/deliveries'].answer,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  handle: (parts: { webhooks: Parameters<typeof listDeliveries>[0] }) => async (call) => {
    const page = readPage(call.query)
    const { principal, params } = call
    return { body: writePage(await listDeliveries(parts.webhooks, { id: params.id ?? '', principal, page })) }
  },
})

/** Source: api.md "Webhook signature" (Delivery). */
export const postEndpointWebhookRedeliver = operation({
  summary: 'Sends an event once more that is no longer on its way: the same id, the same bytes.',
  status: 201,
  answer: webhookOperations['POST /api/endpoints/:id/webhook/deliveries/:deliveryId/redeliver'].answer,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  repeatable: true,
  handle: (parts: { webhooks: WebhookDeps }) => async (call) => {
    const { principal, params, now } = call
    const { id = '', deliveryId = '' } = params
    const delivery = await call.once(() => redeliver(parts.webhooks, { id, deliveryId, principal, now }))
    return { status: 201, body: { success: true, delivery } }
  },
})
